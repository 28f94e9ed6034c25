"""Trips of a data set as every system takes them: the same samples, ticks and mask for all."""

from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from rntrajrec import ticks
from rntrajrec.batch import Span, rows_of_samples, span_of
from rntrajrec.data import DataSet
from rntrajrec.systems.city import City

BETA = 15.0  # metres, of the weights in the mask (eq. 24)


@dataclass
class SubGraphs:
    """The sub-graphs of the samples of a batch, flat, as rntrajrec.model.Encoder takes them."""

    trips: int
    environment: Tensor
    sample_trip: Tensor
    sample_step: Tensor
    points: Tensor
    sub_segments: Tensor
    sub_weights: Tensor
    sub_pairs: Tensor
    sub_successors: Tensor
    sub_predecessors: Tensor
    sub_target: Tensor


@dataclass
class Trips:
    """Some trips, padded to the longest. A batch is one of these; so is a whole data set."""

    known: Tensor  # [b][n] whether there is a sample
    xy: Tensor  # [b][n][2] kilometres from the middle of the city
    cell: Tensor  # [b][n] of the 50 m grid
    cut: Tensor  # [b][n] the nearest cut point
    points: Tensor  # [b][n][columns] how the samples follow one another
    tick: Tensor  # [b][n] the tick of each sample
    environment: Tensor  # [b][columns]
    there: Tensor  # [b][t] whether there is a tick
    seconds: Tensor  # [b][t] from the first sample
    segment: Tensor  # [b][t] the true one, a place in the city, their number where it has no place there
    ratio: Tensor  # [b][t]
    place: Tensor  # [b][t][2] kilometres: where the vehicle truly was
    option: (
        Tensor  # [b][n][candidates] segments that a sample may be on: the mask; the number of segments: none
    )
    weight: Tensor  # [b][n][candidates] the logarithm of the mask
    sub_segments: Tensor  # [b][n][sub]
    sub_weights: Tensor
    sub_pairs: Tensor
    sub_successors: Tensor
    sub_predecessors: Tensor
    sub_target: Tensor  # [b][n]

    def __len__(self) -> int:
        return len(self.known)

    def some(self, which: list[int]) -> "Trips":
        """Some of the trips, padded to the longest of these."""
        at = torch.tensor(which)
        n, t = int(self.known[at].sum(1).max()), int(self.there[at].sum(1).max())
        made = {f.name: getattr(self, f.name)[at] for f in fields(self)}
        for name, values in made.items():
            if name != "environment":
                made[name] = values[:, : t if name in OF_TICKS else n]
        return Trips(**made)

    def to(self, device: torch.device) -> "Trips":
        return Trips(**{f.name: getattr(self, f.name).to(device) for f in fields(self)})

    def hidden(self) -> Tensor:
        """[b][t] ticks without a sample."""
        hidden = self.there.clone()
        hidden[self.sampled()] = False
        return hidden

    def sampled(self) -> tuple[Tensor, Tensor]:
        """The trip and the tick of every sample, in the order of self.known."""
        trip = torch.arange(len(self), device=self.tick.device)[:, None].expand_as(self.tick)
        return trip[self.known], self.tick[self.known]

    def masks(self, segments: int) -> tuple[Tensor, Tensor, Tensor]:
        """The mask c at ticks with a sample: [b][t] whether only its candidates may be chosen, [b][t][candidates] these,
        `segments` meaning none, and the logarithms of their weights."""
        shape = (*self.there.shape, self.option.shape[-1])
        option, weight = self.option.new_full(shape, segments), self.weight.new_zeros(shape)
        where = self.sampled()
        option[where], weight[where] = self.option[self.known], self.weight[self.known]
        return (option < segments).any(-1), option, weight

    def last(self) -> Tensor:
        """The place of the last sample of each trip, [b]."""
        return self.known.sum(1) - 1

    def sub_graphs(self) -> SubGraphs:
        k = self.known
        step = torch.arange(k.shape[1], device=k.device).expand_as(k)
        trip = torch.arange(len(k), device=k.device)[:, None].expand_as(k)
        flat = {f.name: getattr(self, f.name)[k] for f in fields(self) if f.name.startswith("sub_")}
        return SubGraphs(len(k), self.environment, trip[k], step[k], self.points[k], **flat)


OF_TICKS = ("there", "seconds", "segment", "ratio", "place")


