"""GridGNN: the representation X_road of every segment of a road network (eq. 2-6).

The paper looks the grid cells and the segments up in tables, whose rows belong to one
city. Here (tables = "none") a cell is described by what it holds and how the segment
passes it, and a segment by its static features, so the weights hold in any city. The
tables stay available (tables = "learned") to compare with, in one city.
"""

import torch
from torch import Tensor, nn

from rntrajrec.gat import GAT
from rntrajrec.settings import ModelSettings


class GRUCell(nn.Module):
    """The gated recurrent unit in the form of eq. 2."""

    def __init__(self, inputs: int, d: int):
        super().__init__()
        self.gates = nn.Linear(d + inputs, 2 * d)  # W_z, b_z and W_r, b_r
        self.change = nn.Linear(d + inputs, d)  # W_c, b_c

    def forward(self, s: Tensor, g: Tensor) -> Tensor:
        z, r = torch.sigmoid(self.gates(torch.cat([s, g], -1))).chunk(2, -1)
        c = torch.tanh(self.change(torch.cat([r * s, g], -1)))
        return (1 - z) * s + z * c


class GridGNN(nn.Module):
    def __init__(self, road_columns: int, cell_columns: int, s: ModelSettings):
        super().__init__()
        self.grid, self.learned = s.grid, s.tables == "learned"
        self.cell = GRUCell(s.d, s.d)
        # lookup(x, y) of eq. 2 and sigma^road of eq. 3: rows of tables, or small networks of what is known.
        if self.learned:
            self.describe = nn.Embedding(s.cells, s.d)
            self.road = nn.Embedding(s.segments, s.d)
        else:
            self.describe = nn.Sequential(nn.Linear(cell_columns, s.d), nn.ReLU())
            self.road = nn.Sequential(nn.Linear(road_columns, s.d), nn.ReLU(), nn.Linear(s.d, s.d))
        self.layers = nn.ModuleList(GAT(s.d, s.heads) for _ in range(s.road_layers if s.road_gat else 0))
        self.out = nn.Linear(s.d + road_columns, s.d)

    def forward(
        self,
        roads: Tensor,
        cells: Tensor,
        count: Tensor,
        successors: Tensor,
        predecessors: Tensor,
        ids: Tensor | None = None,
    ) -> Tensor:
        """[S][columns], [S][cells][columns], [S], [S][neighbours] twice to X_road [S][d]. With learned tables `cells` are
        the numbers of cells, [S][cells], and `ids` those of segments, [S]."""
        r = self.road(ids) if self.learned else self.road(roads)
        if self.grid:
            r = r + self.passed(cells, count)
        r = torch.relu(r)  # eq. 3
        for layer in self.layers:
            r = layer(r, [successors, predecessors])
        return self.out(torch.cat([r, roads], -1))

    def passed(self, cells: Tensor, count: Tensor) -> Tensor:
        """The state s^(phi) of the GRU after the cells that each segment passes (eq. 2)."""
        g = self.describe(cells)
        s = g.new_zeros(cells.shape[0], g.shape[-1])
        for j in range(cells.shape[1]):
            s = torch.where((j < count)[:, None], self.cell(s, g[:, j]), s)
        return s


class PackedGridGNN(GridGNN):
    """The same function, made for training: segments of few cells cost few steps. Not for export."""

    def passed(self, cells: Tensor, count: Tensor) -> Tensor:
        order = count.argsort(descending=True)
        sorted_count = count[order]
        s = self.cell.change.weight.new_zeros(cells.shape[0], self.cell.change.out_features)
        for j in range(int(sorted_count[0])):
            active = int((sorted_count > j).sum())
            g = self.describe(cells[order[:active], j])
            s = torch.cat([self.cell(s[:active], g), s[active:]])
        return s[order.argsort()]
