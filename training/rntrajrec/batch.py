"""Batches: trips of one network, one after another, with places of their own.

Nothing is padded here but the sub-graphs, which come padded.
"""

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from rntrajrec import ticks as ticks_
from rntrajrec.data import COLUMNS, Blind, DataSet, Shard, keep_all
from rntrajrec.decoder_routes import Chains, Step
from rntrajrec.network import Network, Part
from rntrajrec.settings import ModelSettings
from rntrajrec.ticks import Ticks


@dataclass
class Batch:
    """Trips of one network. Places of candidates, options and so on count within the batch."""

    trips: int
    environment: Tensor  # [trips][columns]
    sample_trip: Tensor  # [samples]
    sample_step: Tensor  # [samples] place in its trip
    sample_time: Tensor  # [samples] seconds from the trip's start
    points: Tensor  # [samples][columns]
    candidates: Tensor  # [candidates][columns]
    candidate_sample: Tensor  # [candidates]
    candidate_target: Tensor  # [samples] the true one, -1 where it is not among them
    options: Tensor  # [options][columns]
    option_gap: Tensor  # [options]
    option_length: Tensor  # [options] metres
    overlap: Tensor  # [options] with the true way
    chains: Chains
    gap_sample: Tensor  # [gaps] the sample before
    gap_trip: Tensor  # [gaps]
    gap_seconds: Tensor  # [gaps]
    piece_start: Tensor  # [gaps+1]
    pieces: Tensor  # [pieces][columns]
    piece_length: Tensor  # [pieces]
    piece_time: Tensor  # [pieces]
    tick_start: Tensor  # [gaps+1]
    tick_time: Tensor  # [ticks]
    tick_along: Tensor  # [ticks]
    # With an encoder only. Segments are places in `part`.
    part: Part | None = None
    candidate_segment: Tensor | None = None  # [candidates]
    option_segment_start: Tensor | None = None  # [options+1]
    option_segments: Tensor | None = None
    piece_segment: Tensor | None = None  # [pieces]
    sub_segments: Tensor | None = None  # [samples][sub]
    sub_weights: Tensor | None = None  # [samples][sub]
    sub_pairs: Tensor | None = None  # [samples][sub][columns]
    sub_successors: Tensor | None = None  # [samples][sub][neighbours]
    sub_predecessors: Tensor | None = None
    sub_target: Tensor | None = None  # [samples]; the size of a sub-graph where the true segment is not in it
    ticks: Ticks | None = None  # for the decoder of ticks only
    simulated: bool = False  # the trips, all of them

    def to(self, device: torch.device) -> "Batch":
        """The batch on a device; the same where it is there already."""
        return Batch(**{f.name: moved(getattr(self, f.name), device) for f in fields(self)})


def moved(value, device: torch.device):
    """A tensor, or all tensors of a dataclass, list or tuple, on a device."""
    if isinstance(value, Tensor):
        return value.to(device, non_blocking=True)
    if isinstance(value, list | tuple):
        return type(value)(moved(v, device) for v in value)
    if isinstance(value, Chains | Step | Part | Ticks):
        return type(value)(**{f.name: moved(getattr(value, f.name), device) for f in fields(value)})
    return value


@dataclass
class Span:
    """Where the rows of one trip lie in its shard."""

    shard: Shard
    trip: int
    samples: slice
    gaps: slice
    candidates: slice
    options: slice
    pieces: slice
    ticks: slice


def span_of(shard: Shard, trip: int) -> Span:
    start = shard["sample_start"]
    s0, s1 = int(start[trip]), int(start[trip + 1])
    g0, g1 = s0 - trip, s1 - trip - 1  # a trip has a gap fewer than samples

    def rows(offsets: str, first: int, last: int) -> slice:
        return slice(int(shard[offsets][first]), int(shard[offsets][last]))

    return Span(
        shard, trip, slice(s0, s1), slice(g0, g1), rows("candidate_start", s0, s1),
        rows("option_start", g0, g1), rows("piece_start", g0, g1), rows("tick_start", g0, g1),
    )  # fmt: skip


