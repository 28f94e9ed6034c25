"""Training as a whole."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic
import torch

from rntrajrec import checkpoint, settings
from rntrajrec.average import average
from rntrajrec.batch import collate
from rntrajrec.data import DataSet
from rntrajrec.decoder_routes import viterbi
from rntrajrec.losses import likeness, total
from rntrajrec.model import Model
from rntrajrec.train import Training, overridden
from rntrajrec.validate import figures

SMALL = settings.ModelSettings(
    d=16, heads=2, road_layers=1, blocks=1, hidden=32, time_hidden=16, time_blocks=2
)


@pytest.mark.parametrize("encoder", [False, True])
def test_one_trip_is_learned_by_heart(data, encoder):
    t = settings.TrainSettings(
        candidate_sharpness=0.0
    )  # the routes of this trip are not those of its candidates
    model = Model(data.schema, replace(SMALL, encoder=encoder))
    b = collate(data, 0, [(0, 2)], encoder, hops=1)
    optimiser = torch.optim.Adam(model.parameters(), 1e-2)
    for step in range(200):
        losses = total(model, b, t)
        if step == 0:
            first = losses.parts
        optimiser.zero_grad()
        losses.total.backward()
        optimiser.step()
    assert losses.parts["rate"] < 0.1 * first["rate"]
    # No path is the truth itself: the nearest one bounds L_id from below.
    soft = -t.sharpness * (1 - likeness(b))
    least = -soft[viterbi(b.chains, torch.zeros(len(b.candidates)), soft)[0]].sum() / len(b.gap_seconds)
    assert least - 1e-4 < losses.parts["id"] < least + 0.1 < first["id"]
    if encoder:
        assert losses.parts["enc"] < 0.1 * first["enc"]


def smoke(tmp_path: Path, **changes) -> tuple[settings.Settings, Path]:
    synthetic.write(tmp_path / "train", trips=8)
    synthetic.write(tmp_path / "validation", trips=4, seed=1)
    s = settings.read(Path(__file__).parent.parent / "configs" / "smoke.toml")
    t = replace(s.training, train=("train",), validation=("validation",), **changes)
    return replace(s, training=t), tmp_path


def test_training_writes_its_log_and_goes_on_where_it_stopped(tmp_path):
    s, root = smoke(tmp_path)
    whole = Training(s, root / "whole", root)
    whole.run()
    lines = [json.loads(line) for line in (root / "whole" / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2, 3]
    assert lines[-1]["train"]["total"] < lines[0]["train"]["total"]
    assert {"path_f1", "path_f1_ceiling", "time_mae", "uniform_mae"} <= set(lines[0]["validation"])

    part = Training(s, root / "part", root)
    part.one_epoch()
    resumed = Training(s, root / "part", root)
    resumed.resume()
    resumed.run()
    for a, b in zip(whole.model.parameters(), resumed.model.parameters(), strict=True):
        assert torch.equal(a, b)


def test_a_checkpoint_of_another_model_is_refused(tmp_path):
    s, root = smoke(tmp_path, epochs=1)
    Training(s, root / "out", root).run()
    other = Training(overridden(s, ["model.d=8"]), root / "out", root)
    with pytest.raises(ValueError, match="other settings"):
        other.resume()


def test_training_stops_when_validation_gets_no_better(tmp_path):
    s, root = smoke(tmp_path, epochs=50, patience=2, rate=0.0)
    t = Training(overridden(s, ["model.encoder=false"]), root / "out", root)
    t.run()
    assert (t.best_epoch, t.epoch) == (1, 3)


def test_figures_of_a_perfect_model_are_the_ceiling(data):
    """Scores that know the truth reach the ceiling, and true times leave no error."""

    class Perfect(torch.nn.Module):
        settings = replace(SMALL, encoder=False)

        def encode(self, b):
            return None

        def speaking(self, kind, e):
            return (kind,)

        def scores(self, b, e, by=None):
            return torch.zeros(len(b.candidates)), -1000 * (1 - b.overlap)

        def reached(self, b, e, gaps, by=None):
            r = Model.reached(self.model, b, e, gaps)
            return replace(r, share=r.true)

    perfect = Perfect()
    perfect.model = Model(data.schema, perfect.settings)
    found = figures(perfect, data, settings.TrainSettings())
    assert found["path_f1"] > 0.95 * found["path_f1_ceiling"]
    assert found["time_mae"] < 1e-3 < found["uniform_mae"]
    assert found["loss_rate"] < 1e-3


def test_hidden_groups_change_the_figures(data):
    model = Model(data.schema, replace(SMALL, encoder=False)).eval()
    plain, blind = (
        figures(model, data, settings.TrainSettings(), hidden) for hidden in ((), ("tags", "controls"))
    )
    assert plain["loss_rate"] != blind["loss_rate"]
    assert plain["uniform_mae"] == blind["uniform_mae"]


def with_one_more_column(folder: Path) -> None:
    """Gives a data set a column that its tensor of routes did not have: the first of all."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    routes = next(t for t in manifest["schema"]["tensors"] if t["name"] == "routes")
    routes["columns"].insert(
        0, {"name": "new", "unit": "1", "group": "gathered", "min": 0, "max": 1, "unknown": 0}
    )
    manifest["schema_hash"] = "another"
    path.write_text(json.dumps(manifest))
    for options in folder.glob("*/options.npy"):
        values = np.load(options).reshape(-1, len(routes["columns"]) - 1)
        np.save(options, np.concatenate([np.ones((len(values), 1), np.float32), values], 1).ravel())


