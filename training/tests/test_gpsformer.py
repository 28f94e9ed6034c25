"""Sub-graphs and GPSFormer against values worked out by hand."""

import math
from dataclasses import replace

import pytest
import torch

from rntrajrec.batch import collate
from rntrajrec.gpsformer import GatedFusion, GraphNorm, TransformerEncoder, positions
from rntrajrec.model import Encoder, laid_out
from rntrajrec.settings import ModelSettings
from rntrajrec.subgraph import SubGraphs

S = ModelSettings(d=8, heads=2, road_layers=1, blocks=2)


def test_pooling_is_the_weighted_mean():
    net = SubGraphs(1, 1, replace(S, d=2, pairs=False))
    with torch.no_grad():
        net.point.weight.copy_(torch.tensor([[1.0, 0, 0], [0, 1.0, 0]]))
        net.point.bias.zero_()
    road = torch.tensor([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    z, h = net(
        road,
        torch.tensor([[2, 0, 3]]),
        torch.tensor([[0.75, 0.25, 0.0]]),
        torch.zeros(1, 3, 1),
        torch.zeros(1, 1),
    )
    assert torch.allclose(z[0], torch.tensor([[3.0, 30.0], [1.0, 10.0], [0.0, 0.0]]))
    assert torch.allclose(h, torch.tensor([[2.5, 25.0]]))  # (0.75 x 3 + 0.25 x 1) / 1, eq. 8


def test_gated_fusion_by_hand():
    net = GatedFusion(1)
    with torch.no_grad():
        net.w1.weight.fill_(2.0)
        net.w2.weight.fill_(-1.0)
        net.w2.bias.fill_(0.5)
    gate = 1 / (1 + math.exp(-(2.0 * 0.3 - 1.0 * 0.8 + 0.5)))  # eq. 11
    got = net(torch.tensor([[0.3]]), torch.tensor([[[0.8]]]))
    assert math.isclose(got.item(), gate * 0.3 + (1 - gate) * 0.8, abs_tol=1e-6)


def test_graph_norm_by_hand():
    """Two sub-graphs, of nodes 1, 3 and of node 6: the mean is that of 2 and 6, the variance is around it."""
    net = GraphNorm(1, momentum=1.0)
    z, node = torch.tensor([[[1.0], [3.0]], [[6.0], [99.0]]]), torch.tensor([[1.0, 1.0], [1.0, 0.0]])
    mean, variance = 4.0, (9.0 + 1.0 + 4.0) / 3  # eq. 12, 13
    want = (torch.tensor([1.0, 3.0, 6.0]) - mean) / math.sqrt(variance + 1e-5)
    got = net(z, node).flatten()
    assert torch.allclose(got[:3], want, atol=1e-6)
    assert got[3] == 0
    net.eval()  # what was seen in training is used, whatever comes
    assert torch.allclose(
        net(torch.full((1, 1, 1), mean + 1), torch.ones(1, 1)),
        torch.tensor(1 / math.sqrt(variance)),
        atol=1e-4,
    )


def test_statistics_of_graph_norm_are_saved():
    assert {"mean", "variance"} <= set(GraphNorm(3).state_dict())


def test_attention_does_not_see_padding():
    net = TransformerEncoder(8, 2, 0.0)
    h = torch.randn(1, 3, 8)
    alone = net(h, torch.ones(1, 3, dtype=torch.bool))
    padded = net(torch.cat([h, torch.randn(1, 4, 8)], 1), torch.tensor([[True] * 3 + [False] * 4]))
    assert torch.allclose(alone, padded[:, :3], atol=1e-6)


def test_positions_are_sines_and_cosines():
    p = positions(5, 4, torch.zeros(1))
    assert torch.allclose(
        p[3], torch.tensor([math.sin(3), math.sin(0.03), math.cos(3), math.cos(0.03)]), atol=1e-6
    )


def test_layout_of_trips_of_different_lengths():
    layout, known, place = laid_out(torch.tensor([0, 1, 1, 1]), torch.tensor([0, 0, 1, 2]), 2)
    assert layout.tolist() == [[0, 0, 0], [1, 2, 3]]
    assert known.tolist() == [[True, False, False], [True, True, True]]
    assert place.tolist() == [0, 3, 4, 5]


def encoded(data, encoder, trips, change=None):
    b = collate(data, 0, trips, encoder=True, hops=2)
    if change:
        change(b)
    return b, encoder(encoder.road(b.part), b)


def test_batch_mates_change_nothing(data):
    encoder = Encoder(data.schema, S).eval()
    both, (h, z, whole) = encoded(data, encoder, [(0, 0), (0, 2), (0, 4)])
    for k, trip in enumerate((0, 2, 4)):
        _, alone = encoded(data, encoder, [(0, trip)])
        mine = both.sample_trip == k
        for a, b in zip(alone, (h[mine], z[mine], whole[k : k + 1]), strict=True):
            assert torch.allclose(a, b, atol=1e-5)


def test_what_is_beyond_a_sub_graph_changes_nothing(data):
    encoder = Encoder(data.schema, S).eval()

    def scribble(b):
        nobody = b.sub_segments >= len(b.part.ids)
        b.sub_pairs[nobody] = 7.0

    plain, scribbled = encoded(data, encoder, [(0, 1)])[1], encoded(data, encoder, [(0, 1)], scribble)[1]
    for a, b in zip(plain, scribbled, strict=True):
        assert torch.allclose(a, b, atol=1e-6)


def scribble_pairs(b):
    b.sub_pairs = torch.rand_like(b.sub_pairs)


def scribble_links(b):
    b.sub_successors = torch.full_like(b.sub_successors, b.sub_successors.shape[1])


def scribble_environment(b):
    b.environment = b.environment + 1


@pytest.mark.parametrize(
    ("switch", "change", "of"),
    [
        ("pairs", scribble_pairs, 0),
        ("gat", scribble_links, 1),
        ("grl", scribble_links, 1),
        ("environment", scribble_environment, 2),
    ],
)
def test_a_switch_makes_blind_to_its_part(data, switch, change, of):
    for settings, same in ((S, False), (replace(S, **{switch: False}), True)):
        encoder = Encoder(data.schema, settings).eval()
        a, b = encoded(data, encoder, [(0, 1)])[1][of], encoded(data, encoder, [(0, 1)], change)[1][of]
        assert torch.allclose(a, b) == same


@pytest.mark.parametrize(
    ("switch", "gone"), [("gf", "fusion.w1"), ("gn", "norm1.mean"), ("grl", "refinements")]
)
def test_a_switch_removes_its_weights(data, switch, gone):
    names = " ".join(Encoder(data.schema, S).state_dict())
    fewer = " ".join(Encoder(data.schema, replace(S, **{switch: False})).state_dict())
    assert gone in names
    assert gone not in fewer
