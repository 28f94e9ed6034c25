"""DHTR + HMM: a sequence of cells by attention in space and time, a Kalman filter, then map matching.

Wang et al., Deep Trajectory Recovery with Fine-Grained Calibration using Kalman Filter, TKDE
2019. A BiLSTM reads the samples; an LSTM names the grid cell of every tick, and attends to
samples by its state, by the time to them and by the distance from the cell of the tick before.
The middles of the cells are calibrated by a Kalman filter. Chosen: cells of 100 m; what the
filter is given is the mean place over all cells by their probability, and its spread; constant
speed but for changes of 0.5 m/s^2, samples good to 15 m; the filter is run backwards too (Rauch,
Tung and Striebel), since samples on both sides are known. The filter is not trained with the
network. The map matching is the application's.
"""

import torch
from torch import Tensor, nn

from rntrajrec.systems.city import City
from rntrajrec.systems.rows import Rows, Whole, at, backwards
from rntrajrec.systems.system import Made
from rntrajrec.systems.trips import Trips

SIZE = 100.0  # metres of a cell
SAMPLE = 15.0  # metres, the error of a sample
CHANGE = 0.5  # m/s^2, of the speed
NEVER = -1e9


class DHTR(nn.Module):
    def __init__(self, m: Made):
        super().__init__()
        d = m.sizes.d
        self.city = m.city
        self.register_buffer(
            "middles", torch.from_numpy(m.city.middle(SIZE) / 1000).float(), persistent=False
        )
        self.rows, self.whole = Rows(m.city, m.points, d), Whole(m.environment, d)
        self.there, self.back = (nn.LSTM(d, d // 2, batch_first=True) for _ in range(2))
        self.cells = nn.Embedding(len(self.middles) + 1, d)
        self.w_g, self.w_h, self.v = nn.Linear(d, d, bias=False), nn.Linear(d, d), nn.Linear(d, 1, bias=False)
        self.w_st = nn.Linear(2, d, bias=False)  # of time and distance
        self.walk = nn.LSTMCell(2 * d + 1, d)
        self.out = nn.Linear(d, len(self.middles))

    def encode(self, b: Trips) -> tuple[Tensor, Tensor]:
        x = self.rows(b)
        there, back = self.there(x)[0], self.back(backwards(x, b.known))[0]
        last = torch.cat([at(there, b.last()), at(back, b.last())], -1)
        return torch.cat([there, backwards(back, b.known)], -1), self.whole(last, b)

    def attend(self, state: Tensor, keys: Tensor, h: Tensor, b: Trips, j: int, place: Tensor) -> Tensor:
        """What is taken of the samples at tick j, when the vehicle was at a place [b][2] at the tick before."""
        gap = (b.seconds.gather(1, b.tick) - b.seconds[:, j : j + 1]).abs() / 60
        far = (b.xy - place.unsqueeze(1)).norm(dim=-1)
        apart = self.w_st(torch.stack([torch.log1p(gap), torch.log1p(far)], -1))
        mu = self.v(torch.tanh(self.w_g(state).unsqueeze(1) + keys + apart)).squeeze(-1)
        alpha = torch.softmax(mu + (~b.known) * NEVER, -1)
        return (alpha.unsqueeze(-1) * h).sum(1)

    def run(self, b: Trips, truth: Tensor | None) -> Tensor:
        """The states at every tick, [b][t][d]; with the true cells [b][t] before each tick given, or the best ones. At a
        tick with a sample its own cell is known afterwards."""
        h, state = self.encode(b)
        keys, memory, known = self.w_h(h), torch.zeros_like(state), self.of_samples(b)
        start, places = self.cells.num_embeddings - 1, torch.cat([self.middles, self.middles[:1] * 0])
        cell = torch.full((len(b),), start, device=state.device)
        since = (b.seconds - b.seconds[:, :1]) / 600
        states = []
        for j in range(b.there.shape[1]):
            a = self.attend(state, keys, h, b, j, places[cell])
            state, memory = self.walk(
                torch.cat([self.cells(cell), a, since[:, j : j + 1]], -1), (state, memory)
            )
            states.append(state)
            if truth is None:
                cell = torch.where(known[:, j] < start, known[:, j], self.out(state).argmax(-1))
            else:
                cell = truth[:, j]
        return torch.stack(states, 1)

    def of_samples(self, b: Trips) -> Tensor:
        """[b][t] the cell of the sample at a tick, the number of cells where there is none."""
        known = torch.full_like(b.segment, len(self.middles))
        known[b.sampled()] = cells_of(self.city, b.xy[b.known])
        return known

    def losses(self, b: Trips) -> dict[str, Tensor]:
        truth = cells_of(self.city, b.place)
        told = b.there & (truth < len(self.middles))
        nats = nn.functional.cross_entropy(self.out(self.run(b, truth)[told]), truth[told])
        return {"id": nats, "total": nats}

    @torch.no_grad()
    def places(self, b: Trips) -> Tensor:
        """Kilometres at every tick, [b][t][2]."""
        p = torch.softmax(self.out(self.run(b, None)), -1)
        mean = p @ self.middles
        spread = (p @ self.middles**2 - mean**2).clamp_min(0).sum(-1) / 2 + (SIZE / 1000) ** 2 / 12
        sampled = b.sampled()
        mean[sampled], spread[sampled] = b.xy[b.known], (SAMPLE / 1000) ** 2
        return torch.stack(
            [calibrated(m, s, t, n) for m, s, t, n in zip(mean, spread, b.seconds, b.there, strict=True)]
        )


def cells_of(city: City, km: Tensor) -> Tensor:
    """The 100 m cells of kilometres [..][2]."""
    return torch.from_numpy(city.cell(km.double().cpu().numpy() * 1000, SIZE)).to(km.device)


def calibrated(seen: Tensor, spread: Tensor, seconds: Tensor, there: Tensor) -> Tensor:
    """Places [t][2] that a Kalman filter and its smoother make of those seen, whose variances are spread [t]."""
    n = int(there.sum())
    step = seconds[1:n] - seconds[: n - 1]
    state = torch.cat([seen[:1], torch.zeros(1, 2)])  # place, speed; both axes share one covariance
    cover = torch.diag(torch.tensor([spread[0].item(), 1e-3]))
    found, before = [(state, cover)], []
    for k in range(1, n):
        f, q = motion(step[k - 1])
        ahead, wide = f @ state, f @ cover @ f.T + q
        gain = wide[:, :1] / (wide[0, 0] + spread[k])
        state = ahead + gain @ (seen[k : k + 1] - ahead[:1])
        cover = wide - gain @ wide[:1]
        before.append((ahead, wide, f))
        found.append((state, cover))
    for k in range(n - 2, -1, -1):
        ahead, wide, f = before[k]
        back = found[k][1] @ f.T @ torch.linalg.inv(wide)
        found[k] = (
            found[k][0] + back @ (found[k + 1][0] - ahead),
            found[k][1] + back @ (found[k + 1][1] - wide) @ back.T,
        )
    out = seen.clone()
    out[:n] = torch.stack([s[0] for s, _ in found])
    return out


def motion(seconds: Tensor) -> tuple[Tensor, Tensor]:
    """How place and speed, km and km/s, go on over some seconds, and how uncertain that is."""
    t, q = float(seconds), (CHANGE / 1000) ** 2
    f = torch.tensor([[1.0, t], [0.0, 1.0]])
    return f, q * torch.tensor([[t**4 / 4, t**3 / 2], [t**3 / 2, t**2]])
