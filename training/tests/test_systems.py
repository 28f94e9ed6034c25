"""The systems that the paper compares: each learns a trip by heart, and neither padding nor batch mates change a thing."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from rntrajrec import checkpoint, settings
from rntrajrec.batch import collate_for
from rntrajrec.model import Model
from rntrajrec.systems import table as table_
from rntrajrec.systems import trips
from rntrajrec.systems.blinded import sighted
from rntrajrec.systems.city import City
from rntrajrec.systems.dhtr import calibrated
from rntrajrec.systems.linear import between
from rntrajrec.systems.measure import answered
from rntrajrec.systems.system import Made, Sizes

CONFIGS = Path(__file__).parent.parent / "configs"
SMALL = Sizes(d=16, heads=2, layers=1, road_layers=1)
LEARNED = sorted({*table_.ENCODERS, "dhtr"})


@pytest.fixture(scope="module")
def made(data) -> Made:
    return Made(City(data.network(0)), data.schema, SMALL)


@pytest.fixture(scope="module")
def every(data, made) -> trips.Trips:
    return trips.read(data, made.city)


def system(made, name, **sizes):
    torch.manual_seed(0)
    return table_.build(table_.Row(name, name), replace(made, sizes=replace(SMALL, **sizes)))


def trained(net, b, steps=60, rate=2e-2):
    optimiser = torch.optim.Adam(net.parameters(), rate)
    for _ in range(steps):
        loss = net.losses(b)["total"]
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return net.eval()


@pytest.mark.parametrize("name", LEARNED)
def test_a_trip_is_learned_by_heart(made, every, name):
    net, b = system(made, name), every.some([2])
    first = net.losses(b)["id"].item()
    trained(net, b, steps=200 if name == "universal" else 60)  # that one has no tables to learn by
    assert net.losses(b)["id"].item() < 0.2 * first
    if name == "dhtr":
        return
    segment, ratio = net.recover(b)
    reachable = ~b.masks(made.city.segments)[0] | (
        b.masks(made.city.segments)[1] == b.segment[..., None]
    ).any(-1)
    right = (segment == b.segment)[b.there & reachable]
    assert right.float().mean() > 0.9
    assert (ratio >= 0).all()
    assert (ratio <= 1).all()


@pytest.mark.parametrize("name", LEARNED)
def test_batch_mates_and_padding_change_nothing(made, every, name):
    net = trained(system(made, name), every, steps=2).eval()
    together, alone = every.some([0, 2, 5]), every.some([2])
    ticks = int(alone.there.sum())
    with torch.no_grad():
        if name == "dhtr":
            a, b = net.places(together)[1, :ticks], net.places(alone)[0]
        else:
            a, b = (net.encoder(x).whole[k] for x, k in ((together, 1), (alone, 0)))
            assert torch.equal(net.recover(together)[0][1, :ticks], net.recover(alone)[0][0])
    assert torch.allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("name", LEARNED)
def test_what_stands_in_padding_changes_nothing(made, every, name):
    net, b = system(made, name).eval(), every.some([0, 2])
    short = int(b.known[0].sum()), int(b.there[0].sum())
    assert short[0] < b.known.shape[1]
    with torch.no_grad():
        before = net.losses(b)["total"].item()
        for part in (b.points, b.xy, b.cell, b.cut):
            part[0, short[0] :] = 3
        for part in (b.ratio, b.place):
            part[0, short[1] :] = 0.5
        assert abs(net.losses(b)["total"].item() - before) < 1e-5


def test_samples_hold_the_decoder_to_their_candidates(made, every):
    net, b = system(made, "mtrajrec").eval(), every.some([1, 3])
    segment, _ = net.recover(b)
    for trip, tick, options in zip(*b.sampled(), b.option[b.known], strict=True):
        assert segment[trip, tick] in options
    assert len(b.sampled()[0]) == int(b.known.sum())
    assert int(b.hidden().sum()) == int(b.there.sum()) - int(b.known.sum())


def test_trips_hold_what_the_data_set_does(data, made, every):
    shard = data.shards[0]
    start = shard["step_start"]
    assert len(every) == shard.trips
    for i in range(len(every)):
        ticks = slice(start[i], start[i + 1])
        there = every.there[i]
        assert made.city.ids[every.segment[i][there]].tolist() == shard["step_segment"][ticks].tolist()
        assert np.allclose(every.ratio[i][there], shard["step_ratio"][ticks])
        assert (every.seconds[i][there].diff() > 0).all()
    assert every.seconds[0][every.tick[0, 1]] == shard["sample_time"][1]


def test_a_city_is_what_lies_in_its_box(data):
    city = City(data.network(0), (0.0, -0.001, 0.003, 0.001))
    assert city.segments == 7  # what begins or ends in the box or within 400 m of it
    assert (city.part.successors <= city.segments).all()
    xy = city.metres(np.array([0.0015, 5.0]), np.array([0.0, 0.0]))
    assert np.allclose(city.degrees(xy)[0], [0.0015, 5.0])
    assert city.cell(xy)[1] == city.cells - 1
    middle = city.middle(50.0)[city.cell(xy)[0]]
    assert np.abs(middle - xy[0]).max() <= 25
    assert len(city.cuts.xy) == city.segments + 1
    assert (city.cuts.neighbours < len(city.cuts.xy)).sum() == 2 * city.segments


def test_a_straight_line_is_driven_at_an_even_pace(every):
    places, _ = between(every)
    for i in range(len(every)):
        a, b = (int(k) for k in every.tick[i, :2])
        share = (every.seconds[i, a + 1] - every.seconds[i, a]) / (every.seconds[i, b] - every.seconds[i, a])
        assert torch.allclose(places[i, a + 1], every.xy[i, 0] + share * (every.xy[i, 1] - every.xy[i, 0]))
    assert torch.allclose(places[every.sampled()], every.xy[every.known], atol=1e-6)


def test_the_filter_finds_the_line_through_noise():
    torch.manual_seed(1)
    seconds = 15.0 * torch.arange(40.0)
    line = torch.stack([0.01 * seconds, -0.004 * seconds], -1)
    seen = line + 0.05 * torch.randn(40, 2)
    found = calibrated(seen, torch.full((40,), 0.05**2), seconds, torch.ones(40) > 0)
    assert (found - line).norm(dim=-1).mean() < 0.75 * (seen - line).norm(dim=-1).mean()


def test_the_memory_of_neutraj_is_written_by_training_alone(made, every):
    net = system(made, "neutraj")
    net.eval().losses(every)
    assert not net.encoder.memory.any()
    net.train().losses(every)
    assert net.encoder.memory.any()
    assert "encoder.memory" in net.state_dict()


def test_graph_of_gts_says_the_same_of_a_part_as_of_all(made, every):
    net = system(made, "gts").encoder
    whole = net.table.weight
    for layer in net.layers:
        whole = layer(whole, [net.neighbours])
    wanted = torch.unique(every.cut[every.known])
    near, neighbours = net.around(wanted)
    part = net.table(near)
    for layer in net.layers:
        part = layer(part, [neighbours])
    assert torch.allclose(part[torch.searchsorted(near, wanted)], whole[wanted], atol=1e-6)


def test_sub_graphs_are_cut_and_weighted_anew(made, every):
    g = every.sub_graphs()
    distance = 100 * g.sub_pairs[..., made.schema.column("sub_pairs", "distance")]
    near = system(made, "rntrajrec", delta=50.0).encoder.resized(g)
    size = near.sub_segments.shape[1]
    far = (distance > 50)[:, :size]
    far[:, 0] = False
    assert far.any()
    assert (near.sub_segments[far] == made.city.segments).all()
    assert torch.equal(near.sub_weights[~far], g.sub_weights[:, :size][~far])
    wide = system(made, "rntrajrec", gamma=60.0).encoder.resized(g)
    some = wide.sub_weights > 0
    assert torch.allclose(wide.sub_weights[some], torch.exp(-((distance[some] / 60) ** 2)))


def test_a_smaller_sub_graph_has_the_nearest_segments_and_their_links(made, every):
    g = every.sub_graphs()
    few = system(made, "rntrajrec", sub=2).encoder.resized(g)
    assert few.sub_segments.shape[1] == few.sub_pairs.shape[1] == 2
    assert torch.equal(few.sub_segments, g.sub_segments[:, :2])
    for name in ("sub_successors", "sub_predecessors"):
        links, before = getattr(few, name), getattr(g, name)[:, :2]
        assert torch.equal(links, torch.where(before < 2, before, 2))
    assert (few.sub_target <= 2).all()


@pytest.mark.parametrize("roads", ["gcn", "gin", "gat"])
def test_other_encoders_of_roads_learn(made, every, roads):
    net, b = system(made, "rntrajrec", roads=roads), every.some([1])
    first = net.losses(b)["id"].item()
    assert trained(net, b, steps=30).losses(b)["id"].item() < 0.7 * first


def test_answers_are_those_of_all_ticks_in_order(made, every):
    net = system(made, "t2vec").eval()
    segment, ratio = answered(net, every)
    alone = net.recover(every.some([4]))[0][0]
    first = int(every.there[:4].sum())
    assert len(segment) == len(ratio) == int(every.there.sum())
    assert segment[first : first + len(alone)].tolist() == alone.tolist()
    assert answered(system(made, "dhtr"), every)[0].shape == (len(segment), 2)


def test_the_universal_form_has_no_weight_of_the_city(data, made):
    other = Made(City(data.network(0), (0.0, -0.001, 0.003, 0.001)), data.schema, SMALL)
    a, b = (system(m, "universal").state_dict() for m in (made, other))
    assert {k: v.shape for k, v in a.items()} == {k: v.shape for k, v in b.items()}
    assert (
        system(made, "rntrajrec").state_dict()["encoder.net.gridgnn.road.weight"].shape[0]
        == made.city.segments
    )


@pytest.mark.parametrize(
    "left_out", [{"blind": ("moves.hurry", "points.gap*")}, {"pairs": False}, {"environment": False}]
)
def test_what_a_model_was_trained_without_has_no_weight_in_its_bundle(data, left_out):
    s = settings.ModelSettings(d=16, heads=2, hidden=16, routes=False, time=False, ticks=True, **left_out)
    torch.manual_seed(0)
    model = Model(data.schema, s).eval()
    state = {"model": model.state_dict(), "settings": checkpoint.plain(settings.Settings(s))}
    state = sighted(state, data.schema)
    seeing = settings.from_dict(state["settings"]).model
    other = Model(data.schema, seeing).eval()
    other.load_state_dict(state["model"])
    unseen, seen = (collate_for(m, data, 0, [(0, 1)]) for m in (s, seeing))
    assert ("blind" not in left_out) == torch.equal(unseen.ticks.moves, seen.ticks.moves)
    for a, b in zip(
        model.at_ticks(unseen, model.encode(unseen)), other.at_ticks(seen, other.encode(seen)), strict=True
    ):
        assert torch.allclose(a, b, atol=1e-5)


def test_a_model_that_is_blind_to_roads_is_not_bundled(data):
    s = settings.Settings(settings.ModelSettings(blind=("roads.*",)))
    with pytest.raises(ValueError, match="roads"):
        sighted({"model": {}, "settings": checkpoint.plain(s)}, data.schema)
