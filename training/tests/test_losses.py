"""The losses against values worked out by hand."""

from types import SimpleNamespace

import torch

from rntrajrec.losses import by_length, likeness, segment_sum


def test_likeness_forgives_a_few_metres_of_a_short_way():
    b = SimpleNamespace(
        piece_length=torch.tensor([100.0, 100.0]),
        piece_start=torch.tensor([0, 2, 2]),  # a way of 200 m, and a vehicle that stands
        option_gap=torch.tensor([0, 0, 1, 1, 1]),
        option_length=torch.tensor([200.0, 400.0, 0.0, 10.0, 500.0]),
        overlap=torch.tensor([0.9, 0.5, 0.0, 0.0, 0.0]),
    )
    assert torch.allclose(likeness(b), torch.tensor([0.9, 0.5, 1.0, 0.8, 0.0]))


def test_sums_of_stretches():
    assert segment_sum(torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0, 2, 2, 3])).tolist() == [3.0, 0.0, 4.0]


def test_gaps_are_grouped_by_length_and_none_without_pieces():
    groups = by_length(torch.tensor([5, 0, 1, 9, 2]), at_once=2)
    assert [g.tolist() for g in groups] == [[2, 4], [0, 3]]
