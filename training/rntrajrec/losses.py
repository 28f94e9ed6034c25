"""The losses of the paper, for whole routes and for ticks: L_id, L_rate, L_enc and their sum (eq. 23-28)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from rntrajrec.batch import Batch
from rntrajrec.decoder_routes import route_loss
from rntrajrec.decoder_ticks import tick_losses
from rntrajrec.decoder_time import area_loss, spread_loss
from rntrajrec.model import Encoded, Model
from rntrajrec.settings import TrainSettings

GAPS_AT_ONCE = 24


@dataclass
class Losses:
    total: Tensor
    parts: dict[str, float]


def by_length(counts: Tensor, at_once: int = GAPS_AT_ONCE) -> list[Tensor]:
    """Gaps with pieces in groups of about the same number of these, so that little is padded."""
    order = counts.argsort()
    order = order[counts[order] > 0]
    return list(order.split(at_once)) if len(order) else []


def total(model: Model, b: Batch, t: TrainSettings) -> Losses:
    """L_total (eq. 28) of a batch: nats a gap + weight x 100 m + lambda_2 x nats a sample; of ticks: nats a tick +
    lambda_1 x squared ratios."""
    e = model.encode(b)
    loss, parts = torch.zeros((), device=b.points.device), {}
    frozen = t.frozen if model.training else ()  # nothing is learned from their losses
    if by := learning(model, "routes", e, frozen):
        u, v = model.scores(b, e, by)
        wrong = t.candidate_sharpness * beside(b)
        nats = route_loss(b.chains, u.float(), v.float(), likeness(b), t.sharpness, wrong).sum()
        nats = nats / len(b.gap_seconds)
        loss, parts["id"] = loss + nats, nats.item()
    if by := learning(model, "time", e, frozen):
        metres, spread = rate_loss(model, b, e, by)
        loss = loss + t.time_weight * metres / 100 + t.spread_weight * spread
        parts |= {"rate": metres.item(), "spread": spread.item()}
    if b.ticks is not None:
        scores, ratio = model.at_ticks(b, e)
        nats, squares = tick_losses(scores.float(), ratio.float(), b.ticks, b.trips)
        loss = loss + nats + t.ratio_weight * squares
        parts |= {"tick_id": nats.item(), "tick_rate": squares.item()}
    if e is not None and model.settings.gcl and "encoder" not in frozen:
        enc = graph_loss(model, b, e)
        loss, parts["enc"] = loss + t.enc_weight * enc, enc.item()
    parts["total"] = loss.item()
    return Losses(loss, parts)


def learning(model: Model, kind: str, e: Encoded | None, frozen: tuple[str, ...]) -> tuple[str, ...]:
    """The decoders of "routes" or of "time" whose loss counts."""
    if not getattr(model.settings, kind):
        return ()
    return tuple(name for name in model.speaking(kind, e) if name not in frozen)


def beside(b: Batch) -> Tensor:
    """1 for candidates beside the true one of their sample, 0 for that one and where it is not known, [candidates]."""
    true = b.candidate_target[b.candidate_sample]
    return ((true >= 0) & (true != torch.arange(len(true), device=true.device))).float()


GRACE = 50.0  # metres


def likeness(b: Batch) -> Tensor:
    """How like the true way each option is, 0 to 1: the overlap, but a few metres more or less of a short way, or of
    a vehicle that stands, are no other way."""
    true = segment_sum(b.piece_length, b.piece_start)[b.option_gap]
    longer = torch.maximum(b.option_length, true)
    return 1 - (1 - b.overlap) * longer / longer.clamp_min(GRACE)


def segment_sum(values: Tensor, start: Tensor) -> Tensor:
    """Sums of values by the stretches between offsets."""
    sums = torch.cat([values.new_zeros(1, dtype=torch.float64), values.double().cumsum(0)])
    return (sums[start[1:]] - sums[start[:-1]]).float()


def rate_loss(
    model: Model, b: Batch, e: Encoded | None, by: tuple[str, ...] | None = None
) -> tuple[Tensor, Tensor]:
    """L_rate: metres along the route, mean over all instants; and the loss of the spread, mean over gaps."""
    counts = b.piece_start[1:] - b.piece_start[:-1]
    metres, spread, gaps = [], [], 0
    for group in by_length(counts):
        r = model.reached(b, e, group, by)
        seconds = b.gap_seconds[group]
        metres.append((area_loss(r.share.float(), r.true, r.lengths, r.counts) * seconds).sum())
        spread.append(spread_loss(r.share.float(), r.spread.float(), r.true, r.counts).sum())
        gaps += len(group)
    return torch.stack(metres).sum() / b.gap_seconds.sum(), torch.stack(spread).sum() / max(1, gaps)


def graph_loss(model: Model, b: Batch, e: Encoded) -> Tensor:
    """L_enc (eq. 26, 27), mean over samples. Samples whose true segment is not in the sub-graph have no say."""
    logits = model.encoder.log_weights(e.z.float(), b.sub_weights)
    known = b.sub_target < logits.shape[1]
    right = logits.gather(1, b.sub_target.clamp_max(logits.shape[1] - 1)[:, None]).squeeze(1)
    return ((logits.logsumexp(1) - right) * known).sum() / known.sum().clamp_min(1)
