"""Data sets and batches."""

import numpy as np
import pytest
import synthetic
import torch

from rntrajrec.batch import collate, collate_for
from rntrajrec.data import DataSet, Dropper, batches
from rntrajrec.settings import ModelSettings


def test_another_schema_is_refused(tmp_path, data):
    other = synthetic.write(tmp_path, schema_hash="def")
    with pytest.raises(ValueError, match="schema"):
        DataSet(other, data.schema)


def test_a_batch_holds_the_rows_of_its_trips(data):
    shard = data.shards[0]
    b = collate(data, 0, [(0, 4), (0, 1)], encoder=True)
    first = slice(shard["sample_start"][4], shard["sample_start"][5])
    n = first.stop - first.start
    assert np.array_equal(b.points[:n], shard["points"][first])
    assert b.sample_step.tolist() == [*range(n), *range(len(b.sample_trip) - n)]
    assert len(b.gap_seconds) == len(b.sample_trip) - 2
    assert b.gap_sample.tolist() == [
        i for i in range(len(b.sample_trip)) if i not in (n - 1, len(b.sample_trip) - 1)
    ]
    # An option leads from a candidate of the sample before its gap to one of the sample after.
    for step in b.chains.steps:
        gaps = b.option_gap[step.options]
        assert torch.equal(b.candidate_sample[step.candidates[step.target]], b.gap_sample[gaps] + 1)
    assert b.piece_start[-1] == len(b.pieces)
    assert b.tick_start[-1] == len(b.tick_time)
    assert b.option_segment_start[-1] == len(b.option_segments)


def test_a_part_of_the_network_keeps_segments_and_neighbours(data):
    network = data.network(0)
    part, (places,) = network.part([np.array([[3, network.segments]])], 2, lambda _name, values: values)
    assert part.ids.tolist() == [1, 2, 3, 4, 5]  # on a ring, two hops around segment 3
    assert places.tolist() == [[2, 5]]  # and "none" is the number of segments
    assert part.successors[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert np.allclose(part.roads[2], network.roads[3])


def test_dropping_sets_the_unknown_value_of_whole_groups(data):
    drop = Dropper(data.schema, {"tags": 1.0}, np.random.default_rng(0))
    drop.draw()
    assert drop.groups == {"tags", "controls"}
    b = collate(data, 0, [(0, 0)], encoder=True, drop=drop)
    plain = collate(data, 0, [(0, 0)], encoder=True)
    assert b.pieces[:, 1:].unique().tolist() == [0.0, 1.0]
    assert (b.pieces[:, 1] == 1).all()  # class unknown
    assert (b.pieces[:, 2:] == 0).all()
    assert torch.equal(b.pieces[:, 0], plain.pieces[:, 0])
    assert torch.equal(b.part.roads[:, 2], plain.part.roads[:, 2])
    assert (b.part.roads[:, 0] == 1).all()
    # The files stay as they are.
    assert torch.equal(plain.pieces, collate(data, 0, [(0, 0)], encoder=True).pieces)


def test_an_epoch_holds_every_trip_once(data):
    seen = [t for _, trips in batches(data, data.trips(), 4, np.random.default_rng(1)) for t in trips]
    assert sorted(seen) == [(0, i) for i in range(6)]


def test_a_blind_model_sees_nothing_of_its_columns(data):
    whole, blind = (ModelSettings(blind=b) for b in ((), ("pieces.sl*", "roads.*")))
    plain, hidden = (collate_for(m, data, 0, [(0, 0)]) for m in (whole, blind))
    slow = data.schema.column("pieces", "slow")
    assert plain.pieces[:, slow].any()
    assert not hidden.pieces[:, slow].any()
    assert (hidden.part.roads == torch.from_numpy(data.schema.tensors["roads"].unknown)).all()
    others = [i for i in range(data.schema.width("pieces")) if i != slow]
    assert torch.equal(hidden.pieces[:, others], plain.pieces[:, others])
    with pytest.raises(ValueError, match="no column is called 'pieces.speling'"):
        collate_for(ModelSettings(blind=("pieces.speling",)), data, 0, [(0, 0)])
