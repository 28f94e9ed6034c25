"""Where a vehicle went: the decoder that chooses whole routes.

Every sample has candidates, and every gap between two samples has options: routes
from a candidate of the one to a candidate of the other. They take the place of the
paper's constraint mask: a path is connected by construction. A trip is a linear-chain
conditional random field,

    P(path) = exp(sum_i u(c_i) + sum_i v(o_i)) / Z,

whose scores u and v come from two small networks, and L_id is the exact likelihood of
the true path. Nothing is padded: the chain is walked step by step over the candidates
and options of all trips of a batch at once, so batch mates cannot meet.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rntrajrec.layers import Apart, mlp


@dataclass
class Step:
    """One step of the chains of a batch: from candidates of their sample i to those of sample i + 1."""

    candidates: Tensor  # [n] of sample i + 1, places in the batch
    options: Tensor  # [o] of the gap between, places in the batch
    source: Tensor  # [o] place of the option's first candidate among those of the step before
    target: Tensor  # [o] place of its last candidate among `candidates`


@dataclass
class Chains:
    """The chains of a batch of trips."""

    first: Tensor  # [n] candidates of the first samples
    steps: list[Step]
    # By step, the first counted too: places of candidates of last samples, and their trips.
    last: list[tuple[Tensor, Tensor]]
    trips: int


class RouteDecoder(nn.Module):
    """The scores u of candidates and v of options."""

    def __init__(
        self,
        candidate_columns: int,
        option_columns: int,
        hidden: int,
        dropout: float = 0.0,
        apart: bool = False,
    ):
        super().__init__()
        self.candidate = mlp(candidate_columns, hidden, 1, dropout)
        self.option = mlp(option_columns, hidden, 1, dropout)
        self.candidate_apart, self.option_apart = (Apart(hidden), Apart(hidden)) if apart else (None, None)

    def forward(self, candidates: Tensor, options: Tensor, simulated: bool = False) -> tuple[Tensor, Tensor]:
        """[C][columns], [O][columns] to [C], [O]. A context stands in the last columns."""
        u, v = self.candidate[0](candidates), self.option[0](options)
        if simulated and self.candidate_apart is not None:
            u, v = self.candidate_apart(u), self.option_apart(v)
        return self.candidate[1:](u).squeeze(-1), self.option[1:](v).squeeze(-1)


def gathered_logsumexp(values: Tensor, target: Tensor, size: int) -> Tensor:
    """The logarithm of the sum of exp(values) by target; -inf-like where there is none. Used in training only."""
    most = torch.full((size,), -1e9, dtype=values.dtype, device=values.device)
    most = most.scatter_reduce(0, target, values.detach(), "amax")
    sums = torch.zeros_like(most).index_add(0, target, (values - most[target]).exp())
    return most + (sums + 1e-30).log()


def log_partition(chains: Chains, u: Tensor, v: Tensor) -> Tensor:
    """log Z of every trip by the forward algorithm, [trips]."""
    alpha = u[chains.first]
    ends, trips = [alpha[chains.last[0][0]]], [chains.last[0][1]]
    for step, (places, owners) in zip(chains.steps, chains.last[1:], strict=True):
        reached = alpha[step.source] + v[step.options]
        alpha = gathered_logsumexp(reached, step.target, len(step.candidates)) + u[step.candidates]
        ends.append(alpha[places])
        trips.append(owners)
    return gathered_logsumexp(torch.cat(ends), torch.cat(trips), chains.trips)


def route_loss(
    chains: Chains,
    u: Tensor,
    v: Tensor,
    overlap: Tensor,
    sharpness: float = 20.0,
    wrong: Tensor | None = None,
) -> Tensor:
    """-log P of the true path, [trips]. No option may be the very truth, so each takes the part
    exp(-20 (1 - overlap)), and each candidate the part exp(-wrong)."""
    true = u if wrong is None else u - wrong
    return log_partition(chains, u, v) - log_partition(chains, true, v - sharpness * (1 - overlap))


def viterbi(chains: Chains, u: Tensor, v: Tensor) -> list[Tensor]:
    """The options of the most probable path by trip."""
    alpha, trace = u[chains.first], []
    ends = [(alpha[chains.last[0][0]], *chains.last[0], 0)]
    for n, (step, (places, owners)) in enumerate(zip(chains.steps, chains.last[1:], strict=True), 1):
        reached = alpha[step.source] + v[step.options]
        best = torch.full_like(u[step.candidates], -1e9).scatter_reduce(0, step.target, reached, "amax")
        winner = torch.zeros_like(step.candidates)
        hit = reached >= best[step.target]
        winner[step.target[hit]] = hit.nonzero().squeeze(-1)
        alpha = best + u[step.candidates]
        trace.append(winner)
        ends.append((alpha[places], places, owners, n))
    return _traced(chains, ends, trace)


def _traced(chains: Chains, ends: list, trace: list[Tensor]) -> list[Tensor]:
    paths: list[Tensor] = [torch.empty(0, dtype=torch.long)] * chains.trips
    for scores, places, owners, n in ends:
        for trip in owners.unique().tolist():
            mine = (owners == trip).nonzero().squeeze(-1)
            at = places[mine[scores[mine].argmax()]]
            options = []
            for step, winner in zip(reversed(chains.steps[:n]), reversed(trace[:n]), strict=True):
                local = winner[at]
                options.append(step.options[local])
                at = step.source[local]
            paths[trip] = torch.stack(options[::-1]) if options else paths[trip]
    return paths