def read(data: DataSet, city: City, most: int = 0) -> Trips:
    """All trips of a data set, or so many, evenly over it."""
    every = data.trips()
    if most and most < len(every):
        every = [every[i * len(every) // most] for i in range(most)]
    spans = [span_of(data.shards[s], i) for _, s, i in every]
    if "sample_lon" not in spans[0].shard.arrays:
        raise ValueError(
            f"{data.folder} has no places: write it again with retrace dataset --encoder --ticks"
        )
    counts = np.array([s.samples.stop - s.samples.start for s in spans])
    known = np.arange(counts.max()) < counts[:, None]
    made = {"known": torch.from_numpy(known)}
    made |= {name: padded(values, known) for name, values in of_samples(data, city, spans).items()}
    made |= of_ticks(city, spans, known)
    made["environment"] = torch.from_numpy(np.stack([s.shard["environment"][s.trip] for s in spans]))
    return Trips(**made)


def of_samples(data: DataSet, city: City, spans: list[Span]) -> dict[str, np.ndarray]:
    """The arrays of the samples of all trips, flat."""

    def rows(name: str) -> np.ndarray:
        return np.concatenate([s.shard[name][s.samples] for s in spans])

    xy = city.metres(rows("sample_lon"), rows("sample_lat"))
    option, weight = mask(data, city, spans)
    sub = rows_of_samples(spans, "sub_segments")
    size, nobody = sub.shape[1], city.segments
    neighbours = data.network(0).neighbours
    segments = city.places[sub]
    # What a link leads to has no vector where it lies outside the city, like any segment there.
    return {
        "xy": (xy / 1000).astype(np.float32),
        "cell": city.cell(xy),
        "cut": nearest(xy, city.cuts.xy),
        "points": rows("points"),
        "option": option,
        "weight": weight,
        "sub_segments": segments,
        "sub_weights": rows_of_samples(spans, "sub_weights") * (segments < nobody),
        "sub_pairs": rows_of_samples(spans, "sub_pairs", per=size),
        "sub_successors": rows_of_samples(spans, "sub_successors").reshape(-1, size, neighbours).astype(int),
        "sub_predecessors": rows_of_samples(spans, "sub_predecessors").reshape(-1, size, neighbours).astype(int),
        "sub_target": rows("sub_target").astype(np.int64),
    }  # fmt: skip


def mask(data: DataSet, city: City, spans: list[Span]) -> tuple[np.ndarray, np.ndarray]:
    """The candidates of each sample and their weights exp(-d^2 / beta^2), as logarithms."""
    column = data.schema.column("candidates", "distance")
    lists = []
    for s in spans:
        start = s.shard["candidate_start"][s.samples.start : s.samples.stop + 1]
        segment, distance = s.shard["candidate_segment"], s.shard["candidates"][:, column]
        lists += [(segment[a:b], distance[a:b]) for a, b in zip(start, start[1:], strict=False)]
    most = max(len(segment) for segment, _ in lists)
    option = np.full((len(lists), most), city.segments, dtype=np.int64)
    weight = np.zeros((len(lists), most), dtype=np.float32)
    for i, (segment, distance) in enumerate(lists):
        option[i, : len(segment)] = city.places[segment]
        weight[i, : len(segment)] = -((50 * distance / BETA) ** 2)
    return option, weight


def of_ticks(city: City, spans: list[Span], known: np.ndarray) -> dict[str, Tensor]:
    """The ticks of all trips, padded, and the tick of each sample."""
    made = [ticks.of_trip(s) for s in spans]
    counts = np.array([len(m["segment"]) for m in made])
    there = np.arange(counts.max()) < counts[:, None]
    steps = [slice(*s.shard["step_start"][s.trip : s.trip + 2]) for s in spans]
    place = [
        city.metres(*(np.asarray(s.shard[f"step_{axis}"][at]) for axis in ("lon", "lat")))
        for s, at in zip(spans, steps, strict=True)
    ]
    tick = np.concatenate([np.flatnonzero(~m["hidden"]) for m in made])
    return {
        "there": torch.from_numpy(there),
        "tick": padded(tick, known),
        "seconds": padded(np.concatenate([seconds(s) for s in spans]), there),
        "segment": padded(city.places[np.concatenate([m["segment"] for m in made])], there),
        "ratio": padded(np.concatenate([m["ratio"] for m in made]), there),
        "place": padded((np.concatenate(place) / 1000).astype(np.float32), there),
    }


def seconds(s: Span) -> np.ndarray:
    """The times of all ticks of a trip, from its first sample."""
    start, times = s.shard["tick_start"], s.shard["sample_time"][s.samples]
    parts = []
    for i, gap in enumerate(range(s.gaps.start, s.gaps.stop)):
        parts += [times[i : i + 1], times[i] + s.shard["tick_time"][start[gap] : start[gap + 1]]]
    return np.concatenate([*parts, times[-1:]]).astype(np.float32)


def padded(values: np.ndarray, there: np.ndarray) -> Tensor:
    """Flat rows laid out where there is something, 0 elsewhere."""
    out = np.zeros((*there.shape, *values.shape[1:]), dtype=values.dtype)
    out[there] = values
    return torch.from_numpy(out)


def nearest(xy: np.ndarray, places: np.ndarray, at_once: int = 256) -> np.ndarray:
    """The nearest of some places to each point."""
    found = []
    for i in range(0, len(xy), at_once):
        part = xy[i : i + at_once, None]
        found.append(((part - places[None]) ** 2).sum(-1).argmin(1))
    return np.concatenate(found)
