"""When a vehicle was where: the decoder of time along a route.

A route is cut in pieces of about 25 m. A network looks at them and says what each
costs,

    cost = length exp(a) + exp(b),

driving and standing; the gap's time is shared out in proportion, so a route begins
and ends on time whatever the network says. This takes the place of the ratio head
(eq. 25): L_rate is the area between the true and the predicted curve of position over
time, that is, the mean distance along the route at all instants, in metres.
"""

import torch
from torch import Tensor, nn

from rntrajrec.layers import Apart

LEAST_SPREAD = 5e-3  # of a gap's time


class Neighbourhood(nn.Module):
    """A residual layer that looks at three pieces: one so many before, its own, one so many after."""

    def __init__(self, hidden: int, apart: int, dropout: float):
        super().__init__()
        self.apart = apart
        self.mix = nn.Linear(3 * hidden, hidden)
        self.dropout = nn.Dropout(dropout)

    def forward(self, h: Tensor) -> Tensor:
        before = nn.functional.pad(h, (0, 0, self.apart, 0))[:, : -self.apart]
        after = nn.functional.pad(h, (0, 0, 0, self.apart))[:, self.apart :]
        return h + self.dropout(torch.relu(self.mix(torch.cat([before, h, after], -1))))


class TimeDecoder(nn.Module):
    """Pieces of gaps to the time at which the end of each is reached, as a share of the gap's time."""

    def __init__(
        self, piece_columns: int, hidden: int, blocks: int = 4, dropout: float = 0.0, apart: bool = False
    ):
        super().__init__()
        self.enter = nn.Linear(piece_columns, hidden)
        self.blocks = nn.ModuleList(Neighbourhood(hidden, 2**i, dropout) for i in range(blocks))
        self.heads = nn.Linear(hidden, 3)  # a, b and the spread
        self.apart = Apart(hidden) if apart else None
        with torch.no_grad():
            self.heads.weight.mul_(0.1)
            self.heads.bias.copy_(torch.tensor([0.0, -3.0, 0.0]))

    def forward(
        self, pieces: Tensor, lengths: Tensor, counts: Tensor, simulated: bool = False
    ) -> tuple[Tensor, Tensor]:
        """[G][L][columns], metres [G][L], number of pieces [G] to two tensors [G][L]:
        the time of each piece's end, and the scale of a Laplace distribution around it."""
        h = self.enter(pieces)
        if simulated and self.apart is not None:
            h = self.apart(h)
        return self.reached(h, lengths, counts)

    def reached(self, h: Tensor, lengths: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
        """The same from what the first layer says of the pieces, [G][L][hidden]."""
        # Counted by a sum: devices leave ranges, whose length depends on the batch, to the processor.
        place = lengths.clamp(1, 1).cumsum(1)
        mask = (place <= counts.to(place.dtype)[:, None]).to(h.dtype)
        h = torch.relu(h) * mask[..., None]
        for block in self.blocks:
            h = block(h) * mask[..., None]
        a, b, spread = self.heads(h).unbind(-1)
        cost = (lengths / 25 * a.clamp(-6, 6).exp() + b.clamp(-12, 6).exp()) * mask
        reached = cost.cumsum(1) / cost.sum(1, keepdim=True).clamp_min(1e-9)
        return reached, 0.1 * spread.clamp(-6, 3).exp() + LEAST_SPREAD


def area_loss(reached: Tensor, true: Tensor, lengths: Tensor, counts: Tensor) -> Tensor:
    """The area between two curves of position over time by gap, as a share of the gap's time: mean metres, [G].

    Both are the times of the pieces' ends as shares of the gap's time and start at 0.
    """
    mask = torch.arange(reached.shape[1], device=reached.device)[None] < counts[:, None]
    after = (reached - true) * mask
    before = torch.cat([torch.zeros_like(after[:, :1]), after[:, :-1]], 1)
    return (lengths * mask * mean_distance(before, after)).sum(1)


def mean_distance(x: Tensor, y: Tensor) -> Tensor:
    """The mean of |z| for z going evenly from x to y: two triangles where it changes sign."""
    apart = (x.abs() + y.abs()).clamp_min(1e-6)
    return torch.where(x * y >= 0, apart / 2, (x * x + y * y) / (2 * apart))


def spread_loss(reached: Tensor, spread: Tensor, true: Tensor, counts: Tensor) -> Tensor:
    """-log of the Laplace density of the true times, mean by gap, [G]. It does not move the times themselves."""
    mask = torch.arange(reached.shape[1], device=reached.device)[None] < counts[:, None]
    off = (reached.detach() - true).abs() / spread + spread.log()
    return (off * mask).sum(1) / counts.clamp_min(1)


def position_at(share: Tensor, reached: Tensor, lengths: Tensor) -> Tensor:
    """Metres along the route at shares of the gap's time [G][T], between the ends of pieces [G][L] at an even pace."""
    along = lengths.cumsum(1)
    reached, along = (torch.cat([torch.zeros_like(x[:, :1]), x], 1) for x in (reached, along))
    after = torch.searchsorted(reached.contiguous(), share.contiguous()).clamp(1, reached.shape[1] - 1)
    t0, t1 = reached.gather(1, after - 1), reached.gather(1, after)
    s0, s1 = along.gather(1, after - 1), along.gather(1, after)
    part = ((share - t0) / (t1 - t0).clamp_min(1e-9)).clamp(0, 1)
    return s0 + part * (s1 - s0)
