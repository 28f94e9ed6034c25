"""The paper's form for one city: tables with a row for each segment and each grid cell."""

from dataclasses import replace
from pathlib import Path

import pytest
import synthetic
import torch

from rntrajrec import settings
from rntrajrec.checkpoint import load
from rntrajrec.data import DataSet
from rntrajrec.export import export
from rntrajrec.train import Training
from rntrajrec.validate import figures


def city(root: Path, **changes) -> settings.Settings:
    s = settings.read(Path(__file__).parent.parent / "configs" / "smoke.toml")
    t = replace(s.training, train=("train",), validation=("validation",), epochs=2, **changes)
    synthetic.write(root / "train", trips=8)
    synthetic.write(root / "validation", trips=4, seed=1)
    return settings.Settings(replace(s.model, tables="learned"), t)


def test_tables_are_as_large_as_the_network_and_are_learned(tmp_path):
    s = city(tmp_path)
    training = Training(s, tmp_path / "out", tmp_path)
    grid = training.model.encoder.gridgnn
    before = grid.road.weight.clone(), grid.describe.weight.clone()
    training.run()
    assert [len(b) for b in before] == [12, 12]
    assert not torch.equal(before[0], grid.road.weight)
    assert not torch.equal(before[1], grid.describe.weight)
    model, state = load(tmp_path / "out" / "best.pt", DataSet(tmp_path / "validation"))
    assert (state["settings"]["model"]["segments"], state["settings"]["model"]["cells"]) == (12, 12)
    found = figures(model, DataSet(tmp_path / "validation"), s.training)
    assert found["path_f1"] > 0


def test_training_with_tables_goes_on(tmp_path):
    s = city(tmp_path)
    Training(replace(s, training=replace(s.training, epochs=1)), tmp_path / "out", tmp_path).run()
    t = Training(s, tmp_path / "out", tmp_path)
    t.resume()
    t.run()
    assert t.epoch == 2


def test_a_model_of_one_city_is_not_bundled(tmp_path):
    Training(city(tmp_path), tmp_path / "out", tmp_path).run()
    with pytest.raises(ValueError, match="belong to one city"):
        export(tmp_path / "out" / "best.pt", tmp_path / "bundle", DataSet(tmp_path / "validation"), [0], None)
    assert not (tmp_path / "bundle").exists()


def test_a_model_of_one_city_is_not_run_in_another(tmp_path):
    Training(city(tmp_path), tmp_path / "out", tmp_path).run()
    elsewhere = DataSet(synthetic.write(tmp_path / "elsewhere", fingerprint="g"))
    with pytest.raises(ValueError, match="belong to ring"):
        load(tmp_path / "out" / "best.pt", elsewhere)


def test_tables_need_one_city(tmp_path):
    s = city(tmp_path)
    synthetic.write(tmp_path / "validation", fingerprint="g")
    with pytest.raises(ValueError, match="one network"):
        Training(s, tmp_path / "out", tmp_path)


def test_tables_of_another_name_are_refused(tmp_path):
    s = city(tmp_path)
    with pytest.raises(ValueError, match="lerned"):
        Training(replace(s, model=replace(s.model, tables="lerned")), tmp_path / "out", tmp_path)
