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
"""

import torch
from torch import Tensor, nn

from rntrajrec.gridgnn import GRUCell
from rntrajrec.layers import mlp, with_nobody
from rntrajrec.ticks import Ticks


class TickDecoder(nn.Module):
    def __init__(self, move_columns: int, d: int, hidden: int):
        super().__init__()
        self.w_g, self.w_h = nn.Linear(d, d, bias=False), nn.Linear(d, d)
        self.v = nn.Linear(d, 1, bias=False)
        self.gru = GRUCell(2 * d + 1, d)
        self.w_id = nn.Linear(d, d, bias=False)
        self.move = mlp(move_columns, hidden, 1)
        self.rate = mlp(2 * d + move_columns, hidden, 1)

    def attend(self, state: Tensor, keys: Tensor, h: Tensor, nobody: Tensor) -> Tensor:
        """a^(t) of states [b][d] over samples h [b][n][d] whose keys are W_h h (eq. 20, 21). Nobody [b][n] is very
        low where there is no sample."""
        mu = self.v(torch.tanh(self.w_g(state).unsqueeze(-2) + keys)).squeeze(-1)
        alpha = torch.softmax(mu + nobody, -1)
        return (alpha.unsqueeze(-1) * h).sum(-2)

    def next(self, state: Tensor, road: Tensor, ratio: Tensor, a: Tensor) -> Tensor:
        """The state after X_road [b][d] and ratio [b] of the tick before and what is attended to (eq. 22)."""
        return self.gru(state, torch.cat([road, ratio.unsqueeze(-1), a], -1))

    def match(self, aim: Tensor, road: Tensor, moves: Tensor) -> Tensor:
        """The score of segments in the place of h . w_v (eq. 24), from the state's W_id h."""
        return (road * aim).sum(-1) / road.shape[-1] ** 0.5 + self.move(moves).squeeze(-1)

    def along(self, state: Tensor, road: Tensor, moves: Tensor) -> Tensor:
        """The ratio along segments (eq. 25)."""
        return torch.sigmoid(self.rate(torch.cat([road, state, moves], -1)).squeeze(-1))

    def forward(
        self, state: Tensor, road: Tensor, ratio: Tensor, h: Tensor, move_road: Tensor, moves: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One tick of some beams of one trip: their states, X_road [b][d] and ratio [b] of the tick before, the
        samples h [n][d], X_road of the moves [b][c][d] and how each is reached [b][c][columns]. To the states now,
        the moves' scores without their weight [b][c] and the ratio along each [b][c]."""
        state = self.next(state, road, ratio, self.attend(state, self.w_h(h), h, h.new_zeros(())))
        scores = self.match(self.w_id(state).unsqueeze(1), move_road, moves)
        each = state.unsqueeze(1).expand(-1, move_road.shape[1], -1)
        return state, scores, self.along(each, move_road, moves)


def taught(
    decoder: TickDecoder, whole: Tensor, h: Tensor, known: Tensor, road: Tensor, ratio: Tensor
) -> Tensor:
    """The states [b][t][d] at all ticks with X_road [b][t][d] and ratio [b][t] of the true tick before given to each
    (teacher forcing). `whole` is h_traj [b][d], the first state; h [b][n][d], where known [b][n]."""
    keys, nobody = decoder.w_h(h), (1 - known.to(h.dtype)) * -1e9
    state, states = whole, []
    for x, r in zip(road.unbind(1), ratio.unbind(1), strict=True):
        state = decoder.next(state, x, r, decoder.attend(state, keys, h, nobody))
        states.append(state)
    return torch.stack(states, 1)


def before(values: Tensor) -> Tensor:
    """What stood one tick before, 0 before the first: [b][t].. to [b][t].."""
    return torch.cat([torch.zeros_like(values[:, :1]), values[:, :-1]], 1)


def all_ticks(
    decoder: TickDecoder, road: Tensor, whole: Tensor, h: Tensor, known: Tensor, t: Ticks, layout: tuple
) -> tuple[Tensor, Tensor]:
    """The scores [moves], weights in them, of all ticks of a batch, and the ratio [ticks] along the true move, 0
    where it is not among them. The layout of ticks is that of model.laid_out."""
    at, there, place = layout
    rows = with_nobody(road)
    passed = rows[t.segment[at]] * there[..., None]
    states = taught(decoder, whole, h, known, before(passed), before(t.ratio[at] * there))
    state = states.flatten(0, 1)[place]
    features = torch.cat([t.moves, t.candidates], -1)
    move_road = rows[t.move_segment]
    scores = decoder.match(decoder.w_id(state)[t.move_tick], move_road, features) + t.log_weight
    found = t.target >= 0
    right = t.target[found]
    ratio = torch.zeros_like(t.ratio)
    ratio[found] = decoder.along(state[found], move_road[right], features[right]).to(ratio.dtype)
    return scores, ratio


def tick_losses(scores: Tensor, ratio: Tensor, t: Ticks, trips: int) -> tuple[Tensor, Tensor]:
    """L_id (eq. 23) and L_rate (eq. 25), each the mean over the ticks of a trip, then over trips.

    Ticks whose true segment is not among the moves have no say. At a tick with a sample the ratio is known from
    the sample, so that L_rate is over the others.
    """
    found = t.target >= 0
    nats = log_sums(scores, t.move_tick, len(t.trip))[found] - scores[t.target[found]]
    hidden = found & t.hidden
    return mean_by(nats, t.trip[found], trips), mean_by((ratio - t.ratio)[hidden] ** 2, t.trip[hidden], trips)


def log_sums(scores: Tensor, tick: Tensor, ticks: int) -> Tensor:
    """The logarithm of the sum of exp(scores) by tick. Used in training only."""
    most = scores.new_full((ticks,), -1e9).scatter_reduce(0, tick, scores.detach(), "amax")
    sums = torch.zeros_like(most).index_add(0, tick, (scores - most[tick]).exp())
    return most + (sums + 1e-30).log()


def mean_by(values: Tensor, owner: Tensor, owners: int) -> Tensor:
    """The mean over owners of the mean of their values; 0 of one without any."""
    sums = values.new_zeros(owners).index_add(0, owner, values)
    counts = values.new_zeros(owners).index_add(0, owner, torch.ones_like(values))
    return (sums / counts.clamp_min(1)).mean()


def chosen(scores: Tensor, t: Ticks) -> Tensor:
    """The most probable move of each tick, -1 where there is none."""
    most = scores.new_full((len(t.trip),), -1e9).scatter_reduce(0, t.move_tick, scores, "amax")
    hit = (scores >= most[t.move_tick]).nonzero().squeeze(-1)
    best = torch.full_like(t.trip, -1)
    best[t.move_tick[hit]] = hit
    return best
