"""make train, with a program that pretends to be retrace."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from rntrajrec import checkpoint, plan, settings
from rntrajrec.pipeline import Pipeline

# Writes the data set of tests, or a report that says what it was asked.
PROGRAM = """#!{python}
import json, pathlib, sys
sys.path[:0] = [{tests!r}]
words = sys.argv[1:]
if "dataset" in words:
    import synthetic
    synthetic.write(pathlib.Path(words[words.index("-o") + 1]), trips=4, seed=len(words))
else:
    figure = dict(section="paper", unit="share", value=0.5, low=0.4, high=0.6, n=9)
    figures = [figure | dict(name=n) for n in ("F1", "accuracy")]
    figures += [figure | dict(name=n, unit="m", value=100.0, low=90.0, high=110.0) for n in ("MAE", "RMSE")]
    figures.append(figure | dict(section="gap", group="over 300 s", name="MAE", unit="m", value=321.0, low=300.0, high=400.0, n=99))
    figures.append(figure | dict(section="class", group="service", name="MAE", unit="m", value=999.0, low=1.0, high=2000.0, n=3))
    results = [dict(method=m, keep="1/8", trips=9, figures=figures) for m in ("hmm", "rntrajrec")]
    both = dict(method="rntrajrec", against="hmm", keep="1/8", figures=[f | dict(value=-0.1, low=-0.2, high=0.0) for f in figures])
    print(json.dumps(dict(words=words, results=results, differences=[both])))
