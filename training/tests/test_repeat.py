"""Training can be repeated and interrupted: the same seed makes the same weights, whatever happens meanwhile."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic
import torch

from rntrajrec import settings, train
from rntrajrec.train import Training


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("repeat")
    synthetic.write(root / "train", trips=12)
    synthetic.write(root / "validation", trips=4, seed=1)
    return root


def started(root: Path, out: Path, **changes) -> Training:
    """A training with all parts, dropout and dropped groups."""
    s = settings.read(Path(__file__).parent.parent / "configs" / "smoke.toml")
    t = replace(s.training, train=("train",), validation=("validation",), **{"epochs": 3, **changes})
    return Training(settings.Settings(replace(s.model, ticks=True, dropout=0.3), t), out, root)


def same(a: Training, b: Training) -> bool:
    one, two = a.model.state_dict(), b.model.state_dict()
    return all(torch.equal(one[name], two[name]) for name in one)


def epochs(out: Path) -> list[dict]:
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [{k: v for k, v in line.items() if k != "seconds"} for line in lines if "validation" in line]


@pytest.fixture(scope="module")
def whole(root) -> Training:
    t = started(root, root / "whole")
    t.run()
    return t


def test_the_same_seed_makes_the_same_weights(root, whole, tmp_path):
    again, other = started(root, tmp_path / "again"), started(root, tmp_path / "other", seed=2)
    again.run()
    other.run()
    assert same(whole, again)
    assert epochs(whole.out) == epochs(again.out)
    assert not same(whole, other)


def test_processes_that_make_batches_change_nothing(root, whole, tmp_path):
    t = started(root, tmp_path, workers=1)
    t.run()
    assert same(whole, t)


def test_a_training_that_is_killed_goes_on_as_if_nothing_had_been(root, whole, tmp_path, monkeypatch):
    t, steps = started(root, tmp_path), 0

    def killed(*args):
        nonlocal steps
        steps += 1
        if steps == 5:  # in the second epoch
            raise KeyboardInterrupt
        return total(*args)

    total = train.total
    monkeypatch.setattr(train, "total", killed)
    with pytest.raises(KeyboardInterrupt):
        t.run()
    monkeypatch.undo()
    resumed = started(root, tmp_path)
    resumed.resume()
    assert resumed.epoch == 1
    resumed.run()
    assert same(whole, resumed)
    assert epochs(whole.out) == epochs(tmp_path)
    assert (resumed.best, resumed.best_epoch) == (whole.best, whole.best_epoch)


def test_what_is_finished_is_not_trained_on(root, whole):
    again = started(root, whole.out)
    again.resume()
    before = len(epochs(whole.out))
    again.run()
    assert len(epochs(whole.out)) == before
    assert same(whole, again)


def test_patience_outlasts_a_pause(root, tmp_path, monkeypatch):
    monkeypatch.setattr(Training, "validate", lambda self: {"loss_total": 1.0})  # it never gets better
    first = started(root, tmp_path, epochs=50, patience=2)
    first.one_epoch()
    first.one_epoch()
    second = started(root, tmp_path, epochs=50, patience=2)
    second.resume()
    second.run()
    assert (second.best_epoch, second.epoch) == (1, 3)


def test_a_training_stops_when_its_time_is_up(root, tmp_path):
    t = started(root, tmp_path, epochs=50, minutes=1e-9)
    t.run()
    assert t.epoch == 1


def test_the_best_weights_are_kept_not_the_last(root, tmp_path):
    t = started(root, tmp_path, epochs=1)
    t.one_epoch()
    kept = {name: v.clone() for name, v in t.model.state_dict().items()}
    t.best = -1e9  # nothing validates better than this
    t.one_epoch()
    assert not all(torch.equal(kept[name], v) for name, v in t.model.state_dict().items())
    best = torch.load(tmp_path / "best.pt", weights_only=False)
    assert all(torch.equal(kept[name], v) for name, v in best["model"].items())
