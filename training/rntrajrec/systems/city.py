"""The part of a network that systems with tables know: the segments in a box and what lies around them."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from rntrajrec.network import Network, Part

CELL = 50.0  # metres, the paper's grid
MARGIN = 400.0  # metres that the tables reach beyond the box: as far as a sub-graph
DEGREE = 111_195.0  # metres of a degree of latitude
NEIGHBOURS = 6  # of a cut point


@dataclass
class Cuts:
    """The graph of GTS: junctions, and long segments cut every 100 m."""

    xy: np.ndarray  # [cuts][2] metres
    neighbours: Tensor  # [cuts][NEIGHBOURS] places, their number meaning none


class City:
    """The segments with a cut point in a box (west, south, east, north, degrees; empty: everywhere) or near it."""

    def __init__(self, network: Network, box: tuple[float, ...] = ()):
        lon, lat, start = (load(network, name) for name in ("cut_lon", "cut_lat", "cut_start"))
        box = tuple(box) or (lon.min(), lat.min(), lon.max(), lat.max())
        self.origin = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        self.scale = (DEGREE * np.cos(np.radians(self.origin[1])), DEGREE)
        xy = self.metres(lon, lat)
        self.half = self.metres(np.array([box[2]]), np.array([box[3]]))[0] + MARGIN
        inside = (np.abs(xy) <= self.half).all(1)
        self.ids = np.flatnonzero(np.add.reduceat(inside, start[:-1]) > 0)
        self.places = np.full(network.segments + 1, len(self.ids), dtype=np.int64)
        self.places[self.ids] = np.arange(len(self.ids))
        self.columns, self.rows = (int(n) for n in np.ceil(2 * self.half / CELL))
        self.part, self.table_cells = self.whole_part(network)
        self.cuts = cuts_of(xy, start, self.ids)

    @property
    def segments(self) -> int:
        return len(self.ids)

    @property
    def cells(self) -> int:
        """Grid cells of the box and its margin; one more stands for all outside."""
        return self.columns * self.rows + 1

    def metres(self, lon: np.ndarray, lat: np.ndarray) -> np.ndarray:
        """Degrees as metres east and north of the middle of the box, [n][2]."""
        return np.stack([(lon - self.origin[0]) * self.scale[0], (lat - self.origin[1]) * self.scale[1]], -1)

    def degrees(self, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The longitude and latitude of metres."""
        return xy[..., 0] / self.scale[0] + self.origin[0], xy[..., 1] / self.scale[1] + self.origin[1]

    def cell(self, xy: np.ndarray, size: float = CELL) -> np.ndarray:
        """The grid cell of metres [n][2]: row by row from the south-west, the last for all that lies outside."""
        columns, rows = self.grid(size)
        at = np.floor((xy + self.half) / size).astype(np.int64)
        known = (at >= 0).all(-1) & (at[..., 0] < columns) & (at[..., 1] < rows)
        return np.where(known, at[..., 1] * columns + at[..., 0], columns * rows)

    def grid(self, size: float) -> tuple[int, int]:
        """How many columns and rows of cells of a size there are."""
        columns, rows = np.ceil(2 * self.half / size).astype(int)
        return int(columns), int(rows)

    def middle(self, size: float) -> np.ndarray:
        """The middles of the cells of a size, metres [cells][2], without the one outside."""
        columns, rows = self.grid(size)
        x, y = np.meshgrid(np.arange(columns), np.arange(rows))
        return (np.stack([x.ravel(), y.ravel()], -1) + 0.5) * size - self.half

    def whole_part(self, network: Network) -> tuple[Part, int]:
        """All segments of the tables as GridGNN takes them, and how many cells they pass. What lies beyond is no
        neighbour."""
        ids = self.ids
        count = np.asarray(network.cell_count[ids]).astype(np.int64)
        most = int(count.max())
        numbers, cells = None, 0
        if network.cell_number is not None:
            found, numbers = np.unique(network.cell_number[ids, :most], return_inverse=True)
            numbers, cells = torch.from_numpy(numbers.reshape(len(ids), most)), len(found)
        part = Part(
            roads=torch.from_numpy(np.array(network.roads[ids])),
            cells=torch.from_numpy(np.array(network.cells[ids, :most])),
            cell_count=torch.from_numpy(count),
            successors=torch.from_numpy(self.places[network.successors[ids]]),
            predecessors=torch.from_numpy(self.places[network.predecessors[ids]]),
            ids=torch.arange(len(ids)),
            cell_number=numbers,
            cell_cap=network.cells.shape[1],
        )
        return part, cells


def load(network: Network, name: str) -> np.ndarray:
    path = network.folder / f"{name}.npy"
    if not path.exists():
        raise ValueError(f"{path} is missing: write the data set again with retrace dataset --encoder")
    return np.load(path)


def cuts_of(xy: np.ndarray, start: np.ndarray, ids: np.ndarray) -> Cuts:
    """The cut points of some segments as a graph. Those within half a metre of each other are one."""
    wanted = np.concatenate([np.arange(start[i], start[i + 1]) for i in ids])
    follows = np.concatenate([np.arange(start[i], start[i + 1]) < start[i + 1] - 1 for i in ids])
    keys, number = np.unique(np.round(xy[wanted] * 2).astype(np.int64), axis=0, return_inverse=True)
    number = number.ravel()
    a, b = number[:-1][follows[:-1]], number[1:][follows[:-1]]
    pairs = np.unique(np.stack([np.concatenate([a, b]), np.concatenate([b, a])], -1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    first = np.searchsorted(pairs[:, 0], np.arange(len(keys)))
    rank = np.arange(len(pairs)) - first[pairs[:, 0]]
    kept = rank < NEIGHBOURS
    neighbours = np.full((len(keys), NEIGHBOURS), len(keys), dtype=np.int64)
    neighbours[pairs[kept, 0], rank[kept]] = pairs[kept, 1]
    return Cuts(keys / 2.0, torch.from_numpy(neighbours))
