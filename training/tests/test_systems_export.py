"""Exported systems against PyTorch."""

import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import synthetic
import torch
import untrained

from rntrajrec.data import DataSet
from rntrajrec.export import answers, sha256, typed
from rntrajrec.systems import trips
from rntrajrec.systems.agreement import agreement, hidden_of
from rntrajrec.systems.export import export, trained
from rntrajrec.systems.graphs import graphs, of_trip, walk


class Exported:
    """A system with its bundle."""

    def __init__(self, root: Path, name: str):
        self.root, self.bundle = root, root / "bundle"
        self.data = DataSet(synthetic.write(root / "set", trips=8))
        self.run = untrained.write(root / "run", self.data, name)
        self.manifest = export(self.run, self.bundle, root)
        self.system, city = trained(
            self.run, self.data, json.loads((self.run / "made-from.json").read_text())
        )
        self.trips = trips.read(self.data, city)
        self.graphs = {g.name: g for g in graphs(self.system)}
        self.sessions = {n: onnxruntime.InferenceSession(str(self.bundle / f"{n}.onnx")) for n in self.graphs}

    def ask(self, name: str, values: dict) -> list[torch.Tensor]:
        given = {n: v.numpy() for n, v in typed(self.graphs[name], values).items()}
        return [torch.from_numpy(a) for a in self.sessions[name].run(None, given)]


@pytest.fixture(scope="module", params=["mtrajrec", "t2vec", "rntrajrec"])
def exported(request, tmp_path_factory) -> Exported:
    return Exported(tmp_path_factory.mktemp(request.param), request.param)


def test_the_encoder_says_of_trips_of_all_sizes_what_the_system_does(exported):
    for i in range(len(exported.trips)):
        b = exported.trips.some([i])
        with torch.no_grad():
            e = exported.system.encoder(b)
            want = (e.h[0], e.whole, exported.system.decoder.w_h(e.h[0]))
        for got, expected in zip(exported.ask("encoder", of_trip(exported.system, b)), want, strict=True):
            assert (got - expected).abs().max() < 1e-4


def test_trips_are_recovered_as_in_pytorch_and_every_answer_on_the_way_is_near(exported):
    for i in range(len(exported.trips)):
        b = exported.trips.some([i])
        segment, ratio = exported.system.recover(b)
        asked, chosen, along = walk(
            exported.system, lambda v: exported.ask("encoder", v), lambda v: exported.ask("tick", v), b
        )
        assert chosen.tolist() == segment[0].tolist()
        assert (along - ratio[0]).abs().max() < 1e-4
        for values in asked:
            tick = exported.graphs["tick"]
            want = answers(tick, typed(tick, values)).values()
            for got, expected in zip(exported.ask("tick", values), want, strict=True):
                assert np.abs(got.numpy() - expected)[expected > -1e6].max() < 1e-4


def test_probabilities_add_up_to_one(exported):
    b = exported.trips.some([4])
    asked, _, _ = walk(
        exported.system, lambda v: exported.ask("encoder", v), lambda v: exported.ask("tick", v), b
    )
    for values in asked:
        assert abs(exported.ask("tick", values)[1].exp().sum() - 1) < 1e-5


def test_the_bundle_says_where_it_belongs(exported):
    m = json.loads((exported.bundle / "manifest.json").read_text())
    assert m["city"]["fingerprint"] == "f"
    assert m["city"]["segments"] == exported.system.decoder.w_id.out_features
    assert m["city"]["columns"] * m["city"]["rows"] > 0
    assert m["city"]["tick"] == 15
    assert m["schema_hash"] == exported.data.schema.hash
    assert m["licence"]
    assert m["data"][0]["trips"] == 8
    for g in m["graphs"]:
        assert sha256(exported.bundle / g["file"]) == g["sha256"]
        assert g["weights"] > 100


def test_golden_trips_hold_what_was_reported_and_recovered(exported):
    golden = {p.stem: np.load(p) for p in (exported.bundle / "golden" / "trip").glob("*.npy")}
    b = exported.trips.some([2])
    assert len(golden["time"]) == len(golden["lon"]) == len(golden["lat"]) == int(b.known.sum())
    assert golden["segment"].tolist() == exported.system.recover(b)[0][0].tolist()
    assert len(golden["ratio"]) == int(b.there.sum())


@pytest.mark.parametrize("name", ["transformer", "universal"])
def test_systems_that_are_not_exported_are_named(tmp_path, name):
    data = DataSet(synthetic.write(tmp_path / "set"))
    with pytest.raises(ValueError, match="is not exported; mtrajrec"):
        export(untrained.write(tmp_path / "run", data, name), tmp_path / "bundle", tmp_path)


def test_a_system_of_a_part_of_a_network_is_refused(tmp_path):
    data = DataSet(synthetic.write(tmp_path / "set"))
    run = untrained.write(tmp_path / "run", data, "mtrajrec", box=(0.0, -0.001, 0.003, 0.001))
    with pytest.raises(ValueError, match="7 of the network's 12 segments"):
        export(run, tmp_path / "bundle", tmp_path)


def test_a_data_set_that_was_written_anew_is_refused(tmp_path):
    run = untrained.write(tmp_path / "run", DataSet(synthetic.write(tmp_path / "set")), "mtrajrec")
    synthetic.write(tmp_path / "set", fingerprint="another")
    with pytest.raises(ValueError, match="another data set"):
        export(run, tmp_path / "bundle", tmp_path)


def test_agreement_counts_what_is_missing_and_leaves_ratios_at_samples_out(tmp_path):
    for name, segments, ratios in (
        ("ours", [1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4]),
        ("theirs", [1, 2, 7, -1], [0.9, 0.25, 0, 0]),
    ):
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "segment.npy", np.array(segments, dtype=np.int32))
        np.save(tmp_path / name / "ratio.npy", np.array(ratios, dtype=np.float32))
    found = agreement(tmp_path / "ours", tmp_path / "theirs", np.array([False, True, True, True]))
    assert found == {"ticks": 4, "missing": 1, "same_segment": 2, "hidden_compared": 1, "largest_ratio_difference": pytest.approx(0.05, abs=1e-6)}  # fmt: skip
    with pytest.raises(ValueError, match="4 and 4 ticks of 3"):
        agreement(tmp_path / "ours", tmp_path / "theirs", np.zeros(3, dtype=bool))


def test_hidden_ticks_are_those_without_a_sample(tmp_path):
    data = DataSet(synthetic.write(tmp_path / "set", trips=3))
    hidden = hidden_of(data)
    assert len(hidden) == len(data.shards[0]["step_segment"])
    assert (~hidden).sum() == len(data.shards[0]["sample_time"])
