"""What the graphs of a model are given for a batch of one trip, by names of graph and input."""

import torch
from torch import Tensor, nn

from rntrajrec.batch import Batch
from rntrajrec.decoder_ticks import before, taught
from rntrajrec.layers import with_nobody
from rntrajrec.model import Encoded, Model, laid_out


def inputs_of(model: Model, b: Batch) -> dict[str, dict[str, Tensor]]:
    s, made, e = model.settings, {}, model.encode(b)
    if e is not None:
        made |= {"road": of_road(b), "encoder": of_encoder(b, e)}
    if s.routes:
        made["routes"] = of_routes(b, e if model.route_context is not None else None)
    if s.time:
        made["time"] = of_time(b, e if model.with_time_context else None)
    if s.ticks:
        made["ticks"] = of_ticks(model, b, e)
        made["ratios"] = of_ratios(model, made["ticks"])
    return made


def of_road(b: Batch) -> dict[str, Tensor]:
    """The graph takes the same number of cells always, that of the application: its steps over them are unrolled."""
    p, names = b.part, ("roads", "cell_count", "successors", "predecessors")
    cells = nn.functional.pad(p.cells, (0, 0, 0, p.cell_cap - p.cells.shape[1]))
    return {name: getattr(p, name) for name in names} | {"cells": cells}


def of_encoder(b: Batch, e: Encoded) -> dict[str, Tensor]:
    names = ("points", "sub_segments", "sub_weights", "sub_pairs", "sub_successors", "sub_predecessors")
    return {"road": e.road, "environment": b.environment} | {name: getattr(b, name) for name in names}


def of_routes(b: Batch, e: Encoded | None) -> dict[str, Tensor]:
    made = {"candidates": b.candidates, "routes": b.options}
    if e is None:
        return made
    segments, _ = padded(b.option_segment_start, b.option_segments, len(b.part.ids))
    return made | {
        "road": e.road, "h": e.h, "candidate_sample": b.candidate_sample, "candidate_segment": b.candidate_segment,
        "option_sample": b.gap_sample[b.option_gap], "option_segments": segments,
    }  # fmt: skip


def of_time(b: Batch, e: Encoded | None) -> dict[str, Tensor]:
    pieces, counts = padded(b.piece_start, b.pieces, 0)
    made = {"pieces": pieces, "lengths": padded(b.piece_start, b.piece_length, 0)[0], "counts": counts}
    if e is None:
        return made
    segments = padded(b.piece_start, b.piece_segment, int(b.piece_segment[0]))[0]
    return made | {"road": e.road, "h": e.h, "piece_segment": segments, "gap_sample": b.gap_sample}


def of_ticks(model: Model, b: Batch, e: Encoded) -> dict[str, Tensor]:
    """All ticks of the trip, each as a beam that comes from the true tick before it."""
    t, rows = b.ticks, with_nobody(e.road)
    at, known, _ = laid_out(b.sample_trip, b.sample_step, 1)
    passed, ratio = before(rows[t.segment][None]), before(t.ratio[None])
    states = taught(model.ticks, e.whole, e.h[at], known, passed, ratio)
    return {
        "state": torch.cat([e.whole, states[0, :-1]]), "road": passed[0], "ratio": ratio[0], "h": e.h[at],
        "known": known, "beam_trip": torch.zeros_like(t.trip), "move_beam": t.move_tick,
        "move_road": rows[t.move_segment], "moves": t.moves, "candidates": t.candidates,
    }  # fmt: skip


def of_ratios(model: Model, ticks: dict[str, Tensor]) -> dict[str, Tensor]:
    """All moves, each with the state of its beam now."""
    d, h = model.ticks, ticks["h"].expand(len(ticks["state"]), -1, -1)
    a = d.attend(ticks["state"], d.w_h(h), h, h.new_zeros(()))
    now = d.next(ticks["state"], ticks["road"], ticks["ratio"], a)
    return {"state": now[ticks["move_beam"]]} | {n: ticks[n] for n in ("move_road", "moves", "candidates")}


def padded(start: Tensor, rows: Tensor, nobody: int) -> tuple[Tensor, Tensor]:
    """Rows that lie between offsets [n+1] as [n][longest].., and their number [n]."""
    counts = start.diff()
    at = start[:-1, None] + torch.arange(int(counts.max()))
    known = torch.arange(at.shape[1])[None] < counts[:, None]
    out = rows[torch.where(known, at, 0)]
    return torch.where(known.reshape(*known.shape, *[1] * (rows.dim() - 1)), out, nobody), counts
