"""From extracts and trips to bundles: python -m rntrajrec.pipeline TABLE OUT --retrace PROGRAM --data DATA [--small]

Works off a table (configs/data.toml): data sets, models, evaluations. Each stage that
is done is noted in OUT/stages and not done again; one that was stopped goes on where it
stopped. OUT/logs keeps what each said.
"""

import argparse
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch

from rntrajrec import checkpoint, lanes, plan, recipe, settings
from rntrajrec.lanes import Piece
from rntrajrec.plan import DataSetPlan, EvaluationPlan, ModelPlan
from rntrajrec.settings import TrainSettings
from rntrajrec.train import overridden


class Stages:
    """Stages by name, each done once for what it is made from."""

    def __init__(self, out: Path):
        self.out = out
        self.seconds: dict[str, float] = {}
        for folder in ("stages", "logs"):
            (out / folder).mkdir(parents=True, exist_ok=True)

    def run(self, name: str, key: dict, command: list[str], makes: Path, keep: bool = False) -> None:
        """Runs a command that makes something, unless it is there and was made for the same key. With `keep` it is what
        the command prints."""
        stamp = self.out / "stages" / f"{name}.json"
        key = json.loads(json.dumps(key))
        done = json.loads(stamp.read_text()) if stamp.exists() else None
        if done is not None and done["key"] == key and makes.exists():
            self.seconds[name] = done["seconds"]
            print(f"{name}: done already, in {done['seconds']:.0f} s", flush=True)
            return
        start = time.monotonic()
        printed = self.call(name, command)
        if keep:
            makes.parent.mkdir(parents=True, exist_ok=True)
            write(makes, printed)
        self.seconds[name] = time.monotonic() - start
        write(stamp, json.dumps({"key": key, "seconds": self.seconds[name]}, indent=1) + "\n")
        print(f"{name}: {self.seconds[name]:.0f} s", flush=True)

    def call(self, name: str, command: list[str]) -> str:
        """Runs a command and returns what it prints; all else goes to the stage's log."""
        log = self.out / "logs" / f"{name}.log"
        print(f"{name}: running; {log} keeps what it says", flush=True)
        with open(log, "a") as f:
            f.write(" ".join(command) + "\n")
            f.flush()
            ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=f, text=True)
            f.write(ended.stdout)
        if ended.returncode:
            print(f"{name}: failed; what runs beside it goes on to its end", flush=True)
            tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
            raise SystemExit(f"{tail}\n{name} failed with status {ended.returncode}; see {log}")
        return ended.stdout


