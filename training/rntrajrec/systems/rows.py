"""What every system knows of a sample, and how the state of a whole trip is made: the same for all."""

import torch
from torch import Tensor, nn

from rntrajrec.systems.city import City
from rntrajrec.systems.trips import Trips

POSITION = 2


class Rows(nn.Module):
    """A sample as a vector: the learned vector of its grid cell (the paper's grid index) beside where it lies and how it
    follows the one before and is followed (the paper's time index, and the project's columns of points)."""

    def __init__(self, city: City, points: int, d: int):
        super().__init__()
        self.cell = nn.Embedding(city.cells, d)
        self.mix = nn.Linear(d + points + POSITION, d)

    def forward(self, b: Trips) -> Tensor:
        """[b][n][d]."""
        return self.mix(torch.cat([self.cell(b.cell), b.points, b.xy], -1))


class Whole(nn.Module):
    """The state of a trip from what its encoder says of it and the hour and day (as RNTrajRec has it)."""

    def __init__(self, environment: int, d: int):
        super().__init__()
        self.mix = nn.Linear(d + environment, d)

    def forward(self, state: Tensor, b: Trips) -> Tensor:
        return self.mix(torch.cat([state, b.environment], -1))


def mean(h: Tensor, known: Tensor) -> Tensor:
    """The mean of [b][n][d] over the samples that there are."""
    m = known.to(h.dtype).unsqueeze(-1)
    return (h * m).sum(1) / m.sum(1).clamp_min(1)


def at(h: Tensor, place: Tensor) -> Tensor:
    """The row of [b][n][d] at a place of each, [b]."""
    return h[torch.arange(len(h), device=h.device), place]


def backwards(h: Tensor, known: Tensor) -> Tensor:
    """Each sequence of [b][n][d] the other way round, what is padded staying behind."""
    n = known.shape[1]
    step = torch.arange(n, device=h.device).expand_as(known)
    place = torch.where(known, known.sum(1, keepdim=True) - 1 - step, step)
    return h.gather(1, place.unsqueeze(-1).expand_as(h))
