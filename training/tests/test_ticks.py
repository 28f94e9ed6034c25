"""The paper's decoder: by hand, over batches, and one tick at a time."""

import math
from dataclasses import replace

import pytest
import torch

from rntrajrec.batch import collate, collate_for
from rntrajrec.data import Dropper
from rntrajrec.decoder_ticks import TickDecoder, before, chosen, log_sums, taught, tick_losses
from rntrajrec.losses import total
from rntrajrec.measure import Measure
from rntrajrec.model import Model
from rntrajrec.settings import ModelSettings, TrainSettings

SMALL = ModelSettings(d=16, heads=2, road_layers=1, blocks=1, hidden=16, routes=False, time=False, ticks=True)


def batch(data, trips, settings=SMALL):
    return collate_for(settings, data, 0, [(0, i) for i in trips])


def at_ticks(model, b):
    with torch.no_grad():
        return model.at_ticks(b, model.encode(b))


def test_attention_by_hand():
    net = TickDecoder(3, 1, 4)
    with torch.no_grad():
        net.w_g.weight.fill_(2.0)
        net.w_h.weight.fill_(1.0)
        net.w_h.bias.fill_(0.1)
        net.v.weight.fill_(3.0)
    mu = [3 * math.tanh(2 * 0.5 + h + 0.1) for h in (0.2, -0.7)]
    alpha = [math.exp(m) / sum(map(math.exp, mu)) for m in mu]
    h = torch.tensor([[[0.2], [-0.7], [9.0]]])
    a = net.attend(torch.tensor([[0.5]]), net.w_h(h), h, torch.tensor([[0.0, 0.0, -1e9]]))
    assert math.isclose(a.item(), alpha[0] * 0.2 - alpha[1] * 0.7, abs_tol=1e-6)


def test_ticks_hold_the_rows_of_their_trips(data):
    shard = data.shards[0]
    both = collate(data, 0, [(0, 4), (0, 1)], encoder=True, ticks=True)
    t, start = both.ticks, shard["step_start"]
    first, second = (slice(start[i], start[i + 1]) for i in (4, 1))
    assert t.ratio.tolist() == [*shard["step_ratio"][first], *shard["step_ratio"][second]]
    assert both.part.ids[t.segment].tolist() == [
        *shard["step_segment"][first],
        *shard["step_segment"][second],
    ]
    found = t.target >= 0
    assert (~found).sum() == 2  # one tick of each trip has its truth not among the moves
    assert torch.equal(t.move_segment[t.target[found]], t.segment[found])
    assert torch.equal(t.move_tick[t.target[found]], found.nonzero().squeeze(-1))
    assert (~t.hidden).sum() == len(both.sample_trip)
    # A move at a sample carries the features of its candidate, one between samples carries none.
    sample = torch.cumsum(~t.hidden, 0) - 1
    for m in range(len(t.move_tick)):
        tick = int(t.move_tick[m])
        if t.hidden[tick]:
            assert not t.candidates[m].any()
            continue
        own = both.candidate_sample == sample[tick]
        rows = both.candidates[own & (both.candidate_segment == t.move_segment[m])]
        assert any(torch.equal(t.candidates[m], row) for row in rows)


def test_data_without_moves_is_refused(data):
    shard = data.shards[0]
    kept = shard.arrays.pop("step_start")
    try:
        with pytest.raises(ValueError, match="--ticks"):
            batch(data, [0])
    finally:
        shard.arrays["step_start"] = kept


def test_batch_mates_change_nothing(data):
    model = Model(data.schema, SMALL).eval()
    scores, ratio = at_ticks(model, both := batch(data, [2, 0, 5]))
    for place, trip in enumerate((2, 0, 5)):
        own, alone = at_ticks(model, batch(data, [trip]))
        mine = both.ticks.trip == place
        assert torch.allclose(scores[mine[both.ticks.move_tick]], own, atol=1e-5)
        assert torch.allclose(ratio[mine], alone, atol=1e-5)


def test_one_tick_at_a_time_is_the_same_as_all_at_once(data):
    """What the application does is what training does."""
    model = Model(data.schema, SMALL).eval()
    b = batch(data, [3])
    scores, ratio = at_ticks(model, b)
    with torch.no_grad():
        e, t = model.encode(b), b.ticks
        state, road, last = e.whole, torch.zeros(1, SMALL.d), torch.zeros(1)
        for i in range(len(t.trip)):
            own = (t.move_tick == i).nonzero().squeeze(-1)
            features = torch.cat([t.moves[own], t.candidates[own]], -1)[None]
            state, now, along = model.ticks(
                state, road, last, e.h, e.road[t.move_segment[own]][None], features
            )
            assert torch.allclose(now[0] + t.log_weight[own], scores[own], atol=1e-5)
            if t.target[i] >= 0:
                assert torch.allclose(along[0, t.target[i] - own[0]], ratio[i], atol=1e-5)
            road, last = e.road[t.segment[i]][None], t.ratio[i][None]