"""

TABLE = """
held_out = ["taipei"]
[[set]]
name = "train"
networks = ["*"]
arguments = ["--simulate=7"]
source = "Simulated trips."
[[set]]
name = "validation"
networks = ["osm/porto.osm.pbf"]
trips = ["trips.csv"]
arguments = ["--split=validation"]
small = ["--split=validation", "--most=2"]
[[set]]
name = "never used"
networks = ["*"]
[[model]]
name = "tiny"
config = "tiny.toml"
seeds = [1, 2]
check = "validation"
[[evaluation]]
name = "porto"
arguments = ["trips.csv", "--network=osm/porto.osm.pbf", "--keep=1/8"]
"""

SETTINGS = """
[model]
encoder = false
hidden = 8
time_hidden = 8
time_blocks = 1
[training]
train = ["train"]
validation = ["validation"]
epochs = 2
workers = 0
threads = 1
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A folder with a program, a table, settings and files of data, worked off once."""
    root = tmp_path_factory.mktemp("pipeline")
    files = {"retrace": PROGRAM.format(python=sys.executable, tests=str(Path(__file__).parent)), "data.toml": TABLE,
             "tiny.toml": SETTINGS, "data/trips.csv": ""}  # fmt: skip
    files |= {f"data/osm/{name}": "" for name in ("porto.osm.pbf", "monaco.osm.pbf", "taipei.osm.gz")}
    (root / "data" / "osm").mkdir(parents=True)
    for name, text in files.items():
        (root / name).write_text(text)
    (root / "retrace").chmod(0o755)
    pipeline(root).run()
    return root


def pipeline(root: Path, out: str = "out", small: bool = False) -> Pipeline:
    """A pipeline made anew, as another run of the command does."""
    return Pipeline(root / "data.toml", root / out, root / "retrace", root / "data", small)


def ran(capsys) -> set[str]:
    """The stages that were run since the last call."""
    return {line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if ": running" in line}


def log(root: Path, stage: str, out: str = "out") -> str:
    return (root / out / "logs" / f"{stage}.log").read_text()


def test_sets_are_of_all_extracts_but_those_held_out(root):
    said = log(root, "set-train")
    assert "monaco.osm.pbf" in said
    assert "porto.osm.pbf" in said
    assert "taipei" not in said
    assert "--simulate=7" in said
    assert not (root / "out" / "sets" / "never used").exists()


def test_the_card_tells_all_from_the_files(root):
    bundle = root / "out" / "bundles" / "tiny"
    card = (bundle / "MODEL_CARD.md").read_text()
    manifest = json.loads((bundle / "manifest.json").read_text())
    for word in (
        manifest["commit"], manifest["schema_hash"][:12], manifest["data"][0]["manifest_sha256"][:12], "4 dense", "`f`",
        "Simulated trips.", "ODbL", "| porto | rntrajrec | 1/8 | 9 | 0.500 (0.400 to 0.600) |", "| porto | hmm | 1/8 |",
        "| rntrajrec less hmm | 1/8 |  | -0.100 (-0.200 to +0.000) |",
        "seed 1", "seed 2", " ± ", "| over 300 s | 99 | 321.0 (300.0 to 400.0) |", f"{manifest['graphs'][0]['weights']:,}",
        manifest["hardware"],
    ):  # fmt: skip
        assert word in card
    assert "service" not in card  # three ticks say nothing
    assert (bundle / "golden" / "routes" / "u.npy").exists()


def test_what_is_done_is_not_done_again(root, capsys):
    again = pipeline(root)
    again.run()
    assert ran(capsys) == {"card-tiny"}
    summary = again.summary()
    assert "in all" in summary
    assert "tiny was trained on" in summary
    # Another program may recover otherwise, but changes no weights.
    with open(root / "retrace", "a") as f:
        f.write("# changed\n")
    pipeline(root).run()
    assert ran(capsys) == {"set-train", "set-validation", "card-tiny", "evaluate-tiny-porto"}


def test_a_training_begins_with_the_mean_of_others(root):
    p = pipeline(root)
    row = plan.ModelPlan("second", "tiny.toml", start=("tiny",))
    second = p.train(row, 1)
    p.train(replace(row, name="third", start=("tiny", "second")), 1)
    runs = root / "out/runs"
    one, other, mean = (
        checkpoint.read(r / "best.pt")["model"] for r in (runs / "tiny-1", second, runs / "third-1-start")
    )
    for name, w in mean.items():
        assert torch.allclose(w, (one[name] + other[name]) / 2, atol=1e-6), name
    assert "third-1-start/best.pt" in log(root, "train-third-1")
    assert len(checkpoint.history(checkpoint.read(runs / "third-1/best.pt"))) == 3


def test_a_part_is_taken_from_the_mean_of_others(root):
    (root / "frozen.toml").write_text(SETTINGS + 'frozen = ["time"]\n')
    p = pipeline(root)
    second = plan.ModelPlan("second", "tiny.toml", start=("tiny",))
    p.plan = replace(p.plan, models=(second, *p.plan.models))  # it waits for what stands below it
    p.run()
    assert not (root / "out" / "bundles" / "second").exists()
    row = plan.ModelPlan("fourth", "frozen.toml", start=("tiny",), take={"time": ["tiny", "second"]})
    p.train(row, 1)
    runs = root / "out/runs"
    mean, tiny, made = (
        checkpoint.read(runs / r / "best.pt")["model"] for r in ("fourth-1-time", "tiny-1", "fourth-1")
    )
    assert torch.equal(made["time.enter.weight"], mean["time.enter.weight"])
    assert not torch.equal(made["time.enter.weight"], tiny["time.enter.weight"])
    assert not torch.equal(made["routes.option.0.weight"], mean["routes.option.0.weight"])


RECIPE = """
[[phase]]
name = "alone"
learns = ["time_alone"]
[[phase]]
name = "both"
learns = ["time", "routes"]
begins = {time = "time_alone"}
train = ["validation"]
"""


def test_a_recipe_is_one_training(root):
    (root / "recipe.toml").write_text(
        SETTINGS.replace("[training]", "time_alone = true\n[training]") + RECIPE
    )
    p = pipeline(root)
    row = plan.ModelPlan("phases", "recipe.toml", check="validation")
    assert [t.train for t in p.phases(row, [])] == [("train",), ("validation",)]
    run = p.train(row, 1)
    p.bundle(row, [run])
    state = checkpoint.read(run / "best.pt")
    took = [b["seconds"] for b in checkpoint.history(state)]
    assert p.stages.seconds["train-phases-1"] == sum(took) > took[-1]
    assert len((run / "log.jsonl").read_text().splitlines()) == 4
    assert (root / "out" / "bundles" / "phases" / "MODEL_CARD.md").exists()


def test_other_settings_do_not_go_on_from_old_weights(root):
    (root / "tiny.toml").write_text(SETTINGS.replace("hidden = 8", "hidden = 4"))
    with pytest.raises(SystemExit, match="other settings or data"):
        pipeline(root).run()


def test_a_small_run_takes_other_arguments(root):
    pipeline(root, "small", small=True).sets({"validation"})
    assert "--most=2" in log(root, "set-validation", "small")


def test_a_stage_that_fails_says_why(root):
    (root / "retrace").write_text(f"#!{sys.executable}\nraise SystemExit('no such extract')\n")
    with pytest.raises(SystemExit, match=r"no such extract\nset-train failed with status 1"):
        pipeline(root, "failed").run()
    assert not (root / "failed" / "stages" / "set-train.json").exists()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("[[sets]]", "'sets'"),
        ('[[set]]\nname = "x"\nnetworks = []\nsimulate = 3', "'simulate'"),
        ('[[set]]\nname = "x"', "networks"),
        ('[[set]]\nname = "train"\nnetworks = []', "two rows"),
    ],
)
def test_tables_that_cannot_be_are_refused(tmp_path, wrong, says):
    (tmp_path / "data.toml").write_text(TABLE + wrong + "\n")
    with pytest.raises(ValueError, match=says):
        plan.read(tmp_path / "data.toml")


def test_the_table_of_the_project_is_whole():
    configs = Path(__file__).parent.parent / "configs"
    table = plan.read(configs / "data.toml")
    assert {"taipei", "milan", "helsinki"} <= set(table.held_out)
    for m in table.models:
        assert (configs / m.config).exists()
        model = settings.read(configs / m.config).model
        if m.check:
            assert m.check in {d.name for d in table.sets}
            assert model.routes  # the application needs both
            assert model.time
        assert m.check or not m.install
        assert {*m.start, *(n for names in m.take.values() for n in names)} <= {o.name for o in table.models}
