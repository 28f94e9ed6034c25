"""The harness of the systems and the page made from its logs."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic

from rntrajrec import plan as data_plan
from rntrajrec.systems import page, run, train
from rntrajrec.systems import table as table_
from rntrajrec.systems.logs import Logs, read

CONFIGS = Path(__file__).parent.parent / "configs"
TABLE = """
seeds = [1, 2]
[sizes]
d = 16
heads = 2
layers = 1
road_layers = 1
[budget]
steps = 6
every = 2
batch = 4
[[row]]
name = "Linear + HMM"
system = "linear"
paper = "Linear + HMM"
[[row]]
name = "MTrajRec"
system = "mtrajrec"
paper = "MTrajRec"
[[row]]
name = "RNTrajRec, universal form"
system = "universal"
[[bench]]
name = "Ring x8"
train = "train"
validation = "validation"
test = "test"
extract = "ring.osm.pbf"
paper = "Porto x8"
differs = "It is a ring."
[[group]]
name = "Systems"
benches = ["Ring x8"]
rows = ["Linear + HMM", "MTrajRec", "RNTrajRec, universal form"]
"""


class Scorer:
    """Stands for the application: it scores what was recovered by how many ticks there are."""

    def call(self, command, _bench, _places, *words):
        assert command == "recover"
        folder = Path(words[0].removeprefix("-places="))
        assert np.load(folder / "lon.npy").dtype == np.load(folder / "lat.npy").dtype == np.float64
        return {"seconds": 1.0, "trips": 1}

    def score(self, _bench, _places, folder):
        found = len(list(folder.glob("*.npy")))
        return {"paper": {"F1": 0.25 * found, "accuracy": 0.2, "MAE": 100.0}, "elevated": {"SR%50": 0.5}}


@pytest.fixture
def table(tmp_path) -> table_.Table:
    for i, name in enumerate(("train", "validation", "test")):
        synthetic.write(tmp_path / "sets" / name, trips=8, seed=i)
    (tmp_path / "systems.toml").write_text(TABLE)
    return table_.read(tmp_path / "systems.toml")


@pytest.fixture
def places(tmp_path) -> train.Places:
    return train.Places(tmp_path / "sets", tmp_path / "out", tmp_path / "logs", Scorer())


def test_a_row_is_trained_measured_and_told(table, places, tmp_path):
    bench = table.benches[0]
    data = None
    for row in table.rows[:2]:
        log, data = train.one(table, row, bench, 1, places, data)
    found = read(log)
    assert found.head["row"] == "MTrajRec"
    assert found.head["weights"] > 0
    assert [v["step"] for v in found.validations] == [2, 4, 6]
    text = page.page(table, Logs(places.logs, table), {}, None, None)
    assert "2 of 3 rows" in text
    assert "| RNTrajRec, universal form | not run |" in text
    assert "when their steps ended: MTrajRec." in text
    segments = np.load(places.out / "ring-x8" / "mtrajrec-1" / "recovered" / "segment.npy")
    shard = data_of(tmp_path / "sets" / "test")
    assert len(segments) == len(shard)
    assert segments.dtype == np.int32


def data_of(folder: Path) -> np.ndarray:
    return np.load(folder / "dense-00000" / "step_segment.npy")


def test_a_training_that_was_stopped_goes_on_the_same(table, places):
    row, bench = table.row("MTrajRec"), table.benches[0]
    data = train.load(table, bench, row, places.sets)

    def run(name: str) -> train.Run:
        r = train.Run(table, row, bench, 1, data, places.out / name)
        r.resume()
        return r

    stopped = run("stopped")
    save = stopped.save

    def save_and_stop(better: bool) -> None:
        save(better)
        raise KeyboardInterrupt

    stopped.save = save_and_stop
    with pytest.raises(KeyboardInterrupt):
        stopped.run()
    assert stopped.step == 2
    totals = []
    for r in (run("stopped"), run("whole")):
        r.run()
        assert r.step == 6
        totals.append([line["validation"]["total"] for line in r.lines])
    assert totals[0] == totals[1]


def test_the_rate_rises_and_falls_to_nothing():
    b = table_.Budget(steps=100, rate=0.5)
    assert [round(b.rate_at(k), 3) for k in (0, 5, 50, 100)] == [0.005, 0.497, 0.25, 0.0]


def test_what_has_tables_of_a_city_is_not_measured_in_another(table, places):
    bench = table.benches[0]
    elsewhere = replace(bench, name="Never seen", after=bench.name, test="validation")
    table = replace(
        table,
        benches=(bench, elsewhere),
        groups=(replace(table.groups[0], benches=("Ring x8", "Never seen")),),
    )
    universal = table.row("RNTrajRec, universal form")
    with pytest.raises(SystemExit, match="first"):
        train.one(table, universal, elsewhere, 1, places)
    train.one(table, universal, bench, 1, places)
    log, _ = train.one(table, universal, elsewhere, 1, places)
    assert read(log).head["bench"] == "Never seen"
    assert not train.one(table, table.row("MTrajRec"), elsewhere, 1, places)[0].exists()
    text = page.page(table, Logs(places.logs, table), {}, None, None)
    assert "| MTrajRec | cannot |" in text
    assert "2 of 5 rows" in text


def test_a_row_of_other_settings_does_not_go_on(table, places):
    row, bench = table.row("MTrajRec"), table.benches[0]
    data = train.load(table, bench, row, places.sets)
    train.Run(table, row, bench, 1, data, places.out / "row")
    with pytest.raises(SystemExit, match="other settings or data"):
        train.Run(table, replace(row, train={"rate": 1.0}), bench, 1, data, places.out / "row")


def test_all_systems_see_the_same_batches(table, places):
    bench = table.benches[0]
    data = train.load(table, bench, table.rows[1], places.sets)
    seen = []
    for i, row in enumerate(table.rows[1:]):
        r = train.Run(table, row, bench, 3, data, places.out / str(i))
        seen.append([r.batch(k).ratio.sum().item() for k in range(5)])
    assert seen[0] == seen[1]
    assert len(set(seen[0][:2])) == 2


def test_the_universal_form_is_said_to_be_behind_where_it_is(table, places):
    bench = table.benches[0]
    figures = {"MTrajRec": (0.6, 0.4, 90.0), "RNTrajRec, universal form": (0.5, 0.5, 80.0)}
    for name, (f1, accuracy, mae) in figures.items():
        row = table.row(name)
        head = train.head(row, bench, 1, [], {}, {}) | {"weights": 1000}
        for seed in (1, 2):
            test = {"paper": {"F1": f1 + 0.1 * (seed - 1), "accuracy": accuracy, "MAE": mae}}
            train.finish(places.logs / bench.key / f"{row.key}-{seed}.jsonl", [head, {"test": test}])
    paper = tomllib.loads((CONFIGS / "systems-paper.toml").read_text())
    drawn = {"bench": "Ring x8", "trip": 3, "commit": "abc", "pictures": {"known": "What was known"}}
    text = page.page(table, Logs(places.logs, table), paper, None, drawn)
    assert "**RNTrajRec, universal form**, F1: behind MTrajRec." in text
    assert (
        "**RNTrajRec, universal form**, MAE: ahead of all 1 other rows that were run, of MTrajRec by 10.00."
        in text
    )
    assert "| MTrajRec | 2 |  |  | 0.650 ± 0.071 | 0.400 ± 0.000 |" in text
    assert "| 0.691 | 0.466 | 125.8 | 184.9 |" in text  # the paper's
    assert "![What was known](results/case/known.png)" in text


def test_a_log_that_is_cut_is_refused(table, places):
    path = places.logs / table.benches[0].key / "mtrajrec-1.jsonl"
    train.finish(path, [{"row": "MTrajRec"}, {"step": 2}])
    with pytest.raises(ValueError, match="run the row again"):
        Logs(places.logs, table)


def test_names_that_mean_nothing_are_refused(tmp_path):
    wrong = ('[budget]\nstep = 1\nseeds = [1]', 'seeds = [1]\n[[row]]\nname = "x"\nsystem = "y"')  # fmt: skip
    for text, says in zip(wrong, ("'step'", "'y'"), strict=True):
        (tmp_path / "wrong.toml").write_text(
            text if text.startswith("seeds") else f"seeds = [1]\n{text[:17]}"
        )
        with pytest.raises(ValueError, match=says):
            table_.read(tmp_path / "wrong.toml")


def test_only_a_system_of_any_network_learns_elsewhere_too(tmp_path):
    text = 'seeds = [1]\n[[row]]\nname = "x"\nsystem = "SYSTEM"\nalso = ["cities"]'
    path = tmp_path / "table.toml"
    path.write_text(text.replace("SYSTEM", "mtrajrec"))
    with pytest.raises(ValueError, match="'x' cannot learn from 'cities'"):
        table_.read(path)
    path.write_text(text.replace("SYSTEM", "routes"))
    assert table_.read(path).rows[0].also == ("cities",)


def test_the_table_of_the_project_is_whole():
    table = table_.read(CONFIGS / "systems.toml")
    sets = {d.name for d in data_plan.read(CONFIGS / "systems-data.toml").sets}
    paper = tomllib.loads((CONFIGS / "systems-paper.toml").read_text())
    for bench in table.benches:
        assert {bench.train, bench.validation, bench.test} <= sets
        assert not bench.paper or bench.paper in paper
        assert bench.differs
    assert {name for row in table.rows for name in row.also} <= sets
    assert len({r.key for r in table.rows}) == len(table.rows)
    assert {r.system for r in table.rows} == {*table_.WHOLE, *table_.ENCODERS, *table_.APPLICATION}
    printed = {name for rows in paper.values() for name in rows}
    assert {r.paper for r in table.rows if r.paper} <= printed
    first = [j[2] for j in run.jobs(table, [], [], 0)]
    assert first == sorted(first)  # every row once before any is trained again


def test_what_is_committed_makes_the_page():
    """The page of the project says no other figures than its logs."""
    training = CONFIGS.parent
    table = table_.read(CONFIGS / "systems.toml")
    logs = Logs(training / "results" / "systems", table)
    text = (training.parent / "docs" / "results.md").read_text()
    paper = tomllib.loads((CONFIGS / "systems-paper.toml").read_text())
    folder = training / "results" / "systems"
    made = page.page(table, logs, paper, page.kept(folder, "efficiency"), page.kept(folder, "case"))
    assert text == made
