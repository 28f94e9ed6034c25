"""The ticks of a batch with the moves at each: what the decoder of ticks chooses from.

Nothing is padded: moves come flat, each with the tick that it belongs to.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass
class Ticks:
    """The ticks of some trips of one network, with a sample or without. Segments are places in the batch's part."""

    trip: Tensor  # [ticks]
    step: Tensor  # [ticks] place in its trip
    hidden: Tensor  # [ticks] whether it has no sample
    segment: Tensor  # [ticks] the true one
    ratio: Tensor  # [ticks] along it
    target: Tensor  # [ticks] the true move, a place in the batch, -1 where it is not among them
    move_tick: Tensor  # [moves]
    move_segment: Tensor  # [moves]
    moves: Tensor  # [moves][columns] how each is reached
    candidates: (
        Tensor  # [moves][columns] the candidate that it is of its tick's sample; 0 where there is none
    )
    log_weight: Tensor  # [moves] log of c (eq. 24)


def check(shard) -> None:
    if "step_start" not in shard.arrays:
        raise ValueError("the data set holds no moves: write it with retrace dataset --encoder --ticks")


def raw(spans: list, candidates: np.ndarray, drop) -> dict[str, np.ndarray]:
    """The arrays of Ticks for some trips, segments as in the network. Candidates are the rows of their samples."""
    parts, steps, moves, samples = [], 0, 0, 0
    first_candidate = first_candidates(spans)
    for trip, s in enumerate(spans):
        part = of_trip(s)
        n = len(part["segment"])
        sample = np.cumsum(~part["hidden"]) - 1 + samples
        own = part.pop("move_candidate")
        at = np.where(own >= 0, first_candidate[sample[part["move_tick"]]] + own, -1)
        part["candidates"] = np.where(at[:, None] >= 0, candidates[at], 0).astype(np.float32)
        part["trip"], part["step"] = np.full(n, trip), np.arange(n)
        part["target"] = np.where(part["target"] >= 0, part["target"] + moves, -1)
        part["move_tick"] = part["move_tick"] + steps
        parts.append(part)
        steps, moves, samples = steps + n, moves + len(own), samples + s.samples.stop - s.samples.start
    made = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    made["moves"] = drop("moves", made["moves"])
    return made


def first_candidates(spans: list) -> np.ndarray:
    """The place of the first candidate of each sample in a batch."""
    counts = [np.diff(s.shard["candidate_start"][s.samples.start : s.samples.stop + 1]) for s in spans]
    return np.concatenate([[0], np.concatenate(counts).cumsum()])


def of_trip(s) -> dict[str, np.ndarray]:
    """The arrays of one trip, places counted within it."""
    shard = s.shard
    t0, t1 = int(shard["step_start"][s.trip]), int(shard["step_start"][s.trip + 1])
    start = shard["move_start"][t0 : t1 + 1]
    rows, counts = slice(int(start[0]), int(start[-1])), np.diff(start)
    hidden = np.ones(t1 - t0, dtype=bool)
    between = np.diff(shard["tick_start"][s.gaps.start : s.gaps.stop + 1])
    hidden[np.concatenate([[0], (between + 1).cumsum()])] = False
    target = shard["step_target"][t0:t1].astype(np.int64)
    return {
        "hidden": hidden,
        "segment": shard["step_segment"][t0:t1],
        "ratio": shard["step_ratio"][t0:t1],
        "target": np.where(target < counts, target + start[:-1] - start[0], -1),
        "move_tick": np.repeat(np.arange(t1 - t0), counts),
        "move_segment": shard["move_segment"][rows],
        "move_candidate": shard["move_candidate"][rows],
        "moves": shard["moves"][rows],
        "log_weight": shard["move_weight"][rows],
    }


def tensors(made: dict[str, np.ndarray], segment: np.ndarray, move_segment: np.ndarray) -> Ticks:
    """The same as tensors, with segments as places in the batch's part."""
    made = made | {"segment": segment, "move_segment": move_segment}
    ints = {name: v.astype(np.int64) if v.dtype.kind in "iu" else v for name, v in made.items()}
    return Ticks(**{name: torch.from_numpy(np.ascontiguousarray(v)) for name, v in ints.items()})
