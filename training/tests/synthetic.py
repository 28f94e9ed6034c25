"""A tiny data set in the format of engine/dataset, with trips that can be learned."""

import json
from pathlib import Path

import numpy as np

SUB, NEIGHBOURS, CELLS = 5, 2, 3
COLUMNS = {
    "roads": ["class_unknown", "class_primary", "length", "signals"],
    "cells": ["east", "north"],
    "points": ["east", "north", "gap"],
    "sub_pairs": ["distance", "side"],
    "candidates": ["distance", "rank", "service"],
    "routes": ["length", "detour", "signals"],
    "pieces": ["length", "class_unknown", "slow", "signal"],
    "moves": ["distance", "hurry"],
    "environment": ["hour", "hour_unknown"],
}
GROUPS = {"class_unknown": "tags", "class_primary": "tags", "service": "tags", "slow": "tags", "signals": "controls",
          "signal": "controls", "hour": "calendar", "hour_unknown": "calendar"}  # fmt: skip
UNKNOWN = {"class_unknown": 1.0, "hour_unknown": 1.0}


def schema() -> dict:
    tensors = [
        {"name": name, "axes": ["row", "column"], "type": "float32",
         "columns": [{"name": c, "unit": "", "group": GROUPS.get(c, "geometry"), "min": -1, "max": 1, "unknown": UNKNOWN.get(c, 0.0)}
                     for c in columns]}
        for name, columns in COLUMNS.items()
    ]  # fmt: skip
    return {"version": 1, "tensors": tensors}


