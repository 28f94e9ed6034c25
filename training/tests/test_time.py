"""The decoder of time against values worked out by hand."""

import math

import numpy as np
import torch

from rntrajrec.decoder_time import TimeDecoder, area_loss, mean_distance, position_at, spread_loss


def test_without_learning_time_goes_with_length_and_pieces():
    net = TimeDecoder(3, 8)
    with torch.no_grad():
        net.heads.weight.zero_()  # a = 0, b = -3 everywhere
    lengths = torch.tensor([[25.0, 75.0, 0.0]])
    share, spread = net(torch.randn(1, 3, 3), lengths, torch.tensor([2]))
    first, second = 1 + math.exp(-3), 3 + math.exp(-3)
    assert torch.allclose(share, torch.tensor([[first / (first + second), 1.0, 1.0]]), atol=1e-6)
    assert torch.allclose(spread, torch.full((1, 3), 0.105))


def test_padding_and_batch_mates_change_nothing():
    net = TimeDecoder(3, 8).eval()
    pieces, lengths = torch.randn(1, 6, 3), torch.rand(1, 6) * 25
    alone = net(pieces, lengths, torch.tensor([6]))
    padded_pieces = torch.cat([torch.cat([pieces, torch.randn(1, 9, 3)], 1), torch.randn(1, 15, 3)])
    padded_lengths = torch.cat([torch.cat([lengths, torch.rand(1, 9)], 1), torch.rand(1, 15)])
    both = net(padded_pieces, padded_lengths, torch.tensor([6, 15]))
    for a, b in zip(alone, both, strict=True):
        assert torch.allclose(a[0], b[0, :6], atol=1e-5)


def test_time_runs_forward():
    net = TimeDecoder(3, 8)
    with torch.no_grad():
        net.heads.weight.mul_(100)
    share, _ = net(torch.randn(5, 40, 3), torch.rand(5, 40) * 30, torch.full((5,), 40))
    assert (share.diff(dim=1) >= 0).all()
    assert torch.allclose(share[:, -1], torch.ones(5), atol=1e-5)


def test_mean_distance_between_two_lines():
    x, y = torch.tensor([1.0, -1.0, 2.0]), torch.tensor([3.0, 1.0, -1.0])
    assert torch.allclose(mean_distance(x, y), torch.tensor([2.0, 0.5, 5 / 6]))


def test_area_is_the_mean_distance_over_time():
    rng = np.random.default_rng(1)
    lengths = torch.tensor(rng.uniform(5, 30, (1, 7)), dtype=torch.float32)
    curves = [np.sort(rng.random(6)).tolist() + [1.0] for _ in range(2)]
    got = area_loss(*(torch.tensor([c]) for c in curves), lengths, torch.tensor([7]))
    instants = torch.linspace(0, 1, 20001)[None]
    a, b = (position_at(instants, torch.tensor([c]), lengths) for c in curves)
    assert math.isclose(got.item(), (a - b).abs().mean().item(), rel_tol=1e-3)


def test_position_between_the_ends_of_pieces():
    share = torch.tensor([[0.0, 0.25, 0.5, 0.75, 1.0]])
    at = position_at(share, torch.tensor([[0.5, 1.0, 1.0]]), torch.tensor([[10.0, 30.0, 0.0]]))
    assert torch.allclose(at, torch.tensor([[0.0, 5.0, 10.0, 25.0, 40.0]]))


def test_the_best_spread_is_the_mean_error():
    true, reached = torch.full((1, 4), 0.5), torch.tensor([[0.4, 0.6, 0.7, 0.5]])
    losses = [
        spread_loss(reached, torch.full((1, 4), s), true, torch.tensor([4])).item() for s in (0.05, 0.1, 0.2)
    ]
    assert losses[1] < losses[0]
    assert losses[1] < losses[2]
