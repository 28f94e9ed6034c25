"""The paper's decoder against values worked out by hand."""

import math

import torch

from rntrajrec.decoder_ticks import Tick, TickDecoder, tick_losses


def tick(b: int, c: int) -> Tick:
    return Tick(torch.randn(b, c, 4), torch.randn(b, c, 3), torch.zeros(b, c))


def test_attention_by_hand():
    net = TickDecoder(3, 1, 4)
    with torch.no_grad():
        net.w_g.weight.fill_(2.0)
        net.w_h.weight.fill_(1.0)
        net.w_h.bias.fill_(0.1)
        net.v.weight.fill_(3.0)
    mu = [3 * math.tanh(2 * 0.5 + h + 0.1) for h in (0.2, -0.7)]
    alpha = [math.exp(m) / sum(map(math.exp, mu)) for m in mu]
    a = net.attend(
        torch.tensor([[0.5]]), torch.tensor([[[0.2], [-0.7], [9.0]]]), torch.tensor([[True, True, False]])
    )
    assert math.isclose(a.item(), alpha[0] * 0.2 - alpha[1] * 0.7, abs_tol=1e-6)


def test_what_the_mask_forbids_has_no_probability():
    net, t = TickDecoder(3, 4, 8), tick(2, 5)
    t.log_weight[:, 3] = -1e9
    _, log_p, rate = net(
        torch.randn(2, 4), torch.randn(2, 4), torch.rand(2), torch.randn(2, 3, 4), torch.ones(2, 3) > 0, t
    )
    assert (log_p[:, 3] < -1e6).all()
    assert torch.allclose(log_p.exp().sum(1), torch.ones(2))
    assert ((rate > 0) & (rate < 1)).all()


def test_weights_of_a_sample_count_as_in_equation_24():
    net, t = TickDecoder(3, 4, 8), tick(1, 3)
    args = torch.randn(1, 4), torch.randn(1, 4), torch.rand(1), torch.randn(1, 3, 4), torch.ones(1, 3) > 0
    plain = net(*args, t)[1].exp()
    weights = torch.tensor([[0.2, 0.5, 0.9]])
    t.log_weight = weights.log()
    assert torch.allclose(net(*args, t)[1].exp(), plain * weights / (plain * weights).sum(), atol=1e-6)


def test_more_candidates_that_are_none_change_nothing():
    net, t = TickDecoder(3, 4, 8), tick(2, 3)
    args = torch.randn(2, 4), torch.randn(2, 4), torch.rand(2), torch.randn(2, 3, 4), torch.ones(2, 3) > 0
    more = Tick(
        *(torch.cat([x, torch.randn(2, 2, *x.shape[2:])], 1) for x in (t.road, t.moves, t.log_weight))
    )
    more.log_weight[:, 3:] = -1e9
    for a, b in zip(net(*args, t)[1:], net(*args, more)[1:], strict=True):
        assert torch.allclose(a, b[:, :3], atol=1e-6)


def test_losses_of_two_ticks_by_hand_and_of_a_trip_that_ends_before():
    net, ticks = TickDecoder(3, 4, 8), [tick(2, 3), tick(2, 3)]
    whole, h, known = torch.randn(2, 4), torch.randn(2, 2, 4), torch.ones(2, 2) > 0
    target, ratio = torch.tensor([[1, 2], [0, -1]]), torch.tensor([[0.3, 0.6], [0.5, 0.0]])
    nats, squares = tick_losses(net, whole, h, known, ticks, target, ratio)
    state, first, rate1 = net(whole, torch.zeros(2, 4), torch.zeros(2), h, known, ticks[0])
    _, second, rate2 = net(state, ticks[0].road[[0, 1], [1, 0]], ratio[:, 0], h, known, ticks[1])
    assert torch.allclose(nats, torch.stack([-(first[0, 1] + second[0, 2]) / 2, -first[1, 0]]), atol=1e-6)
    by_hand = torch.stack(
        [((rate1[0, 1] - 0.3) ** 2 + (rate2[0, 2] - 0.6) ** 2) / 2, (rate1[1, 0] - 0.5) ** 2]
    )
    assert torch.allclose(squares, by_hand, atol=1e-6)


def test_a_trip_is_learned_by_heart():
    net, ticks = TickDecoder(3, 4, 16), [tick(1, 6) for _ in range(5)]
    whole, h, known = torch.randn(1, 4), torch.randn(1, 3, 4), torch.ones(1, 3) > 0
    target, ratio = torch.randint(0, 6, (1, 5)), torch.rand(1, 5)
    optimiser = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(150):
        nats, squares = tick_losses(net, whole, h, known, ticks, target, ratio)
        optimiser.zero_grad()
        (nats + 10 * squares).sum().backward()
        optimiser.step()
    assert nats.item() < 0.05
    assert squares.item() < 0.005
