"""The model as a whole: trips do not meet, and the switches of where context goes."""

import copy
from dataclasses import replace

import pytest
import torch

from rntrajrec.batch import collate_for
from rntrajrec.losses import total
from rntrajrec.model import Model, without
from rntrajrec.settings import ModelSettings, TrainSettings

S = ModelSettings(d=8, heads=2, road_layers=1, blocks=1, hidden=8, time_hidden=8, time_blocks=2, ticks=True)


def answers(model: Model, data, trips: list[int]) -> list[list[torch.Tensor]]:
    """What all decoders say, by trip."""
    b = collate_for(model.settings, data, 0, [(0, t) for t in trips])
    with torch.no_grad():
        e = model.encode(b)
        u, v = model.scores(b, e)
        scores, ratio = model.at_ticks(b, e)
    said = []
    for k in range(len(trips)):
        gaps = (b.gap_trip == k).nonzero().squeeze(-1)
        moves, ticks = b.ticks.trip[b.ticks.move_tick] == k, b.ticks.trip == k
        with torch.no_grad():
            r = model.reached(b, e, gaps)
        known = torch.arange(r.share.shape[1])[None] < r.counts[:, None]
        said.append([
            u[b.sample_trip[b.candidate_sample] == k], v[b.gap_trip[b.option_gap] == k],
            r.share[known], r.spread[known], scores[moves], ratio[ticks],
        ])  # fmt: skip
    return said


def test_batch_mates_and_their_order_change_nothing(data):
    model = Model(data.schema, S).eval()
    alone = [answers(model, data, [t])[0] for t in (0, 2, 5)]
    together = answers(model, data, [0, 2, 5])
    turned = answers(model, data, [5, 2, 0])[::-1]
    for a, b, c in zip(alone, together, turned, strict=True):
        for x, y, z in zip(a, b, c, strict=True):
            assert len(x) > 0
            assert torch.allclose(x, y, atol=1e-5)
            assert torch.allclose(x, z, atol=1e-5)


@pytest.mark.parametrize(("switch", "blind"), [("routes_context", (0, 1)), ("time_context", (2, 3))])
def test_a_decoder_without_context_does_not_look_at_the_encoder(data, switch, blind):
    for on in (True, False):
        model = Model(data.schema, replace(S, **{switch: on})).eval()
        before = answers(model, data, [2])[0]
        with torch.no_grad():
            for p in model.encoder.parameters():
                p.add_(torch.randn_like(p))
        after = answers(model, data, [2])[0]
        for k, (a, b) in enumerate(zip(before, after, strict=True)):
            assert torch.equal(a, b) == (not on and k in blind)


@pytest.mark.parametrize(("kind", "said"), [("routes", slice(0, 2)), ("time", slice(2, 4))])
def test_two_decoders_of_the_same_say_the_mean_of_both(data, kind, said):
    model = Model(data.schema, replace(S, **{f"{kind}_alone": True})).eval()
    both = answers(model, data, [2])[0]
    one, other = (
        answers(without(copy.deepcopy(model), name), data, [2])[0] for name in (f"{kind}_alone", kind)
    )
    for k, (mean, x, y) in enumerate(zip(both, one, other, strict=True)):
        two = k in range(*said.indices(6))
        assert torch.allclose(x, y) != two
        assert torch.allclose(mean, (x + y) / 2, atol=1e-6)
    with pytest.raises(ValueError, match=f"one decoder of {kind}"):
        without(Model(data.schema, S), kind)


def test_without_gcl_the_loss_of_graphs_is_not_there(data):
    for on in (True, False):
        model = Model(data.schema, replace(S, gcl=on))
        b = collate_for(model.settings, data, 0, [(0, 2)])
        losses = total(model, b, TrainSettings())
        losses.total.backward()
        assert ("enc" in losses.parts) == on
        assert (model.encoder.classify.weight.grad is not None) == on
