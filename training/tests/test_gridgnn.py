"""GridGNN and its graph attention against values worked out by hand."""

import math
from dataclasses import replace

import pytest
import torch

from rntrajrec.batch import collate
from rntrajrec.gat import GAT
from rntrajrec.gridgnn import GridGNN, GRUCell, PackedGridGNN
from rntrajrec.settings import ModelSettings

S = ModelSettings(d=8, heads=2, road_layers=2)


def part_of(data):
    return collate(data, 0, [(0, 0), (0, 3)], encoder=True).part


def run(net, p, **changes):
    values = {"roads": p.roads, "cells": p.cells, "count": p.cell_count, "successors": p.successors,
              "predecessors": p.predecessors, "ids": p.ids}  # fmt: skip
    return net(**(values | changes))


def test_gru_cell_is_that_of_equation_2():
    cell = GRUCell(1, 1)
    with torch.no_grad():
        cell.gates.weight.copy_(torch.tensor([[0.5, 1.0], [-0.5, 2.0]]))  # z: s, g; r: s, g
        cell.gates.bias.copy_(torch.tensor([0.1, 0.2]))
        cell.change.weight.copy_(torch.tensor([[3.0, 0.7]]))
        cell.change.bias.fill_(-0.3)
    s, g = 0.4, 0.6
    z = 1 / (1 + math.exp(-(0.5 * s + 1.0 * g + 0.1)))
    r = 1 / (1 + math.exp(-(-0.5 * s + 2.0 * g + 0.2)))
    c = math.tanh(3.0 * r * s + 0.7 * g - 0.3)
    got = cell(torch.tensor([[s]]), torch.tensor([[g]]))
    assert math.isclose(got.item(), (1 - z) * s + z * c, abs_tol=1e-6)


def test_attention_over_two_neighbours_by_hand():
    """Node 0 has a successor 1 and a predecessor 2; one head, one dimension."""
    gat = GAT(1, 1)
    with torch.no_grad():
        gat.values.weight.copy_(torch.tensor([[1.0], [2.0], [3.0]]))  # self, successor, predecessor
        gat.keys.weight.copy_(torch.tensor([[1.0], [1.0], [-1.0]]))
        gat.of_self.copy_(torch.tensor([1.0, 0.5, 2.0]).reshape(3, 1, 1))
        gat.of_other.copy_(torch.tensor([0.0, 1.0, 1.0]).reshape(3, 1, 1))
    r = torch.tensor([[1.0], [2.0], [3.0]])
    nobody = 3
    out = gat(r, [torch.tensor([[1, 3], [3, 3], [3, 3]]), torch.tensor([[2, 3], [nobody, 3], [3, 3]])])
    leaky = lambda x: x if x > 0 else 0.2 * x  # noqa: E731
    scores = [leaky(1.0 * 1), leaky(0.5 * 1 + 1.0 * 2), leaky(2.0 * -1 + 1.0 * -3)]
    weights = [math.exp(s) for s in scores]
    mixed = (weights[0] * 1 + weights[1] * 2 * 2 + weights[2] * 3 * 3) / sum(weights)
    assert math.isclose(out[0].item(), mixed, rel_tol=1e-5)
    assert math.isclose(out[1].item(), 2.0, rel_tol=1e-5)  # alone: its own value


def test_order_and_padding_of_neighbours_change_nothing():
    gat = GAT(8, 2)
    r = torch.randn(4, 8)
    lists = torch.tensor([[1, 2, 4], [4, 4, 4], [0, 4, 4], [4, 4, 4]])
    out = gat(r, [lists, lists])
    other = torch.cat([lists.flip(1), torch.full((4, 2), 4)], 1)
    assert torch.allclose(out, gat(r, [other, other]), atol=1e-6)


def test_predecessors_and_successors_are_told_apart():
    gat = GAT(8, 2)
    r, one, none = torch.randn(2, 8), torch.tensor([[1], [2]]), torch.tensor([[2], [2]])
    assert not torch.allclose(gat(r, [one, none]), gat(r, [none, one]), atol=1e-3)


def test_attention_in_many_graphs_at_once():
    gat, r = GAT(8, 2), torch.randn(3, 4, 8)
    lists = [torch.randint(0, 5, (3, 4, 6)) for _ in range(2)]
    got = gat(r, lists)
    for g in range(3):
        assert torch.allclose(got[g], gat(r[g], [places[g] for places in lists]), atol=1e-6)


def test_the_packed_form_is_the_same_function(data):
    p = part_of(data)
    packed = PackedGridGNN(4, 2, S)
    plain = GridGNN(4, 2, S)
    plain.load_state_dict(packed.state_dict())
    assert torch.allclose(run(packed, p), run(plain, p), atol=1e-6)


def test_cells_beyond_the_count_change_nothing(data):
    p, net = part_of(data), GridGNN(4, 2, S)
    beyond = torch.arange(p.cells.shape[1])[None] >= p.cell_count[:, None]
    other = torch.where(beyond[..., None], torch.randn_like(p.cells), p.cells)
    assert torch.equal(run(net, p), run(net, p, cells=other))


def test_a_part_says_the_same_as_the_whole_network(data):
    """Two hops around a segment are enough for two layers."""
    network, net = data.network(0), GridGNN(4, 2, S)
    everything, _ = network.part([torch.arange(network.segments).numpy()], 0, lambda _name, v: v)
    part, (places,) = network.part([torch.tensor([5]).numpy()], 2, lambda _name, v: v)
    assert len(part.ids) < network.segments
    assert torch.allclose(run(net, part)[places[0]], run(net, everything)[5], atol=1e-6)


@pytest.mark.parametrize(
    ("switch", "without"),
    [({"grid": False}, "cells"), ({"road_gat": False}, "successors")],
)
def test_a_switch_makes_blind_to_its_part(data, switch, without):
    p = part_of(data)
    other = {"cells": torch.rand_like(p.cells), "successors": p.predecessors}[without]
    for settings, same in ((S, False), (replace(S, **switch), True)):
        net = GridGNN(4, 2, settings)
        assert torch.equal(run(net, p), run(net, p, **{without: other})) == same


def test_learned_tables_know_segments_and_cells_by_their_numbers(data):
    p = part_of(data)
    net = GridGNN(4, 2, replace(S, tables="learned", segments=12, cells=12))
    assert net.road.weight.shape == net.describe.weight.shape == (12, 8)
    plain = run(net, p, cells=p.cell_number)
    assert not torch.allclose(plain, run(net, p, cells=p.cell_number, ids=(p.ids + 1) % 12))
    assert not torch.allclose(plain, run(net, p, cells=(p.cell_number + 1) % 12))
