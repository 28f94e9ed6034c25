"""Where a vehicle was at every tick: the paper's decoder (eq. 20-25).

A GRU walks over the ticks of a trip. At each it attends to the samples (eq. 20, 21),
takes in the segment and the ratio of the tick before (eq. 22), scores the segments
where the vehicle may be now (eq. 24) and says how far along each it would be (eq. 25).

The mask c of eq. 24 is made by the application: at a tick with a sample the candidates
are those of the sample with their weight; at any other, what can be reached from the
last position in the tick and from where the next sample can be reached in time. In
place of a row w_v of an output table, a segment is scored by its X_road and by how it
is reached, so that the weights hold in any city; the ratio is per candidate, so that
each beam carries its own.

It is not part of `model.Model` yet: data sets do not hold the candidates of ticks.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rntrajrec.gridgnn import GRUCell
from rntrajrec.layers import mlp


@dataclass
class Tick:
    """The candidates of one tick of some trips or beams."""

    road: Tensor  # [b][c][d] X_road
    moves: Tensor  # [b][c][columns] how each is reached
    log_weight: Tensor  # [b][c] log of c: 0 where there is no sample, very low where there is no candidate


class TickDecoder(nn.Module):
    def __init__(self, move_columns: int, d: int, hidden: int):
        super().__init__()
        self.w_g, self.w_h = nn.Linear(d, d, bias=False), nn.Linear(d, d)
        self.v = nn.Linear(d, 1, bias=False)
        self.gru = GRUCell(2 * d + 1, d)
        self.w_id = nn.Linear(d, d, bias=False)
        self.move = mlp(move_columns, hidden, 1)
        self.rate = mlp(2 * d + move_columns, hidden, 1)

    def attend(self, state: Tensor, h: Tensor, known: Tensor) -> Tensor:
        """a^(t) of states [b][d] over samples [b][n][d] (eq. 20, 21)."""
        mu = self.v(torch.tanh(self.w_g(state).unsqueeze(1) + self.w_h(h))).squeeze(-1)
        alpha = torch.softmax(mu + (1 - known.to(mu.dtype)) * -1e9, -1)
        return (alpha.unsqueeze(-1) * h).sum(1)

    def forward(
        self, state: Tensor, road: Tensor, ratio: Tensor, h: Tensor, known: Tensor, tick: Tick
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One tick: the state, X_road [b][d] and ratio [b] of the tick before to the state now, the
        logarithms of the candidates' probabilities [b][c] and the ratio along each [b][c]."""
        a = self.attend(state, h, known)
        state = self.gru(state, torch.cat([road, ratio.unsqueeze(-1), a], -1))  # eq. 22
        match = (tick.road @ self.w_id(state).unsqueeze(-1)).squeeze(-1) / state.shape[-1] ** 0.5
        scores = match + self.move(tick.moves).squeeze(-1) + tick.log_weight
        each = state.unsqueeze(1).expand(-1, tick.road.shape[1], -1)
        rate = torch.sigmoid(self.rate(torch.cat([tick.road, each, tick.moves], -1)).squeeze(-1))  # eq. 25
        return state, torch.log_softmax(scores, -1), rate  # eq. 24


def tick_losses(
    decoder: TickDecoder,
    whole: Tensor,
    h: Tensor,
    known: Tensor,
    ticks: list[Tick],
    target: Tensor,
    ratio: Tensor,
) -> tuple[Tensor, Tensor]:
    """L_id (eq. 23) and L_rate (eq. 25) with the true tick before given to each (teacher forcing).

    `whole` is h_traj [b][d], the first state. Targets [b][ticks] are places among the candidates, -1 where
    the trip is over; ratios [b][ticks].
    """
    state = whole
    road, last = torch.zeros_like(whole), torch.zeros_like(ratio[:, 0])
    nats, squares = torch.zeros_like(last), torch.zeros_like(last)
    for j, tick in enumerate(ticks):
        state, log_p, rate = decoder(state, road, last, h, known, tick)
        there = (target[:, j] >= 0).to(log_p.dtype)
        right = target[:, j].clamp_min(0).unsqueeze(-1)
        nats = nats - log_p.gather(1, right).squeeze(1) * there
        squares = squares + (rate.gather(1, right).squeeze(1) - ratio[:, j]) ** 2 * there
        road = tick.road.gather(1, right.unsqueeze(-1).expand(-1, -1, tick.road.shape[-1])).squeeze(1)
        last = ratio[:, j]
    count = (target >= 0).sum(1).clamp_min(1)
    return nats / count, squares / count
