"""The features of a road network, and the part of it that a batch needs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from rntrajrec import schema


@dataclass
class Part:
    """Some segments of a network with their neighbours. "None" is the number of segments here."""

    roads: Tensor  # [segments][columns]
    cells: Tensor  # [segments][cells][columns], as many as any of these segments has
    cell_count: Tensor  # [segments]
    successors: Tensor  # [segments][neighbours]
    predecessors: Tensor  # [segments][neighbours]
    # For learned tables: the numbers that segments and cells have in the whole network.
    ids: Tensor  # [segments]
    cell_number: Tensor | None  # [segments][cells]
    cell_cap: int  # the most cells that any segment has anywhere


class Network:
    """The tensors of a network's folder, mapped into memory."""

    def __init__(self, folder: Path, known: schema.Schema):
        def load(name: str, *shape: int) -> np.ndarray:
            return np.load(folder / f"{name}.npy", mmap_mode="r").reshape(*shape)

        self.folder = folder
        self.cell_count = load("cell_count", -1)
        self.segments = len(self.cell_count)
        self.roads = load("roads", self.segments, known.width("roads"))
        self.cells = load("cells", self.segments, -1, known.width("cells"))
        numbered = (folder / "cell_number.npy").exists()
        self.cell_number = load("cell_number", self.segments, -1) if numbered else None
        self.successors = np.asarray(load("successors", self.segments, -1))
        self.predecessors = np.asarray(load("predecessors", self.segments, -1))
        self.neighbours = self.successors.shape[1]

    def number_of_cells(self) -> int:
        """How many grid cells the segments pass."""
        if self.cell_number is None:
            raise ValueError(f"{self.folder} does not number its cells; write the data set again")
        return int(self.cell_number.max(initial=-1)) + 1

    def numbers(self, ids: np.ndarray, most: int) -> Tensor | None:
        """The numbers of the cells of some segments."""
        if self.cell_number is None:
            return None
        return torch.from_numpy(self.cell_number[ids, :most].astype(np.int64))

    def part(self, wanted: list[np.ndarray], hops: int, drop) -> tuple[Part, list[np.ndarray]]:
        """The segments wanted and those within some hops of them; and the places of the wanted in it.

        What `hops` layers of GridGNN say of the wanted segments is the same as over the whole network.
        """
        ids = np.unique(np.concatenate([w.ravel() for w in wanted]))
        ids = ids[ids < self.segments]
        for _ in range(hops):
            around = np.concatenate([ids, self.successors[ids].ravel(), self.predecessors[ids].ravel()])
            ids = np.unique(around)
            ids = ids[ids < self.segments]
        places = np.full(self.segments + 1, len(ids), dtype=np.int64)
        places[ids] = np.arange(len(ids))
        count = np.asarray(self.cell_count[ids])
        most = count.max(initial=1)
        part = Part(
            roads=torch.from_numpy(drop("roads", self.roads[ids])),
            cells=torch.from_numpy(drop("cells", self.cells[ids, :most])),
            cell_count=torch.from_numpy(count.astype(np.int64)),
            successors=torch.from_numpy(places[self.successors[ids]]),
            predecessors=torch.from_numpy(places[self.predecessors[ids]]),
            ids=torch.from_numpy(ids.astype(np.int64)),
            cell_number=self.numbers(ids, most),
            cell_cap=self.cells.shape[1],
        )
        return part, [places[w] for w in wanted]