class Pipeline:
    def __init__(self, table: Path, out: Path, retrace: Path, data: Path, small: bool):
        self.table, self.out, self.retrace, self.data, self.small = table, out, retrace, data, small
        self.plan = plan.read(table)
        self.stages = Stages(out)
        self.program = digest(retrace)

    def sets(self, names: set[str]) -> None:
        """Makes data sets by name, in the order of the table."""
        if unknown := names - {d.name for d in self.plan.sets}:
            raise SystemExit(f"{self.table} has no data set called {sorted(unknown)[0]!r}")
        for d in self.plan.sets:
            if d.name in names:
                self.data_set(d)

    def run(self) -> None:
        needed = [t for m in self.plan.models for t in self.phases(m, [])]
        names = {n for t in needed for n in t.train + t.validation}
        self.sets(names | {m.check for m in self.plan.models if m.check})
        self.trainings(needed)
        for m in self.plan.models:
            if m.check:
                self.bundle(m, [self.folder(m.name, seed) for seed in m.seeds])

    def trainings(self, needed: list[TrainSettings]) -> None:
        """Trains all models with all their seeds, side by side as far as none waits for another's weights: as many as
        there are cores for the threads of each, or one after another on a GPU."""
        pieces = {}
        for m in self.plan.models:
            before = [*m.start, *(name for names in m.take.values() for name in names)]
            for seed in m.seeds:
                call = functools.partial(self.train, m, seed)
                pieces[m.name, seed] = Piece([(name, seed) for name in before], call)
        threads = max(t.threads for t in needed)
        lanes.work_off(pieces, 1 if torch.cuda.is_available() else max(1, (os.cpu_count() or 1) // threads))

    def phases(self, m: ModelPlan, changes: list[str]) -> list[TrainSettings]:
        """What each phase of a model's training is given; a training without phases is one."""
        config = self.table.parent / m.config
        if recipe.is_recipe(config):
            return [p.settings.training for p in recipe.read(config, changes).phases]
        return [overridden(settings.read(config), changes).training]

    def data_set(self, d: DataSetPlan) -> None:
        trips = [str(self.data / t) for t in d.trips]
        networks = [str(p) for p in plan.extracts(self.plan, d.networks, self.data)]
        command = [str(self.retrace), "--quiet", "dataset", *trips, *[f"--network={n}" for n in networks]]
        made = self.out / "sets" / d.name
        command += [*self.words(d), "-o", str(made)]
        key = {"command": command, "program": self.program}
        self.stages.run(f"set-{d.name}", key, command, made / "manifest.json")

    def words(self, row: DataSetPlan | EvaluationPlan) -> list[str]:
        chosen = row.small if self.small and row.small is not None else row.arguments
        return plan.arguments(chosen, self.data)

    def train(self, m: ModelPlan, seed: int) -> Path:
        """Trains one seed and returns its folder."""
        config = self.table.parent / m.config
        changes = [f"training.seed={seed}", *(m.small if self.small else ())]
        run = self.folder(m.name, seed)
        phases, by_phases = self.phases(m, changes), recipe.is_recipe(config)
        names = sorted({n for t in phases for n in t.train + t.validation})
        key = {"sets": {n: self.manifest(n) for n in names}}
        if by_phases:
            key |= {"recipe": config.read_text(), "changes": changes}
        else:
            key |= {"settings": checkpoint.plain(overridden(settings.read(config), changes))}
        first = []
        if m.start:
            weights = self.weights(m.start, f"{m.name}-{seed}-start", seed)
            key["start"], first = digest(weights), ["--from", str(weights)]
        for part, names in m.take.items():
            weights = self.weights(names, f"{m.name}-{seed}-{part}", seed)
            key[f"take {part}"] = digest(weights)
            first += ["--take", part, str(weights)]
        claim(run, key)
        how = (
            ["recipe", str(config), str(run)]
            if by_phases
            else ["train", str(config), str(run), "--resume", *first]
        )
        command = [sys.executable, "-m", f"rntrajrec.{how[0]}", *how[1:]]
        command += ["--data", str(self.out / "sets"), *[w for c in changes for w in ("--set", c)]]
        self.stages.run(f"train-{run.name}", key, command, run / "best.pt")
        # A training that was stopped and went on took longer than its last part.
        last = checkpoint.read(run / "last.pt")
        took = [b["seconds"] for b in checkpoint.history(last)] if by_phases else [last["progress"][3]]
        self.stages.seconds[f"train-{run.name}"] = sum(took)
        return run

    def folder(self, model: str, seed: int) -> Path:
        return self.out / "runs" / f"{model}-{seed}"

    def weights(self, names: Sequence[str], mean: str, seed: int) -> Path:
        """The weights of a model, or the mean of those of several, in a folder of that name."""
        own = [self.folder(name, seed) / "best.pt" for name in names]
        if len(own) == 1:
            return own[0]
        made = self.out / "runs" / mean
        command = [sys.executable, "-m", "rntrajrec.average", *map(str, own), str(made)]
        command += ["--data", str(self.out / "sets")]
        self.stages.run(f"mean-{mean}", {"of": [digest(w) for w in own]}, command, made / "best.pt")
        return made / "best.pt"

    def manifest(self, name: str) -> str:
        return digest(self.out / "sets" / name / "manifest.json")

    def bundle(self, m: ModelPlan, runs: list[Path]) -> None:
        """Exports the run that validates best, evaluates it and writes its card."""
        best = min(runs, key=lambda r: checkpoint.read(r / "best.pt")["figures"]["loss_total"])
        bundle, check = self.out / "bundles" / m.name, self.out / "sets" / m.check
        command = [sys.executable, "-m", "rntrajrec.export", str(best / "best.pt"), str(bundle)]
        command += ["--data", str(check), f"--spread={m.spread}", f"--temperature={m.temperature}"]
        key = {"weights": digest(best / "best.pt"), "check": self.manifest(m.check)}
        key |= {"spread": m.spread, "temperature": m.temperature}
        self.stages.run(f"export-{m.name}", key, command, bundle / "manifest.json")
        reports = [self.evaluate(e, bundle) for e in self.plan.evaluations]
        card = [sys.executable, "-m", "rntrajrec.card", str(bundle), "--runs", *map(str, runs)]
        card += ["--table", str(self.table), "--evaluations", *map(str, reports)]
        self.stages.call(f"card-{m.name}", card)
        if m.install and not self.small:
            shutil.copytree(bundle, Path(m.install), dirs_exist_ok=True)
            print(f"{m.install}: the bundle is installed", flush=True)

    def evaluate(self, e: EvaluationPlan, bundle: Path) -> Path:
        """Evaluates a model beside map matching and returns the file of the report."""
        report = self.out / "evaluations" / bundle.name / f"{e.name}.json"
        command = [str(self.retrace), "--quiet", "--json", "evaluate", *self.words(e)]
        command += ["--method=rntrajrec", f"--model={bundle}", "--against=hmm"]
        key = {"command": command, "program": self.program, "bundle": digest(bundle / "manifest.json")}
        self.stages.run(f"evaluate-{bundle.name}-{e.name}", key, command, report, keep=True)
        return report

    def summary(self) -> str:
        """The time of each stage, and what it ran on."""
        lines = [f"{seconds:8.0f} s  {name}" for name, seconds in self.stages.seconds.items()]
        lines.append(
            f"{sum(self.stages.seconds.values()):8.0f} s  in all, trainings side by side counted each"
        )
        for m in self.plan.models:
            trained = checkpoint.read(self.folder(m.name, m.seeds[0]) / "best.pt")
            lines.append(f"{m.name} was trained on {trained['hardware']}")
        return "\n".join(lines)


def claim(run: Path, key: dict) -> None:
    """Makes a folder one training's own: another one would go on from weights that are not its own."""
    note = run / "made-from.json"
    if note.exists() and json.loads(note.read_text()) != json.loads(json.dumps(key)):
        raise SystemExit(f"{run} holds a training of other settings or data; move it away to train anew")
    run.mkdir(parents=True, exist_ok=True)
    write(note, json.dumps(key, indent=1) + "\n")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)


def main() -> None:
    p = argparse.ArgumentParser(description="Make bundles from extracts and trips.")
    p.add_argument("table", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--retrace", type=Path, required=True, help="the program")
    p.add_argument("--data", type=Path, required=True, help="folder of extracts (osm/) and trips")
    p.add_argument("--sets", nargs="+", default=[], metavar="NAME", help="only make these data sets")
    p.add_argument("--small", action="store_true", help="the same on little data, to try it out")
    args = p.parse_args()
    pipeline = Pipeline(args.table, args.out, args.retrace.resolve(), args.data.resolve(), args.small)
    if args.sets:
        pipeline.sets(set(args.sets))
        return
    start = time.monotonic()
    pipeline.run()
    print(pipeline.summary())
    print(f"{time.monotonic() - start:8.0f} s  by the clock, of this run")


if __name__ == "__main__":
    main()
