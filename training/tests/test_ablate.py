"""The runner of ablations."""

from dataclasses import replace
from pathlib import Path

import pytest
import synthetic

from rntrajrec import ablate, settings
from rntrajrec import plan as data_plan
from rntrajrec.train import Training, overridden

CONFIG = """
base = "smoke.toml"
budget = ["training.epochs=1", "training.train=['train']", "training.validation=['validation']"]
seeds = [1, 2]
[[row]]
name = "whole"
[[row]]
name = "without GAT"
set = ["model.gat=false"]
[[measure]]
name = "Validation"
sets = ["validation"]
[[measure]]
name = "Without tags"
sets = ["validation", "train"]
hide = ["tags", "controls"]
"""


@pytest.fixture
def plan(tmp_path) -> ablate.Plan:
    synthetic.write(tmp_path / "train", trips=8)
    synthetic.write(tmp_path / "validation", trips=4, seed=1)
    smoke = Path(__file__).parent.parent / "configs" / "smoke.toml"
    (tmp_path / "smoke.toml").write_text(smoke.read_text())
    (tmp_path / "ablations.toml").write_text(CONFIG)
    return ablate.read(tmp_path / "ablations.toml")


def test_rows_are_trained_once_and_told_of(plan, tmp_path, monkeypatch):
    def all_rows() -> dict:
        return {
            row.name: {seed: ablate.train(plan, row, seed, tmp_path / "out", tmp_path) for seed in plan.seeds}
            for row in plan.rows
        }

    first = all_rows()
    assert set(first["whole"][1]["figures"]) == {"Validation", "Without tags"}
    assert first["whole"][1]["figures"] != first["whole"][2]["figures"]
    assert first["whole"][1]["weights"] > first["without GAT"][1]["weights"]
    page = ablate.page(plan, first)
    assert page.count("| without GAT | 2 |") == 2
    assert "Hidden: tags, controls." in page

    monkeypatch.setattr(ablate, "Training", None)  # nothing is trained again
    assert all_rows() == first


def test_another_set_is_measured_without_training_again(plan, tmp_path, monkeypatch):
    before = ablate.train(plan, plan.rows[0], 1, tmp_path / "out", tmp_path)
    more = replace(plan, measured=(*plan.measured, ablate.Measured("Training", ("train",))))
    monkeypatch.setattr(Training, "one_epoch", None)
    after = ablate.train(more, plan.rows[0], 1, tmp_path / "out", tmp_path)
    assert set(after["figures"]) == {"Validation", "Without tags", "Training"}
    assert after["figures"]["Validation"] == before["figures"]["Validation"]


def test_a_row_of_other_settings_does_not_go_on_from_these_weights(plan, tmp_path):
    ablate.train(plan, plan.rows[0], 1, tmp_path / "out", tmp_path)
    other = ablate.Row("whole", ("training.rate=1.0",))
    with pytest.raises(SystemExit, match="other settings or data"):
        ablate.train(plan, other, 1, tmp_path / "out", tmp_path)


def test_means_and_spreads_by_hand():
    rows = (ablate.Row("whole"), ablate.Row("less"))
    plan = ablate.Plan(settings.Settings(), (1, 2), rows, (ablate.Measured("set", ("a",)),))

    def result(f1: float) -> dict:
        return {
            "figures": {"set": {"path_f1": f1}},
            "weights": 1000,
            "seconds": 1,
            "hardware": "h",
            "commit": "c",
        }

    results = {"whole": {1: result(0.9), 2: result(0.92)}, "less": {1: result(0.8), 2: result(0.84)}}
    page = ablate.page(plan, results)
    assert "| whole | 2 | 1,000 | 0.9100 ± 0.0141 |  |" in page
    assert "| less | 2 | 1,000 | 0.8200 ± 0.0283 | -0.0900 ± 0.0141 |" in page


def test_names_that_mean_nothing_are_refused(tmp_path, plan):
    for wrong, says in (
        ("seeds = [1, 2]\nseed = 3", "'seed'"),
        ("seeds = [1, 2]\n[[row]]\nname='x'\nsets=[]", "'sets'"),
    ):
        (tmp_path / "wrong.toml").write_text(CONFIG.replace("seeds = [1, 2]", wrong))
        with pytest.raises(ValueError, match=says):
            ablate.read(tmp_path / "wrong.toml")


def test_the_table_of_the_project_is_whole():
    configs = Path(__file__).parent.parent / "configs"
    plan, table = ablate.read(configs / "ablations.toml"), data_plan.read(configs / "data.toml")
    made = {d.name for d in table.sets}
    for row in plan.rows:
        t = overridden(plan.base, list(row.set)).training
        assert {*t.train, *t.validation} <= made
    assert {n for m in plan.measured for n in m.sets} <= made
    assert len({r.name for r in plan.rows}) == len(plan.rows)
