"""Exported graphs against PyTorch."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import synthetic
import torch

from rntrajrec import settings
from rntrajrec.batch import collate_for
from rntrajrec.checkpoint import load
from rntrajrec.data import DataSet
from rntrajrec.export import answers, compare, export, sha256, typed, write
from rntrajrec.graphs import Graph, graphs
from rntrajrec.inputs import inputs_of
from rntrajrec.model import Model
from rntrajrec.settings import ModelSettings
from rntrajrec.train import Training


@pytest.fixture(
    scope="module",
    params=[
        {"ticks": True, "routes_alone": True, "time_alone": True},
        {"ticks": True},
        {"encoder": False},
        {"ticks": True, "routes": False, "time": False},
    ],
    ids=["two of each", "both decoders", "no encoder", "ticks alone"],
)
def bundle(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("export")
    synthetic.write(root / "train", trips=8)
    synthetic.write(root / "validation", trips=6, seed=1)
    s = settings.read(Path(__file__).parent.parent / "configs" / "smoke.toml")
    s = replace(s, model=replace(s.model, **request.param))
    s = replace(s, training=replace(s.training, train=("train",), validation=("validation",), epochs=1))
    Training(s, root / "out", root).run()
    data = DataSet(root / "validation")
    manifest = export(root / "out" / "best.pt", root / "bundle", data, [0, 3, 5], root / "golden")
    return root, data, manifest


def test_a_bundle_may_go_without_the_decoders_that_look_at_no_encoder(bundle):
    root, data, whole = bundle
    if not whole["model"]["time_alone"]:
        pytest.skip("there are none")
    parts = ("routes_alone", "time_alone")
    m = export(root / "out" / "best.pt", root / "less", data, [0], None, left_out=parts)
    weights = [{g["name"]: g["weights"] for g in x["graphs"]} for x in (whole, m)]
    assert all(weights[1][name] < weights[0][name] for name in ("routes", "time"))
    assert not any(m["model"][p] for p in parts)


def all_at_once(model, b, e) -> tuple:
    """What training says of the moves of all ticks, and where the true ones are."""
    scores, ratio = model.at_ticks(b, e)
    found = b.ticks.target >= 0
    return scores - b.ticks.log_weight, ratio[found], b.ticks.target[found]


def test_graphs_agree_with_the_model_on_trips_of_other_sizes(bundle):
    root, data, manifest = bundle
    model, _ = load(root / "out" / "best.pt", data)
    for trip in range(6):
        b = collate_for(model.settings, data, 0, [(0, trip)])
        with torch.no_grad():
            e = model.encode(b)
            want = {}
            if model.settings.routes:
                reached = model.reached(b, e, torch.arange(len(b.gap_seconds)))
                want |= {"routes": model.scores(b, e), "time": (reached.share, reached.spread)}
            if e is not None:
                want |= {
                    "road": (e.road,),
                    "encoder": (e.h, e.whole, model.encoder.log_weights(e.z, b.sub_weights)),
                }
            if model.settings.ticks:
                scores, ratio, right = all_at_once(model, b, e)
                want |= {"ticks": (None, scores), "ratios": (ratio,)}
            inputs = inputs_of(model, b)
        assert {g["name"] for g in manifest["graphs"]} == set(want)
        for g in graphs(model):
            session = onnxruntime.InferenceSession(str(root / "bundle" / f"{g.name}.onnx"))
            values = {n: v.numpy() for n, v in typed(g, inputs[g.name]).items()}
            found = session.run(None, values)
            if g.name == "ratios":
                found = [found[0][right]]
            for got, expected in zip(found, want[g.name], strict=True):
                assert expected is None or np.abs(got - expected.numpy()).max() < 1e-4


def test_the_manifest_tells_what_the_application_must_know(bundle):
    root, data, _ = bundle
    manifest = json.loads((root / "bundle" / "manifest.json").read_text())
    assert manifest["schema_hash"] == data.schema.hash
    assert manifest["validation"]["loss_total"] > 0
    assert manifest["commit"]
    features = {"points": {"delta": 400}, "routes": {"count": 8}}
    ticks = manifest["model"]["ticks"]
    assert manifest["features"] == features | ({"ticks": {"beta": 15}} if ticks else {})
    assert manifest["decoder"] == ("routes" if manifest["model"]["routes"] else "ticks")
    assert manifest["data"][0]["trips"] == 8
    for g in manifest["graphs"]:
        assert sha256(root / "bundle" / g["file"]) == g["sha256"]
        session = onnxruntime.InferenceSession(str(root / "bundle" / g["file"]))
        assert [i.name for i in session.get_inputs()] == [i["name"] for i in g["inputs"]]
        assert {i.type for i in session.get_inputs()} <= {"tensor(float)", "tensor(int32)"}


def test_golden_vectors_hold_inputs_and_answers(bundle):
    root, _, manifest = bundle
    for g in manifest["graphs"]:
        folder = root / "golden" / g["name"]
        session = onnxruntime.InferenceSession(str(root / "bundle" / g["file"]))
        got = session.run(None, {i["name"]: np.load(folder / f"{i['name']}.npy") for i in g["inputs"]})
        for o, values in zip(g["outputs"], got, strict=True):
            assert np.abs(values - np.load(folder / f"{o['name']}.npy")).max() < 1e-4


def test_the_road_graph_knows_segments_of_few_and_of_many_cells(tmp_path, data):
    """Its steps over cells are unrolled, so they must not depend on the batch that it was traced with."""
    model = Model(data.schema, ModelSettings(d=8, heads=2)).eval()
    road = next(g for g in graphs(model) if g.name == "road")
    few, many = (collate_for(model.settings, data, 0, [(0, i)]) for i in (0, 5))
    few.part.cells, few.part.cell_count = few.part.cells[:, :1], few.part.cell_count.clamp(max=1)
    for traced in (few, many):
        write(road, typed(road, inputs_of(model, traced)["road"]), tmp_path / "road.onnx")
        for other in (few, many):
            values = typed(road, inputs_of(model, other)["road"])
            assert compare(road, tmp_path / "road.onnx", values) < 1e-4
            right = model.encode(other).road.detach().numpy()
            assert np.abs(answers(road, values)["road"] - right).max() < 1e-4


def test_operators_that_are_not_dense_are_refused(tmp_path):
    class Sparse(torch.nn.Module):
        def forward(self, x):
            return x.nonzero().float()

    graph = Graph("sparse", Sparse(), {"x": ("float32", ("rows",))}, {"y": ("rows", "one")})
    with pytest.raises(ValueError, match="NonZero"):
        write(graph, {"x": torch.ones(3)}, tmp_path / "sparse.onnx")


def test_features_of_another_schema_are_refused(bundle, tmp_path):
    root, _, _ = bundle
    other = DataSet(synthetic.write(tmp_path, schema_hash="def"))
    with pytest.raises(ValueError, match="schema"):
        load(root / "out" / "best.pt", other)