def test_training_goes_on_with_more_features(tmp_path):
    s, root = smoke(tmp_path)
    s = replace(s, model=replace(s.model, encoder=False))
    first = Training(s, root / "first", root)
    first.run()
    before = first.model.eval().scores(collate(first.validation[0], 0, [(0, 0)], False), None)
    with_one_more_column(root / "train")
    with_one_more_column(root / "validation")
    more = Training(s, root / "more", root)
    more.start_from(root / "first" / "last.pt")
    after = more.model.eval().scores(collate(more.validation[0], 0, [(0, 0)], False), None)
    for x, y in zip(before, after, strict=True):  # a new column has no weight yet
        assert torch.allclose(x, y, atol=1e-6)
    assert more.before[-1]["commit"] == first.commit


def test_a_checkpoint_that_does_not_name_its_columns_fits_its_own_schema_only(tmp_path):
    s, root = smoke(tmp_path)
    first = Training(s, root / "first", root)
    first.run()
    state = checkpoint.read(root / "first" / "last.pt")
    del state["columns"]
    assert checkpoint.adopt(state, first.schema, first.settings) is state["model"]
    with_one_more_column(root / "train")
    other = DataSet(root / "train").schema
    with pytest.raises(ValueError, match="another schema"):
        checkpoint.adopt(state, other, first.settings)


def test_an_encoder_is_learned_beside_decoders_that_stay_as_they_are(tmp_path):
    s, root = smoke(tmp_path)
    plain = Training(replace(s, model=replace(s.model, encoder=False)), root / "plain", root)
    plain.one_epoch()
    grown = replace(
        s.model, encoder=True, ticks=True, routes_context=False, time_context=False, d=16, heads=2
    )
    t = replace(s.training, frozen=("routes", "time"))
    whole = Training(replace(s, model=grown, training=t), root / "whole", root)
    whole.start_from(root / "plain" / "last.pt")
    before = {name: w.clone() for name, w in whole.model.state_dict().items()}
    whole.one_epoch()
    after, old = whole.model.state_dict(), plain.model.state_dict()
    for name, w in old.items():
        assert torch.equal(after[name], w), name
    assert any(
        not torch.equal(after[n], before[n]) for n in after if n.startswith("ticks.") and n.endswith("weight")
    )
    plain.one_epoch()  # the decoders get better meanwhile
    again = Training(whole.settings, root / "whole", root)
    again.start_from(root / "plain" / "last.pt")
    again.resume()
    assert torch.equal(again.model.routes.option[0].weight, plain.model.routes.option[0].weight)
    assert torch.equal(again.model.ticks.w_id.weight, whole.model.ticks.w_id.weight)
    assert (again.epoch, again.before[-1]["epochs"]) == (1, 2)
    assert {"loss_id", "loss_rate", "loss_tick_id"} <= whole.figures.keys()
    assert whole.before[-1]["epochs"] == 1
    with pytest.raises(ValueError, match="frozen"):
        Training(replace(s, training=replace(t, frozen=("ticks",))), root / "no", root)