def write(
    folder: Path,
    trips: int = 6,
    segments: int = 12,
    seed: int = 0,
    schema_hash: str = "abc",
    fingerprint: str = "f",
) -> Path:
    rng = np.random.default_rng(seed)
    write_network(folder / "networks" / "0", segments, rng)
    write_shard(folder / "dense-00000", trips, segments, rng)
    manifest = {
        "schema": schema(),
        "schema_hash": schema_hash,
        "settings": {
            "points": {"delta": 400},
            "routes": {"count": 8},
            "ticks": {"beta": 15},
            "encoder": True,
        },
        "networks": [{"name": "ring", "fingerprint": fingerprint, "segments": segments}],
        "shards": [{"name": "dense-00000", "trips": trips}],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def times_alone(folder: Path) -> Path:
    """Makes a data set one of ways and times alone, as --times writes it."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["settings"] |= {"times": True, "encoder": False}
    path.write_text(json.dumps(manifest))
    kept = ("sample", "network", "environment", "piece", "gap", "tick")
    for file in folder.glob("dense-*/*.npy"):
        array = np.load(file)
        if file.stem in ("candidate_start", "option_start", "candidate_target"):
            np.save(file, np.zeros_like(array))
        elif file.stem.partition("_")[0] not in kept and file.stem != "pieces":
            np.save(file, array[:0])
    return folder


def save(folder: Path, arrays: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in arrays.items():
        array = np.concatenate([np.ravel(v) for v in values]) if len(values) else np.zeros(0)
        np.save(
            folder / f"{name}.npy", array.astype(np.float32 if array.dtype.kind == "f" else np.int32).ravel()
        )


def write_network(folder: Path, segments: int, rng) -> None:
    ring = np.arange(segments)
    lists = np.full((2, segments, NEIGHBOURS), segments)
    lists[0, :, 0], lists[1, :, 0] = (ring + 1) % segments, (ring - 1) % segments
    save(folder, {
        "roads": rng.random((segments, len(COLUMNS["roads"]))),
        "cells": rng.random((segments, CELLS, len(COLUMNS["cells"]))),
        "cell_count": rng.integers(1, CELLS + 1, segments),
        "cell_number": (np.arange(segments)[:, None] + np.arange(CELLS)) % segments,
        "successors": lists[0], "predecessors": lists[1],
        "cut_start": 2 * np.arange(segments + 1), "cut_lon": corners(segments).ravel(), "cut_lat": np.zeros(2 * segments),
    })  # fmt: skip


def corners(segments: int) -> np.ndarray:
    """The longitudes at which segments begin and end: one after another along the equator, 111 m each."""
    return (np.arange(segments)[:, None] + np.arange(2)) / 1000


def write_shard(folder: Path, trips: int, segments: int, rng) -> None:
    s: dict[str, list] = {name: [] for name in (
        "environment", "sample_time", "points", "sub_segments", "sub_weights", "sub_pairs", "sub_successors", "sub_predecessors",
        "sub_target", "candidates", "candidate_segment", "candidate_target", "option_from", "option_to", "options", "option_overlap",
        "option_segments", "pieces", "piece_segment", "piece_length", "piece_time", "gap_seconds", "tick_time", "tick_along",
        "step_segment", "step_ratio", "step_target", "moves", "move_segment", "move_candidate", "move_weight")}  # fmt: skip
    starts: dict[str, list[int]] = {
        f"{name}_start": [0]
        for name in ("sample", "candidate", "option", "option_segment", "piece", "tick", "step", "move")
    }

    def end(name: str, rows: str) -> None:
        starts[f"{name}_start"].append(len(s[rows]))

    for trip in range(trips):
        samples = 3 + trip % 3
        s["environment"].append([rng.random(), 0.0])
        counts = rng.integers(1, 4, samples)
        for i in range(samples):
            add_sample(s, i, int(counts[i]), segments, rng)
            end("candidate", "candidates")
        for i in range(samples - 1):
            add_gap(s, int(counts[i]), int(counts[i + 1]), segments, rng, end)
            end("option", "option_from")
            end("piece", "piece_length")
            end("tick", "tick_time")
        add_steps(s, starts, counts, segments, rng, end)
        starts["sample_start"].append(len(s["sample_time"]))
    save(folder, s | starts | places_of(s, rng) | {"network": np.zeros(trips, dtype=int)})


def places_of(s: dict, rng) -> dict:
    """Where samples and ticks lie: ticks on their segments, samples near the first of their candidates."""
    sample = rng.random(len(s["sample_time"])) / 100
    step = (np.array(s["step_segment"]) + np.array(s["step_ratio"])) / 1000
    return {"sample_lon": [sample], "sample_lat": [0 * sample], "step_lon": [step], "step_lat": [0 * step]}


def add_sample(s: dict, i: int, candidates: int, segments: int, rng) -> None:
    s["sample_time"].append(60.0 * i)
    s["points"].append(rng.random(3))
    size = int(rng.integers(2, SUB + 1))
    chosen = np.full(SUB, segments)
    chosen[:size] = rng.choice(segments, size, replace=False)
    s["sub_segments"].append(chosen)
    s["sub_weights"].append((np.arange(SUB) < size) * (0.1 + rng.random(SUB)))
    s["sub_pairs"].append(rng.random((SUB, 2)) * (np.arange(SUB) < size)[:, None])
    links = np.full((SUB, NEIGHBOURS), SUB)
    links[0, 0] = 1
    s["sub_successors"].append(links)
    s["sub_predecessors"].append(np.full((SUB, NEIGHBOURS), SUB))
    s["sub_target"].append(int(rng.integers(0, size)))
    for k in range(candidates):
        s["candidates"].append([k / 3, k / 10, rng.random()])
        s["candidate_segment"].append(int(rng.integers(0, segments)))
    s["candidate_target"].append(0)


def add_gap(s: dict, before: int, after: int, segments: int, rng, end) -> None:
    """Options whose overlap falls with the detour, and pieces that take longer where they are slow."""
    seconds, pieces = 60.0, int(rng.integers(3, 9))
    for a in range(before):
        for b in range(after):
            for _ in range(int(rng.integers(1, 3))):
                detour = rng.random() * (a + b + 0.2)
                s["option_from"].append(a)
                s["option_to"].append(b)
                s["options"].append([0.4, detour, rng.random()])
                s["option_overlap"].append(max(0.0, 1 - detour))
                s["option_segments"] += rng.integers(0, segments, int(rng.integers(1, 5))).tolist()
                end("option_segment", "option_segments")
    slow = rng.random(pieces) < 0.3
    times = np.cumsum(np.where(slow, 4.0, 1.0))
    times *= seconds / times[-1]
    for k in range(pieces):
        s["pieces"].append([1.0, 0.0, float(slow[k]), rng.random()])
        s["piece_segment"].append(int(rng.integers(0, segments)))
        s["piece_length"].append(25.0)
        s["piece_time"].append(times[k])
    s["gap_seconds"].append(seconds)
    for t in (15.0, 30.0, 45.0):
        s["tick_time"].append(t)
        s["tick_along"].append(np.interp(t, np.concatenate([[0], times]), 25.0 * np.arange(pieces + 1)))


def add_steps(s: dict, starts: dict, counts, segments: int, rng, end) -> None:
    """A tick for each sample, with the moves to its candidates, and three between two. The true move is the nearest;
    one tick of each trip has none."""
    first = starts["candidate_start"][-len(counts) - 1 :]
    for i, count in enumerate(counts):
        own = s["candidate_segment"][first[i] : first[i] + count]
        add_step(s, rng, [int(id) for id in own], list(range(count)))
        end("move", "moves")
        for _ in range(3 if i + 1 < len(counts) else 0):
            moves = int(rng.integers(2, 6))
            add_step(s, rng, rng.choice(segments, moves, replace=False).tolist(), [-1] * moves)
            end("move", "moves")
    s["step_target"][-2] = starts["move_start"][-2] - starts["move_start"][-3]
    end("step", "step_segment")


def add_step(s: dict, rng, segments: list[int], candidates: list[int]) -> None:
    right = int(rng.integers(0, len(segments)))
    for k, (segment, candidate) in enumerate(zip(segments, candidates, strict=True)):
        s["moves"].append([abs(k - right) / 4, rng.random()])
        s["move_segment"].append(segment)
        s["move_candidate"].append(candidate)
        s["move_weight"].append(0.0 if candidate < 0 else -rng.random())
    s["step_segment"].append(segments[right])
    s["step_ratio"].append(rng.random())
    s["step_target"].append(right)
