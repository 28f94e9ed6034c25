"""NeuTraj + Decoder: an LSTM with a spatial memory.

Yao et al., Computing Trajectory Similarity in Linear Time, ICDE 2019: a spatial attention
memory unit. A tensor holds a vector for each grid cell; at each sample the cells around its
own are attended to by the cell state, a gate of its own says how much of what is found
enters it, and the new state is written to the sample's cell. Chosen: cells of 200 m, a window
of two cells each way (the original's w = 2); what is read is the memory as it was before the
batch, and only training writes, once for each batch, so that batch mates change nothing. The
memory is saved with the weights and has no gradient, as in the original.
"""

import torch
from torch import Tensor, nn

from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import Rows, Whole, at
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips

SIZE = 200.0  # metres of a cell of the memory
WINDOW = 2


class NeuTraj(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        d = m.sizes.d
        self.rows, self.whole = Rows(m.city, m.points, d), Whole(m.environment, d)
        self.unit = Unit(d)
        columns, rows = m.city.grid(SIZE)
        self.half = [float(v) for v in m.city.half]
        # A rim around the grid, so that every window lies within.
        self.register_buffer("memory", torch.zeros(rows + 2 * WINDOW, columns + 2 * WINDOW, d))

    def forward(self, b: Trips) -> Encoded:
        x, (row, column) = self.rows(b), self.place(b)
        h = c = x.new_zeros(len(b), x.shape[-1])
        states, cells, gates = [], [], []
        for i in range(x.shape[1]):
            h, c, gate = self.unit(x[:, i], h, c, self.window(row[:, i], column[:, i]))
            states.append(h)
            cells.append(c)
            gates.append(gate)
        if self.training:
            self.write(b.known, row, column, torch.stack(cells, 1), torch.stack(gates, 1))
        h = torch.stack(states, 1)
        return Encoded(h, self.whole(at(h, b.last()), b))

    def place(self, b: Trips) -> tuple[Tensor, Tensor]:
        """The row and the column of each sample in the memory."""
        rows, columns = (n - 2 * WINDOW for n in self.memory.shape[:2])
        east, north = ((b.xy[..., k] * 1000 + self.half[k]) / SIZE for k in (0, 1))
        return (
            north.floor().long().clamp(0, rows - 1) + WINDOW,
            east.floor().long().clamp(0, columns - 1) + WINDOW,
        )

    def window(self, row: Tensor, column: Tensor) -> Tensor:
        """The vectors of the cells around some cells, [b][window^2][d]."""
        step = torch.arange(-WINDOW, WINDOW + 1, device=row.device)
        rows, columns = row[:, None, None] + step[:, None], column[:, None, None] + step
        return self.memory[rows, columns].flatten(1, 2)

    @torch.no_grad()
    def write(self, known: Tensor, row: Tensor, column: Tensor, c: Tensor, gate: Tensor) -> None:
        """Where several samples lie in one cell their mean is written."""
        where = row[known] * self.memory.shape[1] + column[known]
        flat = self.memory.reshape(-1, self.memory.shape[2])
        cells, place = torch.unique(where, return_inverse=True)
        count = torch.bincount(place).unsqueeze(-1)
        share = torch.zeros_like(flat[cells]).index_add(0, place, gate[known]) / count
        new = torch.zeros_like(flat[cells]).index_add(0, place, c[known]) / count
        flat[cells] = share * new + (1 - share) * flat[cells]


class Unit(nn.Module):
    """The cell of an LSTM with a gate for what is read of the memory."""

    def __init__(self, d: int):
        super().__init__()
        self.gates, self.change = nn.Linear(2 * d, 4 * d), nn.Linear(2 * d, d)
        self.history = nn.Linear(2 * d, d)

    def forward(self, x: Tensor, h: Tensor, c: Tensor, window: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = torch.cat([x, h], -1)
        forget, enter, out, spatial = torch.sigmoid(self.gates(seen)).chunk(4, -1)
        c = forget * c + enter * torch.tanh(self.change(seen))
        share = torch.softmax((window @ c.unsqueeze(-1)).squeeze(-1), -1)
        read = (share.unsqueeze(-1) * window).sum(-2)
        c = c + spatial * torch.tanh(self.history(torch.cat([c, read], -1)))
        return out * torch.tanh(c), c, spatial
