"""One training in phases."""

import json
from pathlib import Path

import pytest
import synthetic
import torch

from rntrajrec import checkpoint, recipe
from rntrajrec.data import DataSet

RECIPE = """
[model]
d = 16
heads = 2
road_layers = 1
blocks = 1
hidden = 16
time_hidden = 16
time_blocks = 2
routes_alone = true
time_alone = true

[training]
train = ["train"]
validation = ["validation"]
epochs = 2
batch = 4
workers = 0
threads = 1

[[phase]]
name = "alone"
learns = ["routes_alone", "time_alone"]

[[phase]]
name = "whole"
learns = ["encoder", "routes", "time"]
begins = {routes = "routes_alone", time = "time_alone"}
epochs = 1
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("recipe")
    synthetic.write(root / "train", trips=8)
    synthetic.write(root / "validation", trips=4, seed=1)
    (root / "recipe.toml").write_text(RECIPE)
    recipe.run(recipe.read(root / "recipe.toml"), root / "out", root)
    return root


def weights(path: Path) -> dict[str, torch.Tensor]:
    return checkpoint.read(path)["model"]


def test_a_phase_changes_the_parts_that_learn_and_no_others(root):
    alone, whole = (weights(root / "out" / phase / "best.pt") for phase in ("alone", "whole"))
    for name, w in alone.items():
        part = name.partition(".")[0]
        if part in ("routes_alone", "time_alone"):
            assert torch.equal(w, whole[name]), name
    assert not torch.equal(alone["encoder.gridgnn.out.weight"], whole["encoder.gridgnn.out.weight"])


def test_a_part_begins_as_a_copy_of_another_one(root):
    p = recipe.read(root / "recipe.toml").phases[1]
    training = recipe.Training(p.settings, root / "copied", root)
    training.start_from(root / "out" / "alone" / "best.pt")
    training.copy("time", "time_alone")
    made = training.model.state_dict()
    own, context = made["time.enter.weight"].split([made["time_alone.enter.weight"].shape[1], 3 * 16], 1)
    assert torch.equal(own, made["time_alone.enter.weight"])
    assert not context.any()  # the encoder says nothing yet


def test_the_decoders_that_look_at_no_encoder_learn_without_it(root):
    lines = [json.loads(x) for x in (root / "out" / "log.jsonl").read_text().splitlines()]
    alone, whole = ([x for x in lines if x["phase"] == phase] for phase in ("alone", "whole"))
    assert len(alone) == 2
    assert len(whole) == 1
    assert "enc" not in alone[0]["train"]
    assert "enc" in whole[0]["train"]
    assert {"id", "rate"} <= alone[0]["train"].keys()


def test_the_weights_of_the_last_phase_are_those_of_the_recipe(root):
    model, state = checkpoint.load(root / "out" / "best.pt", DataSet(root / "train"))
    for name, w in weights(root / "out" / "whole" / "best.pt").items():
        assert torch.equal(w, model.state_dict()[name])
    assert [b["epochs"] for b in checkpoint.history(state)] == [2, 1]


def test_a_recipe_goes_on_where_it_stopped(root):
    whole = weights(root / "out" / "best.pt")
    made = recipe.read(root / "recipe.toml")
    first = recipe.Training(made.phases[0].settings, root / "again" / "alone", root)
    first.one_epoch()  # and no further
    recipe.run(made, root / "again", root)
    for name, w in weights(root / "again" / "best.pt").items():
        assert torch.equal(w, whole[name]), name


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('learns = ["routes_alone", "time_alone"]', 'learns = ["ticks"]', "no part 'ticks'"),
        ('learns = ["routes_alone", "time_alone"]', "", "phase 1 has no 'learns'"),
        ('name = "whole"', 'name = "alone"', "two phases"),
        ('name = "whole"', 'name = "whole"\nrates = 3', "'rates'"),
    ],
)
def test_recipes_that_cannot_be_are_refused(tmp_path, old, new, says):
    (tmp_path / "recipe.toml").write_text(RECIPE.replace(old, new, 1))
    with pytest.raises(ValueError, match=says):
        recipe.read(tmp_path / "recipe.toml")