def test_an_encoder_begins_to_speak_to_decoders_and_those_of_ticks_follow(tmp_path):
    s, root = smoke(tmp_path)
    silent = replace(s.model, encoder=True, ticks=True, routes_context=False, time_context=False)
    first = Training(replace(s, model=silent), root / "first", root)
    first.one_epoch()
    speaking = replace(s, model=replace(silent, routes_context=True, time_context=True))

    def after(name, frozen, origin):
        t = Training(replace(speaking, training=replace(s.training, frozen=frozen)), root / name, root)
        t.start_from(root / origin / "last.pt")
        return t

    heard = after("heard", ("ticks",), "first")
    with torch.no_grad():
        b = collate(heard.train[0], 0, [(0, 0), (0, 1)], True)
        old, new = (t.model.eval().scores(b, t.model.encode(b)) for t in (first, heard))
    for x, y in zip(old, new, strict=True):  # a new context has no weight yet
        assert torch.allclose(x, y, atol=1e-5)
    heard.one_epoch()
    assert "loss_tick_id" not in heard.figures
    changed = changes(first, heard)
    assert {"encoder", "routes", "time"} <= changed
    assert "ticks" not in changed

    followed = after("followed", ("encoder", "routes", "time"), "heard")
    followed.one_epoch()
    assert changes(heard, followed) == {"ticks"}
    assert {"loss_id", "loss_tick_id"} <= followed.figures.keys()


def test_the_decoder_of_time_goes_on_alone_and_is_taken_back(tmp_path):
    s, root = smoke(tmp_path)
    heard = replace(s.model, encoder=True, ticks=True, time_context=True)
    whole = Training(replace(s, model=heard), root / "whole", root)
    whole.one_epoch()
    alone = Training(
        replace(s, model=replace(heard, encoder=False, routes=False, ticks=False)), root / "alone", root
    )
    alone.start_from(root / "whole" / "last.pt")
    columns = alone.schema.width("pieces")  # what the encoder told is cut off
    assert torch.equal(alone.model.time.enter.weight, whole.model.time.enter.weight[:, :columns])
    alone.one_epoch()
    assert "loss_rate" in alone.figures
    assert "loss_id" not in alone.figures

    parts = ("encoder", "routes", "time", "time_alone")
    t = replace(s.training, frozen=parts)
    back = Training(replace(s, model=replace(heard, time_alone=True), training=t), root / "back", root)
    back.start_from(root / "whole" / "last.pt")
    back.take("time_alone", root / "alone" / "last.pt")
    back.one_epoch()
    assert changes(whole, back) == {"ticks", "time_alone"}
    taken, trained = back.model.time_alone.state_dict(), alone.model.time.state_dict()
    assert all(torch.equal(w, trained[n]) for n, w in taken.items())
    assert [len(b["data"]) for b in back.before] == [1, 1]

    routes = Training(
        replace(s, model=replace(heard, encoder=False, time=False, ticks=False)), root / "routes", root
    )
    routes.start_from(root / "whole" / "last.pt")
    routes.one_epoch()
    frozen = replace(t, frozen=("encoder", "routes", "routes_alone", "time"))
    two = Training(replace(s, model=replace(heard, routes_alone=True), training=frozen), root / "two", root)
    two.start_from(root / "whole" / "last.pt")
    two.take("routes_alone", root / "routes" / "last.pt")
    taken, trained = two.model.routes_alone.state_dict(), routes.model.routes.state_dict()
    assert all(torch.equal(w, trained[n]) for n, w in taken.items())

    silent = replace(heard, time_context=False)
    other = Training(replace(s, model=silent, training=replace(t, frozen=parts[:3])), root / "other", root)
    other.start_from(root / "whole" / "last.pt")
    other.take("time", root / "alone" / "last.pt")
    other.one_epoch()
    assert other.figures["loss_rate"] == pytest.approx(alone.figures["loss_rate"], rel=1e-5)
    with pytest.raises(ValueError, match="frozen"):
        other.take("ticks", root / "whole" / "last.pt")
    with pytest.raises(ValueError, match="no part 'routes'"):
        other.take("routes", root / "alone" / "last.pt")
    with pytest.raises(ValueError, match="beside an encoder"):
        back.take("time_alone", root / "whole" / "last.pt")