def test_weights_of_a_sample_count_as_in_equation_24(data):
    model = Model(data.schema, SMALL).eval()
    b = batch(data, [1])
    scores, _ = at_ticks(model, b)
    t, ticks = b.ticks, len(b.ticks.trip)
    p = (scores - log_sums(scores, t.move_tick, ticks)[t.move_tick]).exp()
    plain = (p / t.log_weight.exp()).clone()
    mine = t.move_tick == 0
    want = plain[mine] * t.log_weight[mine].exp()
    assert torch.allclose(p[mine], want / want.sum(), atol=1e-6)
    b.ticks.log_weight = torch.where(torch.arange(len(scores)) == mine.nonzero()[0], -1e9, t.log_weight)
    assert chosen(at_ticks(model, b)[0], b.ticks)[0] != mine.nonzero()[0]


def test_losses_by_hand(data):
    b = batch(data, [0, 1])
    t = b.ticks
    scores, ratio = torch.randn(len(t.move_tick)), torch.rand(len(t.trip))
    nats, squares = tick_losses(scores, ratio, t, 2)
    by_trip = []
    for trip in range(2):
        logs, errors = [], []
        for i in (t.trip == trip).nonzero().squeeze(-1).tolist():
            if t.target[i] < 0:
                continue
            logs.append(
                -torch.log_softmax(scores[t.move_tick == i], 0)[t.target[i] - (t.move_tick < i).sum()]
            )
            if t.hidden[i]:
                errors.append((ratio[i] - t.ratio[i]) ** 2)
        by_trip.append((torch.stack(logs).mean(), torch.stack(errors).mean()))
    assert torch.allclose(nats, (by_trip[0][0] + by_trip[1][0]) / 2, atol=1e-6)
    assert torch.allclose(squares, (by_trip[0][1] + by_trip[1][1]) / 2, atol=1e-6)


def test_the_first_tick_comes_from_nowhere():
    assert before(torch.tensor([[1.0, 2.0, 3.0]])).tolist() == [[0.0, 1.0, 2.0]]
    net = TickDecoder(3, 4, 8)
    whole, h, known = torch.randn(2, 4), torch.randn(2, 3, 4), torch.ones(2, 3) > 0
    states = taught(net, whole, h, known, torch.zeros(2, 2, 4), torch.zeros(2, 2))
    h[:, 2], known[:, 2] = 9.0, False
    other = taught(net, whole, h[:, :2], known[:, :2], torch.zeros(2, 2, 4), torch.zeros(2, 2))
    assert states.shape == (2, 2, 4)
    assert torch.allclose(
        taught(net, whole, h, known, torch.zeros(2, 2, 4), torch.zeros(2, 2)), other, atol=1e-6
    )


def test_a_trip_is_learned_by_heart_and_measured(data):
    model, b, t = Model(data.schema, SMALL), batch(data, [2]), TrainSettings(enc_weight=0.1)
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    for step in range(150):
        losses = total(model, b, t)
        if step == 0:
            first = losses.parts
        optimiser.zero_grad()
        losses.total.backward()
        optimiser.step()
    assert losses.parts["tick_id"] < 0.1 * first["tick_id"]
    assert losses.parts["tick_rate"] < 0.1 * first["tick_rate"]
    want = losses.parts["tick_id"] + 10 * losses.parts["tick_rate"] + 0.1 * losses.parts["enc"]
    assert math.isclose(losses.parts["total"], want, rel_tol=1e-4)
    measure = Measure(t)
    with torch.no_grad():
        measure.add(model, b)
    found = measure.figures()
    hidden = int(b.ticks.hidden.sum())
    assert math.isclose(
        found["tick_accuracy"], (hidden - 1) / hidden, rel_tol=1e-6
    )  # all but the tick without
    assert found["tick_accuracy"] == found["tick_ceiling"]
    assert found["tick_ratio_mae"] < 0.05


def test_dropped_groups_are_unknown_in_moves_too(data):
    drop = Dropper(data.schema, {}, None)
    drop.groups = {"geometry", "tags"}
    b = collate_for(SMALL, data, 0, [(0, 0)], drop)
    assert not b.ticks.moves.any()
    assert not b.ticks.candidates.any()


def test_ticks_need_the_encoder(data):
    with pytest.raises(ValueError, match="encoder"):
        Model(data.schema, replace(SMALL, encoder=False))
