"""The decoder of routes against counting every path."""

import itertools
import math

import numpy as np
import torch

from rntrajrec.batch import chains_of, collate
from rntrajrec.decoder_routes import gathered_logsumexp, log_partition, route_loss, viterbi
from rntrajrec.measure import best_of


def small():
    """Two trips drawn by hand: one of three samples, one of two.

    Trip 0: candidates 0,1 | 2 | 3,4; options 0: 0-2, 1: 1-2, 2: 1-2, 3: 2-3, 4: 2-4.
    Trip 1: candidates 5 | 6; option 5: 5-6.
    """
    sample_trip, sample_step = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 2, 0, 1])
    candidate_sample = np.array([0, 0, 1, 2, 2, 3, 4])
    source, target = np.array([0, 1, 1, 2, 2, 5]), np.array([2, 2, 2, 3, 4, 6])
    return chains_of(2, sample_trip, sample_step, candidate_sample, source, target)


PATHS = [([a, 2, b], [o, p]) for (a, o) in ((0, 0), (1, 1), (1, 2)) for (b, p) in ((3, 3), (4, 4))]


def test_partition_is_the_sum_over_all_paths():
    chains = small()
    u, v = torch.randn(7), torch.randn(6)
    scores = [sum(u[c].item() for c in cs) + sum(v[o].item() for o in os) for cs, os in PATHS]
    z = log_partition(chains, u, v)
    assert math.isclose(z[0].item(), math.log(sum(map(math.exp, scores))), abs_tol=1e-5)
    assert math.isclose(z[1].item(), (u[5] + u[6] + v[5]).item(), abs_tol=1e-5)


def test_viterbi_finds_the_best_path():
    chains = small()
    for _ in range(20):
        u, v = torch.randn(7), torch.randn(6)
        best = max(PATHS, key=lambda p: sum(u[c].item() for c in p[0]) + sum(v[o].item() for o in p[1]))
        paths = viterbi(chains, u, v)
        assert paths[0].tolist() == best[1]
        assert paths[1].tolist() == [5]


def test_loss_is_the_likelihood_of_the_soft_truth():
    chains = small()
    u, v = torch.randn(7), torch.randn(6)
    overlap = torch.tensor([1.0, 0.9, 0.1, 1.0, 0.2, 0.5])
    weights = [math.exp(-20 * sum(1 - overlap[o].item() for o in os)) for _, os in PATHS]
    scores = [math.exp(sum(u[c].item() for c in cs) + sum(v[o].item() for o in os)) for cs, os in PATHS]
    right = -math.log(sum(w * s for w, s in zip(weights, scores, strict=True)) / sum(scores))
    loss = route_loss(chains, u, v, overlap)
    assert math.isclose(loss[0].item(), right, rel_tol=1e-4)
    assert math.isclose(loss[1].item(), 10.0, rel_tol=1e-4)  # the only path, of overlap 0.5


def test_candidates_beside_the_true_one_cost_what_is_said():
    chains, overlap = small(), torch.ones(6)
    u, v = torch.zeros(7), torch.zeros(6)
    wrong = torch.tensor([0.0, 2.0, 0.0, 0.0, 2.0, 0.0, 0.0])  # candidates 0, 2 and 3 are the true ones
    weights = [math.exp(-sum(wrong[c].item() for c in cs)) for cs, _ in PATHS]
    loss = route_loss(chains, u, v, overlap, wrong=wrong)
    assert math.isclose(loss[0].item(), -math.log(sum(weights) / len(PATHS)), rel_tol=1e-4)


def test_gradient_is_the_marginal():
    chains = small()
    u, v = torch.randn(7, requires_grad=True), torch.randn(6, requires_grad=True)
    log_partition(chains, u, v)[0].backward()
    scores = [math.exp(sum(u[c].item() for c in cs) + sum(v[o].item() for o in os)) for cs, os in PATHS]
    for option in range(5):
        marginal = sum(s for s, (_, os) in zip(scores, PATHS, strict=True) if option in os) / sum(scores)
        assert math.isclose(v.grad[option].item(), marginal, abs_tol=1e-5)


def test_logsumexp_by_target_bears_large_values():
    out = gathered_logsumexp(torch.tensor([1000.0, 1000.0, -1000.0]), torch.tensor([0, 0, 1]), 2)
    assert torch.allclose(out, torch.tensor([1000.0 + math.log(2), -1000.0]))


def test_batch_mates_change_nothing(data):
    both = collate(data, 0, [(0, 0), (0, 1), (0, 5)], encoder=False)
    u, v = torch.randn(len(both.candidates)), torch.randn(len(both.options))
    together = log_partition(both.chains, u, v)
    for k, trip in enumerate((0, 1, 5)):
        alone = collate(data, 0, [(0, trip)], encoder=False)
        mine = both.sample_trip[both.candidate_sample] == k
        options = both.gap_trip[both.option_gap] == k
        z = log_partition(alone.chains, u[mine], v[options])
        assert torch.allclose(z, together[k : k + 1], atol=1e-5)


def test_the_ceiling_is_no_worse_than_any_path(data):
    b = collate(data, 0, [(0, 2)], encoder=False)
    length = torch.full((len(b.options),), 100.0)
    shared = b.overlap * length
    best = best_of(b, shared, length)[0]
    for _ in range(20):
        other = viterbi(b.chains, torch.zeros(len(b.candidates)), torch.randn(len(b.options)))[0]
        assert (shared[best] + b.overlap[best]).sum() >= (shared[other] + b.overlap[other]).sum() - 1e-4


def test_options_join_up(data):
    """Every option of a path leads from the candidate at which the one before ended."""
    b = collate(data, 0, [(0, i) for i in range(6)], encoder=False)
    ends = {}
    levels = [b.chains.first] + [s.candidates for s in b.chains.steps]
    for i, step in enumerate(b.chains.steps):
        for o, x, y in zip(step.options.tolist(), step.source.tolist(), step.target.tolist(), strict=True):
            ends[o] = (levels[i][x].item(), levels[i + 1][y].item())
    for trip, path in enumerate(
        viterbi(b.chains, torch.randn(len(b.candidates)), torch.randn(len(b.options)))
    ):
        assert len(path) == (b.gap_trip == trip).sum()
        for one, two in itertools.pairwise(path.tolist()):
            assert ends[one][1] == ends[two][0]
            assert b.gap_trip[b.option_gap[one]] == trip