def collate(
    data: DataSet,
    network: int,
    trips: list[tuple[int, int]],
    encoder: bool,
    drop=keep_all,
    hops: int = 2,
    ticks: bool = False,
    routes: bool = True,
) -> Batch:
    """The batch of (shard, trip) on one network. `hops` is how many layers look beyond the segments needed, which
    are those of routes and pieces only where `routes`."""
    spans = [span_of(data.shards[s], i) for s, i in trips]

    def rows(name: str, where: str) -> np.ndarray:
        array = np.concatenate([s.shard[name][getattr(s, where)] for s in spans])
        return drop(COLUMNS[name], array) if name in COLUMNS else array

    def owners(where: str, offsets: str) -> np.ndarray:
        """For each row, the sample or gap of the batch that it belongs to."""
        counts = np.concatenate([np.diff(s.shard[offsets][stretched(getattr(s, where))]) for s in spans])
        return np.repeat(np.arange(len(counts)), counts)

    def offsets(where: str, name: str) -> np.ndarray:
        counts = np.concatenate([np.diff(s.shard[name][stretched(getattr(s, where))]) for s in spans])
        return np.concatenate([[0], counts.cumsum()])

    samples = np.array([s.samples.stop - s.samples.start for s in spans])
    sample_trip = np.repeat(np.arange(len(spans)), samples)
    sample_step = np.concatenate([np.arange(n) for n in samples])
    gap_sample = np.flatnonzero(sample_step < samples[sample_trip] - 1)
    candidate_sample = owners("samples", "candidate_start")
    option_gap = owners("gaps", "option_start")
    first_candidate = np.searchsorted(candidate_sample, np.arange(len(sample_trip)))
    source = first_candidate[gap_sample[option_gap]] + rows("option_from", "options")
    target = first_candidate[gap_sample[option_gap] + 1] + rows("option_to", "options")
    true = rows("candidate_target", "samples")
    candidate_count = np.bincount(candidate_sample, minlength=len(sample_trip))
    options = rows("options", "options")
    batch = Batch(
        trips=len(spans),
        simulated=all(data.shards[s].simulated for s, _ in trips),
        environment=tensor(drop("environment", np.stack([s.shard["environment"][s.trip] for s in spans]))),
        sample_trip=tensor(sample_trip),
        sample_step=tensor(sample_step),
        sample_time=tensor(rows("sample_time", "samples")),
        points=tensor(rows("points", "samples")),
        candidates=tensor(rows("candidates", "candidates")),
        candidate_sample=tensor(candidate_sample),
        candidate_target=tensor(np.where(true < candidate_count, first_candidate + true, -1)),
        options=tensor(options),
        option_gap=tensor(option_gap),
        option_length=tensor(metres(options[:, data.schema.column("routes", "length")])),
        overlap=tensor(rows("option_overlap", "options")),
        chains=chains_of(len(spans), sample_trip, sample_step, candidate_sample, source, target),
        gap_sample=tensor(gap_sample),
        gap_trip=tensor(sample_trip[gap_sample]),
        gap_seconds=tensor(rows("gap_seconds", "gaps")),
        piece_start=tensor(offsets("gaps", "piece_start")),
        pieces=tensor(rows("pieces", "pieces")),
        piece_length=tensor(rows("piece_length", "pieces")),
        piece_time=tensor(rows("piece_time", "pieces")),
        tick_start=tensor(offsets("gaps", "tick_start")),
        tick_time=tensor(rows("tick_time", "ticks")),
        tick_along=tensor(rows("tick_along", "ticks")),
    )
    if encoder:
        moves = tick_arrays(batch, spans, drop) if ticks else None
        add_segments(batch, data.network(network), spans, rows, drop, hops, moves, routes)
    return batch


def collate_for(
    m: ModelSettings, data: DataSet, network: int, trips: list[tuple[int, int]], drop=keep_all
) -> Batch:
    """The batch with all that a model of such settings looks at, and no more."""
    hops = m.road_layers if m.road_gat else 0
    drop = Blind(data.schema, m.blind, drop) if m.blind else drop
    return collate(data, network, trips, m.encoder, drop, hops, m.ticks, m.routes or m.time)


def metres(column: np.ndarray) -> np.ndarray:
    """The lengths of routes from their column, which holds ln(1 + m/100)/4."""
    return 100 * np.expm1(4 * column)


