"""Training: python -m rntrajrec.train CONFIG OUT [--resume] [--set name=value ...]

OUT receives settings.json, log.jsonl (a line each epoch and every hundredth step),
last.pt (the state after the last epoch, which --resume goes on from) and best.pt (the
weights that validated best).
"""

import argparse
import json
import math
import random
import time
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from rntrajrec import checkpoint
from rntrajrec import settings as settings_
from rntrajrec.batch import Batch, collate_for
from rntrajrec.data import DataSet, Dropper, batches, keep_all
from rntrajrec.losses import total
from rntrajrec.measure import Measure
from rntrajrec.model import Model
from rntrajrec.schema import Schema
from rntrajrec.settings import ModelSettings, Settings

LOG_EVERY = 100  # steps


class Epoch(Dataset):
    """The batches of one epoch over some data sets. Its order and what is dropped depend on the seed alone."""

    def __init__(
        self,
        sets: list[DataSet],
        size: int,
        model: ModelSettings,
        seed: int | None,
        drop: dict[str, float],
        most: int = 0,
    ):
        rng = None if seed is None else np.random.default_rng(seed)
        self.sets, self.model, self.seed, self.drop = sets, model, seed, drop
        chosen = [chosen_trips(d, most // len(sets) if most else 0) for d in sets]
        self.items = [
            (d, *item) for d, trips in enumerate(chosen) for item in batches(sets[d], trips, size, rng)
        ]
        if rng is not None:
            rng.shuffle(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, k: int) -> Batch:
        d, network, trips = self.items[k]
        data, drop = self.sets[int(d)], keep_all
        if self.seed is not None:
            drop = Dropper(data.schema, self.drop, np.random.default_rng((self.seed, k)))
            drop.draw()
        return collate_for(self.model, data, int(network), [tuple(t) for t in trips], drop)


def chosen_trips(data: DataSet, most: int) -> list[tuple[int, int, int]]:
    """All trips, or so many of them, evenly over the data set."""
    trips = data.trips()
    if not most or most >= len(trips):
        return trips
    return [trips[i * len(trips) // most] for i in range(most)]


class Training:
    """The state of one training."""

    def __init__(self, s: Settings, out: Path, root: Path):
        t = s.training
        torch.set_num_threads(t.threads)
        torch.manual_seed(t.seed)
        random.seed(t.seed)
        self.out = out
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.train = open_sets(root, t.train, None)
        self.schema: Schema = self.train[0].schema
        self.validation = open_sets(root, t.validation, self.schema)
        refuse_times(s, self.train + self.validation)
        self.settings = s = with_tables(s, self.train + self.validation)
        self.model = Model(self.schema, s.model).to(self.device)
        freeze(self.model, t.frozen)
        learned = [p for p in self.model.parameters() if p.requires_grad]
        self.optimiser = torch.optim.Adam(learned, t.rate, weight_decay=t.weight_decay)
        self.epoch, self.best, self.best_epoch, self.seconds = 0, float("inf"), 0, 0.0
        self.figures: dict[str, float] = {}  # of the last validation
        self.before: list[dict] = []  # the trainings whose weights this one began with, the first first
        self.commit, self.hardware = checkpoint.commit(), checkpoint.hardware(self.device, t.threads)
        out.mkdir(parents=True, exist_ok=True)
        (out / "settings.json").write_text(json.dumps(s.as_dict(), indent=1) + "\n")

    def resume(self) -> None:
        """Goes on where an earlier run stopped; there is nothing to do where none did. Frozen parts stay those of the
        checkpoint that was begun with."""
        if not (self.out / "last.pt").exists():
            return
        state = checkpoint.read(self.out / "last.pt", self.device)
        checkpoint.check(state, self.schema, self.settings)
        kept = of_parts(self.model.state_dict(), self.settings.training.frozen) if self.before else {}
        self.model.load_state_dict(state["model"] | kept)
        self.optimiser.load_state_dict(state["optimiser"])
        self.epoch, self.best, self.best_epoch, self.seconds = state["progress"]
        self.figures, self.before = state["figures"], self.before or state.get("before", [])

    def start_from(self, path: Path) -> None:
        """Begins with the weights of a checkpoint of the same model, e.g. to go on on other data or with more
        features, or of one that has some of its parts or more: an encoder is learned beside decoders then, or a
        decoder goes on alone."""
        state = checkpoint.read(path, self.device)
        self.model.load_state_dict(self.model.state_dict() | self.adopted(state))
        self.before = checkpoint.history(state)

    def take(self, part: str, path: Path) -> None:
        """Takes one part of the model, which is to be frozen, from another checkpoint; what is to decode alone
        from one whose decoder of the same is alone."""
        if part not in self.settings.training.frozen:
            raise ValueError(f"{part!r} is taken from {path}, but training.frozen does not name it")
        state = checkpoint.read(path, self.device)
        if part.endswith("_alone"):
            state = checkpoint.alone(state, part)
        taken = of_parts(self.adopted(state), (part,))
        if not taken:
            raise ValueError(f"{path} has no part {part!r}")
        self.model.load_state_dict(self.model.state_dict() | taken)
        self.before += [b for b in checkpoint.history(state) if b not in self.before]

    def copy(self, part: str, other: str) -> None:
        """Begins a decoder as the one beside it is. What the encoder tells it has no weight yet."""
        weights = self.model.state_dict()
        renamed = {
            name.replace(f"{other}.", f"{part}.", 1): w for name, w in of_parts(weights, (other,)).items()
        }
        self.model.load_state_dict(weights | checkpoint.fitted(renamed, weights))

    def adopted(self, state: dict) -> dict[str, torch.Tensor]:
        """The weights of a checkpoint that this model has too."""
        weights = checkpoint.adopt(state, self.schema, self.settings)
        return checkpoint.fitted(weights, self.model.state_dict())

    def run(self) -> float:
        """Trains until the epochs, the patience or the minutes are used up. Returns the best validation loss."""
        t = self.settings.training
        while self.epoch < t.epochs and self.epoch - self.best_epoch < t.patience:
            if t.minutes and self.seconds > 60 * t.minutes:
                break
            self.one_epoch()
        return self.best

    def one_epoch(self) -> None:
        start = time.monotonic()
        trained = self.pass_over()
        figures = self.validate()
        self.epoch += 1
        self.seconds += time.monotonic() - start
        self.figures = figures
        loss = figures["loss_total"]
        if better := loss < self.best:
            self.best, self.best_epoch = loss, self.epoch
        self.log(
            {"epoch": self.epoch, "seconds": round(self.seconds, 1), "train": trained, "validation": figures}
        )
        self.save("last.pt", with_optimiser=True)
        if better:
            self.save("best.pt", with_optimiser=False)

    def set_rate(self, part: float) -> None:
        """Half a cosine from the full rate to a fiftieth of it over all steps; `part` of them are done. The first
        hundredth warms up."""
        rate = self.settings.training.rate * (0.02 + 0.98 * (1 + math.cos(part * math.pi)) / 2)
        for group in self.optimiser.param_groups:
            group["lr"] = rate * min(1.0, 100 * part + 0.01)

    def loader(self, sets: list[DataSet], seed: int | None, most: int) -> DataLoader:
        t = self.settings.training
        epoch = Epoch(sets, t.batch, looked_at(self.settings.model, t.frozen), seed, t.drop, most)
        return DataLoader(epoch, batch_size=None, num_workers=t.workers)

    def pass_over(self) -> dict[str, float]:
        t, sums, steps = self.settings.training, {}, 0
        seed = t.seed * 100_003 + self.epoch
        torch.manual_seed(seed)  # dropout too goes on the same after a pause
        self.model.train()
        for part in frozen_modules(self.model, t.frozen):
            part.eval()  # statistics stay as they are too
        loader = self.loader(self.train, seed, t.train_trips)
        for batch in loader:
            self.set_rate((self.epoch + steps / len(loader)) / t.epochs)
            b = batch.to(self.device)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                losses = total(self.model, b, t)
            self.optimiser.zero_grad(set_to_none=True)
            losses.total.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), t.clip)
            self.optimiser.step()
            steps += 1
            for name, value in losses.parts.items():
                sums[name] = sums.get(name, 0.0) + value
            if steps % LOG_EVERY == 0:
                self.log({"epoch": self.epoch + 1, "step": steps, **losses.parts})
        return {name: value / max(1, steps) for name, value in sums.items()}

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        self.model.eval()
        measure = Measure(self.settings.training)
        for batch in self.loader(self.validation, None, self.settings.training.validation_trips):
            measure.add(self.model, batch.to(self.device))
        return measure.figures()

    def log(self, line: dict) -> None:
        with open(self.out / "log.jsonl", "a") as f:
            f.write(json.dumps(line) + "\n")

    def save(self, name: str, with_optimiser: bool) -> None:
        state = {
            "model": self.model.state_dict(),
            "settings": checkpoint.plain(self.settings),
            "schema_hash": self.schema.hash,
            "columns": checkpoint.columns_of(self.schema),
            "figures": self.figures,
            "commit": self.commit,
            "hardware": self.hardware,
            "before": self.before,
            "data": [checkpoint.origin(d) for d in self.train],
            "validation_data": [checkpoint.origin(d) for d in self.validation],
            "progress": (self.epoch, self.best, self.best_epoch, self.seconds),
        }
        if with_optimiser:
            state["optimiser"] = self.optimiser.state_dict()
        checkpoint.save(state, self.out / name)


# The modules of the parts that can be kept as they are.
PARTS = {
    "encoder": ("encoder",),
    "routes": ("routes", "route_context"),
    "time": ("time",),
    "routes_alone": ("routes_alone",),
    "time_alone": ("time_alone",),
    "ticks": ("ticks",),
}


def of_parts(weights: dict[str, torch.Tensor], parts: tuple[str, ...]) -> dict[str, torch.Tensor]:
    """Those weights of a model that belong to some of its parts."""
    modules = tuple(name + "." for part in parts for name in PARTS[part])
    return {name: w for name, w in weights.items() if name.startswith(modules)}


def freeze(model: Model, parts: tuple[str, ...]) -> None:
    """Keeps parts as they are."""
    for part in parts:
        if part not in PARTS or not getattr(model.settings, part):
            raise ValueError(
                f"training.frozen names {part!r}, which is no part of the model that can be kept"
            )
    for module in frozen_modules(model, parts):
        module.requires_grad_(False)


def frozen_modules(model: Model, parts: tuple[str, ...]) -> list[torch.nn.Module]:
    named = [getattr(model, name, None) for part in parts for name in PARTS[part]]
    return [module for module in named if module is not None]


def looked_at(m: ModelSettings, frozen: tuple[str, ...]) -> ModelSettings:
    """The settings by which batches are made: the data sets need not have what only parts look at that stay as they
    are."""

    def learns(part: str) -> bool:
        return getattr(m, part) and part not in frozen

    context = (learns("routes") and m.routes_context) or (learns("time") and m.time_context)
    encoder = m.encoder and (learns("encoder") or learns("ticks") or context)
    return replace(m, encoder=encoder, ticks=learns("ticks"))


def open_sets(root: Path, folders: tuple[str, ...], expected: Schema | None) -> list[DataSet]:
    """Data sets that all have one schema."""
    if not folders:
        raise ValueError("the settings name no data set to train or to validate on")
    sets = []
    for folder in folders:
        sets.append(DataSet(root / folder, expected))
        expected = sets[0].schema if expected is None else expected
    return sets


def refuse_times(s: Settings, sets: list[DataSet]) -> None:
    """Refuses data sets of ways and times alone where more than a decoder of time that looks at no encoder learns."""
    m, frozen = s.model, s.training.frozen
    seen = looked_at(m, frozen)
    routes = any(getattr(m, part) and part not in frozen for part in ("routes", "routes_alone"))
    if seen.encoder or routes:
        for d in sets:
            if d.manifest["settings"].get("times"):
                raise ValueError(
                    f"{d.folder} holds times alone (--times): neither the encoder nor the decoder of routes can see it"
                )


def with_tables(s: Settings, sets: list[DataSet]) -> Settings:
    """Settings that know how many rows learned tables have. Such tables belong to the one network of all data sets."""
    if s.model.tables == "none":
        return s
    if s.model.tables != "learned":
        raise ValueError(f'tables is {s.model.tables!r}, want "none" or "learned"')
    networks = checkpoint.networks_of([d.manifest for d in sets])
    if len(networks) > 1:
        raise ValueError(
            "learned tables belong to one network, but the data sets are of " + ", ".join(networks.values())
        )
    network = sets[0].network(0)
    return replace(s, model=replace(s.model, segments=network.segments, cells=network.number_of_cells()))


def overridden(s: Settings, changes: list[str]) -> Settings:
    """Settings with some given as part.name=value, the value as in TOML."""
    values = s.as_dict()
    for change in changes:
        name, _, text = change.partition("=")
        part, _, key = name.partition(".")
        if key not in values.get(part, {}):
            raise ValueError(f"no setting is called {name!r}")
        values[part][key] = tomllib.loads(f"v = {text}")["v"]
    return settings_.from_dict(values)


def main() -> None:
    p = argparse.ArgumentParser(description="Train a model from a file of settings.")
    p.add_argument("config", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--data", type=Path, default=Path("."), help="folder that the data sets' names start from")
    p.add_argument("--resume", action="store_true")
    p.add_argument("--from", type=Path, dest="origin", metavar="CHECKPOINT", help="begin with its weights")
    p.add_argument(
        "--take", nargs=2, action="append", default=[], metavar=("PART", "CHECKPOINT"),
        help="a part that is frozen, as another checkpoint has it",
    )  # fmt: skip
    p.add_argument("--set", action="append", default=[], metavar="PART.NAME=VALUE")
    args = p.parse_args()
    training = Training(overridden(settings_.read(args.config), args.set), args.out, args.data)
    if args.origin:
        training.start_from(args.origin)
    for part, path in args.take:
        training.take(part, Path(path))
    if args.resume:
        training.resume()
    best = training.run()
    print(f"best validation loss {best:.4f} after epoch {training.best_epoch} of {training.epoch}")


if __name__ == "__main__":
    main()
