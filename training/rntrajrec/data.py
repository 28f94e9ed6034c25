"""Data sets as engine/dataset writes them.

A data set is a folder with a manifest and shards of flat NumPy arrays, which are
mapped into memory, not read.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

from rntrajrec import schema
from rntrajrec.network import Network

# The tensor of the schema that gives an array its columns.
COLUMNS = {
    "environment": "environment",
    "points": "points",
    "sub_pairs": "sub_pairs",
    "candidates": "candidates",
    "options": "routes",
    "pieces": "pieces",
    "moves": "moves",
}
# With moves only.
OFFSETS_OF_TICKS = ("step_start", "move_start")


class Shard:
    """The arrays of one shard by name, each with its columns as last axis."""

    def __init__(self, folder: Path, known: schema.Schema):
        self.simulated = folder.name.startswith("simulated")
        self.arrays: dict[str, np.ndarray] = {}
        for path in sorted(folder.glob("*.npy")):
            array = np.load(path, mmap_mode="r") if path.stat().st_size > 256 else np.load(path)
            if path.stem in COLUMNS:
                array = array.reshape(-1, known.width(COLUMNS[path.stem]))
            self.arrays[path.stem] = array
        # The offsets are looked up often: keep them in memory.
        for name in (
            "sample_start",
            "candidate_start",
            "option_start",
            "piece_start",
            "tick_start",
            "option_segment_start",
            *(name for name in OFFSETS_OF_TICKS if name in self.arrays),
        ):
            self.arrays[name] = np.asarray(self.arrays[name], dtype=np.int64)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]

    @property
    def trips(self) -> int:
        return len(self["network"])


class DataSet:
    """One data set. It refuses files whose schema is not the one expected."""

    def __init__(self, folder: str | Path, expected: schema.Schema | None = None):
        self.folder = Path(folder)
        text = (self.folder / "manifest.json").read_bytes()
        self.manifest = json.loads(text)
        self.digest = hashlib.sha256(text).hexdigest()  # it holds the digest of every file
        self.schema = schema.read(self.manifest)
        if expected is not None and self.schema.hash != expected.hash:
            raise ValueError(
                f"{self.folder}: its features have schema {self.schema.hash[:12]}, "
                f"but {expected.hash[:12]} is expected; write the data set again with the same program"
            )
        self.shards = [Shard(self.folder / s["name"], self.schema) for s in self.manifest["shards"]]
        self.networks: dict[int, Network] = {}

    def network(self, index: int) -> Network:
        if index not in self.networks:
            self.networks[index] = Network(self.folder / "networks" / str(index), self.schema)
        return self.networks[index]

    def trips(self) -> list[tuple[int, int, int]]:
        """(network, shard, trip) of every trip."""
        return [(int(n), s, i) for s, shard in enumerate(self.shards) for i, n in enumerate(shard["network"])]


class Dropper:
    """Makes what some networks do not tell unknown: whole groups of columns of a batch, at random."""

    def __init__(self, known: schema.Schema, rates: dict[str, float], rng: np.random.Generator):
        self.schema, self.rates, self.rng = known, rates, rng
        self.groups: set[str] = set()

    def draw(self) -> None:
        """Chooses the groups that the next batch goes without."""
        self.groups = set()
        for name, rate in self.rates.items():
            if self.rng.random() < rate:
                self.groups.update(schema.DROPPED_WITH[name])

    def __call__(self, tensor: str, values: np.ndarray) -> np.ndarray:
        """Overwrites the dropped columns of a fresh array."""
        if self.groups:
            columns = self.schema.tensors[tensor]
            mask = columns.of_group(*self.groups)
            values[..., mask] = columns.unknown[mask]
        return values


class Blind:
    """Makes columns unknown always, on top of what is dropped; patterns such as "pieces.speed_*" name them."""

    def __init__(self, known: schema.Schema, patterns: tuple[str, ...], drop):
        self.schema, self.drop = known, drop
        self.masks = {name: t.like(name, patterns) for name, t in known.tensors.items()}
        for p in patterns:
            if not any(t.like(name, (p,)).any() for name, t in known.tensors.items()):
                raise ValueError(f"no column is called {p!r}")

    def __call__(self, tensor: str, values: np.ndarray) -> np.ndarray:
        values, mask = self.drop(tensor, values), self.masks[tensor]
        if mask.any():
            values[..., mask] = self.schema.tensors[tensor].unknown[mask]
        return values


def keep_all(_tensor: str, values: np.ndarray) -> np.ndarray:
    """Drops nothing."""
    return values


def batches(data: DataSet, trips: list[tuple[int, int, int]], size: int, rng: np.random.Generator | None):
    """Yields (network, [(shard, trip)]) with at most `size` trips of one network each, in random order where rng is given."""
    groups: dict[int, list[tuple[int, int]]] = {}
    for network, shard, trip in trips:
        groups.setdefault(network, []).append((shard, trip))
    made = []
    for network, members in groups.items():
        if rng is not None:
            rng.shuffle(members)
        made += [(network, members[i : i + size]) for i in range(0, len(members), size)]
    if rng is not None:
        rng.shuffle(made)
    for network, members in made:
        yield network, [tuple(m) for m in members]