def stretched(s: slice) -> slice:
    """The offsets that bound the rows of a slice."""
    return slice(s.start, s.stop + 1)


def tensor(array: np.ndarray) -> Tensor:
    """A tensor of float32 or int64, which is what PyTorch indexes with."""
    if array.dtype.kind in "iu":
        array = array.astype(np.int64)
    return torch.from_numpy(np.ascontiguousarray(array))


def chains_of(trips: int, sample_trip, sample_step, candidate_sample, source, target) -> Chains:
    """Sorts the candidates and options of all trips by step."""
    step = sample_step[candidate_sample]
    steps = int(sample_step.max()) + 1
    length = np.bincount(sample_trip, minlength=trips)
    is_last = step == length[sample_trip[candidate_sample]] - 1
    place = np.empty(len(candidate_sample), dtype=np.int64)
    levels, last = [], []
    for i in range(steps):
        mine = np.flatnonzero(step == i)
        place[mine] = np.arange(len(mine))
        levels.append(mine)
        ending = mine[is_last[mine]]
        last.append((tensor(place[ending]), tensor(sample_trip[candidate_sample[ending]])))
    made = []
    for i in range(1, steps):
        options = np.flatnonzero(step[target] == i)
        made.append(
            Step(
                tensor(levels[i]),
                tensor(options),
                tensor(place[source[options]]),
                tensor(place[target[options]]),
            )
        )
    return Chains(tensor(levels[0]), made, last, trips)


def tick_arrays(batch: Batch, spans: list[Span], drop) -> dict[str, np.ndarray]:
    for s in spans:
        ticks_.check(s.shard)
    return ticks_.raw(spans, batch.candidates.numpy(), drop)


def add_segments(
    batch: Batch, network: Network, spans: list[Span], rows, drop, hops: int, moves: dict | None, routes: bool
) -> None:
    """Adds what the encoder needs: the part of the network around the batch, and places in it."""
    wanted = {
        "candidate_segment": rows("candidate_segment", "candidates"),
        "sub_segments": rows_of_samples(spans, "sub_segments"),
    }
    if routes:
        wanted["piece_segment"] = rows("piece_segment", "pieces")
        wanted["option_segments"], batch.option_segment_start = segments_of_options(spans)
    of_ticks = [moves["segment"], moves["move_segment"]] if moves else []
    batch.part, places = network.part([*wanted.values(), *of_ticks], hops, drop)
    for name, place in zip(wanted, places, strict=False):
        setattr(batch, name, tensor(place))
    if moves:
        batch.ticks = ticks_.tensors(moves, *places[-2:])
    sub = batch.sub_segments.shape[1]
    batch.sub_weights = tensor(rows_of_samples(spans, "sub_weights"))
    pairs = rows_of_samples(spans, "sub_pairs", per=sub)
    batch.sub_pairs = tensor(drop("sub_pairs", pairs))
    neighbours = network.neighbours
    for name in ("sub_successors", "sub_predecessors"):
        setattr(batch, name, tensor(rows_of_samples(spans, name).reshape(-1, sub, neighbours)))
    batch.sub_target = tensor(rows("sub_target", "samples"))


def segments_of_options(spans: list[Span]) -> tuple[np.ndarray, Tensor]:
    """The segments of all routes, one after another, and where those of each begin."""
    starts = [s.shard["option_segment_start"] for s in spans]
    routes = [
        s.shard["option_segments"][a[s.options.start] : a[s.options.stop]]
        for s, a in zip(spans, starts, strict=True)
    ]
    lengths = [np.diff(a[stretched(s.options)]) for s, a in zip(spans, starts, strict=True)]
    return np.concatenate(routes), tensor(np.concatenate([[0], np.concatenate(lengths).cumsum()]))


def rows_of_samples(spans: list[Span], name: str, per: int = 0) -> np.ndarray:
    """Rows [samples][..] of a flat array that has as many for each sample."""
    out = []
    for s in spans:
        array = s.shard[name]
        width = len(array) // len(s.shard["sample_time"])
        taken = array[s.samples.start * width : s.samples.stop * width]
        out.append(taken.reshape(-1, per, array.shape[1]) if per else taken.reshape(-1, width))
    return np.concatenate(out)
