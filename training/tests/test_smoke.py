"""From an extract to recovered trips: every part of the chain once, on a generated city.

Needs the program: the variable RETRACE names it, as `make test` does.
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
CONFIG = ROOT / "training" / "configs" / "smoke.toml"
# Without the encoder; with it for the decoder of ticks; whole.
SETTINGS = {
    "routes": ["model.encoder=false", "training.epochs=4"],
    "ticks": [
        "model.ticks=true",
        "model.routes_context=false",
        "model.time_context=false",
        "training.epochs=3",
    ],
    "whole": ["model.ticks=true", "training.epochs=3"],
}
DECODERS = {"routes": ["routes"], "ticks": ["routes", "ticks"]}


@pytest.fixture(scope="module")
def retrace():
    program = os.environ.get("RETRACE")
    if not program:
        pytest.skip("the variable RETRACE names no program; make test-training sets it")

    def run(*words: str | Path) -> str:
        return called(program, "--quiet", *words)

    return run


def called(*words: str | Path) -> str:
    # From the root the program finds the library that models run in.
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def python(module: str, *words: str | Path) -> str:
    return called(sys.executable, "-m", f"rntrajrec.{module}", *words)


@pytest.fixture(scope="module")
def city(retrace, tmp_path_factory) -> Path:
    """A folder with an extract, dense trips over it and data sets of them: matched ones and simulated ones."""
    root = tmp_path_factory.mktemp("city")
    retrace("sample", root)
    network = f"--network={root / 'sample.osm.gz'}"
    dense = root / "dense.csv"
    retrace("simulate", network, "--trips=60", "-o", root / "sparse.csv", "--dense", dense)
    common = ["dataset", network, "--encoder", "--ticks"]
    for split in ("training", "validation"):
        retrace(*common, dense, f"--split={split}", "--keep=1/8", "-o", root / split)
    retrace(*common, "--simulate=20", "--keep=30s-300s", "-o", root / "simulated")
    return root


@pytest.fixture(scope="module", params=SETTINGS)
def trained(request, city) -> Path:
    """The folder of a training through the real loader, a process of its own."""
    out = city / request.param
    changes = ['training.train=["training", "simulated"]', 'training.validation=["validation"]']
    changes += ["training.workers=1", *SETTINGS[request.param]]
    python("train", CONFIG, out, "--data", city, *[w for c in changes for w in ("--set", c)])
    return out


def test_training_learns(trained):
    lines = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    epochs = [line for line in lines if "validation" in line]
    assert epochs[-1]["train"]["total"] < epochs[0]["train"]["total"]
    assert epochs[-1]["validation"]["loss_total"] < epochs[0]["validation"]["loss_total"]
    assert epochs[-1]["validation"]["path_f1"] > 0.5


def test_validation_finds_the_figures_of_training_again(trained, city):
    found = json.loads(python("validate", trained / "best.pt", "--data", city / "validation"))
    lines = [json.loads(line) for line in (trained / "log.jsonl").read_text().splitlines()]
    best = min(line["validation"]["loss_total"] for line in lines if "validation" in line)
    assert math.isclose(found["loss_total"], best, rel_tol=1e-4)


def test_the_program_recovers_with_the_bundle(trained, city, retrace):
    bundle = city / f"bundle-{trained.name}"
    python("export", trained / "best.pt", bundle, "--data", city / "validation")
    installed = list((ROOT / ".cache" / "onnxruntime").glob("*onnxruntime*"))
    if not installed and "RETRACE_ONNXRUNTIME" not in os.environ:
        pytest.skip("the library that models run in is not installed; make onnxruntime does so")
    if trained.name not in DECODERS:
        pytest.skip("the program does not let the decoder of routes look at the encoder yet")
    for decoder in DECODERS[trained.name]:
        said = retrace(
            "--json", "evaluate", city / "dense.csv", f"--network={city / 'sample.osm.gz'}", "--split=validation",
            "--keep=1/8", "--method=rntrajrec", f"--model={bundle}", f"--decoder={decoder}", "--draws=10",
        )  # fmt: skip
        report = json.loads(said)
        figures = {f["name"]: f["value"] for f in report["results"][0]["figures"] if f["section"] == "paper"}
        assert report["cases"] > 0
        assert 0.1 < figures["F1"] <= 1
        assert 0 < figures["MAE"] < 2000