def test_ways_and_times_alone_teach_the_decoder_of_time_and_nothing_else(tmp_path):
    s, root = smoke(tmp_path)
    s = replace(s, model=replace(s.model, encoder=False, routes=False))
    whole = Training(s, root / "whole", root)
    whole.one_epoch()
    for name in ("train", "validation"):
        synthetic.times_alone(root / name)
    alone = Training(s, root / "alone", root)
    alone.one_epoch()
    assert changes(whole, alone) == set()
    assert alone.figures == whole.figures
    for more in ({"routes": True}, {"encoder": True}):
        with pytest.raises(ValueError, match="holds times alone"):
            Training(replace(s, model=replace(s.model, **more)), root / "no", root)


def changes(before: Training, after: Training) -> set[str]:
    """The parts of a model that a training has changed, statistics too."""
    old, new = before.model.state_dict(), after.model.state_dict()
    return {n.partition(".")[0] for n in new if n not in old or not torch.equal(old[n], new[n])}


def test_simulated_trips_have_a_vector_of_their_own(tmp_path):
    s, root = smoke(tmp_path)
    s = replace(s, model=replace(s.model, encoder=False, apart=True))
    training = Training(s, root / "out", root)
    model, b = training.model.eval(), collate(training.train[0], 0, [(0, 1)], False)
    assert not b.simulated  # the shards of the synthetic set are called dense
    as_simulated = replace(b, simulated=True)
    assert torch.equal(model.scores(b, None)[1], model.scores(as_simulated, None)[1])  # 0 at first
    for part in (model.routes.candidate_apart, model.routes.option_apart, model.time.apart):
        torch.nn.init.normal_(part.vector)
    for real, other in zip(model.scores(b, None), model.scores(as_simulated, None), strict=True):
        assert not torch.allclose(real, other)
    gaps = torch.arange(len(b.gap_seconds))
    real, other = (model.reached(x, None, gaps).share for x in (b, as_simulated))
    assert not torch.allclose(real, other)
    training.one_epoch()  # of real trips alone: what stands apart learns nothing from them
    plain = Training(replace(s, model=replace(s.model, apart=False)), root / "plain", root)
    plain.one_epoch()
    training.start_from(root / "plain" / "last.pt")
    assert torch.equal(training.model.time.enter.weight, plain.model.time.enter.weight)


def test_the_mean_of_checkpoints_is_a_checkpoint(tmp_path):
    s, root = smoke(tmp_path)
    s = replace(s, model=replace(s.model, encoder=False))
    first = Training(s, root / "first", root)
    first.one_epoch()
    second = Training(replace(s, model=replace(s.model, apart=True)), root / "second", root)
    second.start_from(root / "first" / "last.pt")
    second.one_epoch()
    paths = [root / "first" / "last.pt", root / "second" / "last.pt"]
    reached = average(paths, root / "mean", root)
    one, other = (t.model.state_dict() for t in (first, second))
    model, state = checkpoint.load(root / "mean" / "best.pt", first.train[0])
    for name, w in model.state_dict().items():
        want = (one[name] + other[name]) / 2 if name in one else other[name]
        assert torch.allclose(w, want, atol=1e-6), name
    assert state["figures"] == reached != second.figures
    assert [b["epochs"] for b in checkpoint.history(state)] == [1, 1]
