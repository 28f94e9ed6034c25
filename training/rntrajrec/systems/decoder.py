"""The paper's decoder, MTrajRec's: attention, a GRU over the ticks, a head for the segment and one for the ratio.

The state walks as in rntrajrec.decoder_ticks (eq. 20-22). What is scored differs: every
segment of the city (eq. 24) has a row w_v of a table, and the mask c leaves the candidates
of the sample at a tick with one, and everything at any other. The ratio (eq. 25) is that of
the segment chosen. At a tick without a sample nothing says what can be reached: that is the
generalised mask of the application, which is measured beside it.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rntrajrec.decoder_ticks import TickDecoder, before, mean_by, taught
from rntrajrec.gridgnn import GRUCell
from rntrajrec.layers import with_nobody
from rntrajrec.systems.trips import Trips

NEVER = -1e9


@dataclass
class Encoded:
    """What an encoder says of a batch. Without `road` the decoder has tables of its own."""

    h: Tensor  # [b][n][d] of the samples
    whole: Tensor  # [b][d] of the trips
    road: Tensor | None = None  # [segments][d] X_road
    loss: Tensor | None = None  # the encoder's own, weighted


class Decoder(nn.Module):
    """`road` says that the encoder describes segments; `described` that they are scored by that too, and not by a table."""

    attend, next = TickDecoder.attend, TickDecoder.next

    def __init__(self, segments: int, d: int, road: bool = False, described: bool = False):
        super().__init__()
        self.w_g, self.w_h = nn.Linear(d, d, bias=False), nn.Linear(d, d)
        self.v = nn.Linear(d, 1, bias=False)
        self.gru = GRUCell(2 * d + 1, d)
        self.rate = nn.Linear(2 * d, 1)
        self.segments = None if road else nn.Embedding(segments, d)
        self.w_id = nn.Linear(d, d, bias=False) if described else nn.Linear(d, segments)
        self.described = described

    def vectors(self, e: Encoded) -> Tensor:
        """x of every segment, and zeros for none."""
        return with_nobody(self.segments.weight if e.road is None else e.road)

    def scores(self, state: Tensor, vectors: Tensor) -> Tensor:
        """h . w_v of every segment, [..][segments]."""
        aim = self.w_id(state)
        return aim @ vectors[:-1].T / aim.shape[-1] ** 0.5 if self.described else aim

    def along(self, state: Tensor, x: Tensor) -> Tensor:
        return torch.sigmoid(self.rate(torch.cat([x, state], -1))).squeeze(-1)


def losses(decoder: Decoder, e: Encoded, b: Trips) -> tuple[Tensor, Tensor]:
    """L_id and L_rate (eq. 23, 25), the true tick before given: means over the ticks of a trip, then over trips. A tick
    whose segment the mask leaves out has no say, and a ratio at a tick with a sample has none, as in
    rntrajrec.decoder_ticks."""
    vectors = decoder.vectors(e)
    segments = len(vectors) - 1
    x = vectors[b.segment] * b.there[..., None]
    state = taught(decoder, e.whole, e.h, b.known, before(x), before(b.ratio * b.there))
    bound, option, weight = b.masks(segments)
    found, trip = b.there & (b.segment < segments), torch.arange(len(b), device=x.device)
    trip = trip[:, None].expand_as(found)

    free = found & ~bound
    nats = nn.functional.cross_entropy(
        decoder.scores(state[free], vectors), b.segment[free], reduction="none"
    )
    right = option == b.segment[..., None]
    held = found & bound & right.any(-1)
    scores = of_options(decoder, state[held], vectors, option[held]) + weight[held]
    few = nn.functional.cross_entropy(scores, right[held].int().argmax(-1), reduction="none")
    l_id = mean_by(torch.cat([nats, few]), torch.cat([trip[free], trip[held]]), len(b))

    hidden = found & b.hidden()
    errors = (decoder.along(state[hidden], x[hidden]) - b.ratio[hidden]) ** 2
    return l_id, mean_by(errors, trip[hidden], len(b))


def of_options(decoder: Decoder, state: Tensor, vectors: Tensor, option: Tensor) -> Tensor:
    """The scores of candidates [k][c] of some ticks with states [k][d], none very low."""
    segments = len(vectors) - 1
    scores = decoder.scores(state, vectors).gather(1, option.clamp_max(segments - 1))
    return torch.where(option < segments, scores, NEVER)


@torch.no_grad()
def recover(decoder: Decoder, e: Encoded, b: Trips) -> tuple[Tensor, Tensor]:
    """The segment and the ratio of every tick, the best one each time (greedy), [b][t]."""
    vectors, keys = decoder.vectors(e), decoder.w_h(e.h)
    segments = len(vectors) - 1
    bound, option, weight = b.masks(segments)
    nobody = (1 - b.known.to(e.h.dtype)) * NEVER
    state, x, ratio = e.whole, torch.zeros_like(e.whole), e.whole.new_zeros(len(b))
    chosen, ratios = torch.zeros_like(b.segment), torch.zeros_like(b.ratio)
    for j in range(b.there.shape[1]):
        state = decoder.next(state, x, ratio, decoder.attend(state, keys, e.h, nobody))
        best = decoder.scores(state, vectors).argmax(-1)
        few = (of_options(decoder, state, vectors, option[:, j]) + weight[:, j]).argmax(-1)
        best = torch.where(bound[:, j], option[torch.arange(len(b)), j, few], best)
        x = vectors[best]
        ratio = decoder.along(state, x)
        chosen[:, j], ratios[:, j] = best, ratio
    return chosen, ratios
