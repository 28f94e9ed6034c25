"""One training in phases: python -m rntrajrec.recipe RECIPE OUT --data DATA

A recipe is one file: the model, what all phases share, and the phases in their order. A
phase names the parts that learn; all others stay as they are. Each phase goes on from the
best weights of the one before, in OUT/PHASE, and goes on where it was stopped. At the end
OUT holds best.pt, the weights of the last phase, and log.jsonl, the log of all phases.
"""

import argparse
import json
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from rntrajrec import settings
from rntrajrec.settings import ModelSettings, Settings
from rntrajrec.train import PARTS, Training, overridden

OWN = {"name", "learns", "begins"}  # what only a phase has


@dataclass(frozen=True)
class Phase:
    """One phase: all of the model is there, `learns` names the parts whose weights change."""

    name: str
    learns: tuple[str, ...]
    begins: tuple[tuple[str, str], ...]  # parts that begin as copies of others
    settings: Settings


@dataclass(frozen=True)
class Recipe:
    model: ModelSettings
    phases: tuple[Phase, ...]


def is_recipe(path: Path) -> bool:
    """Whether a file of settings has phases."""
    return "phase" in tomllib.loads(path.read_text())


def read(path: Path, changes: list[str] | tuple[str, ...] = ()) -> Recipe:
    """Reads a recipe, with some settings of all its phases given as part.name=value. A name that means nothing is an
    error."""
    values = tomllib.loads(path.read_text())
    rows = values.pop("phase", [])
    if not rows:
        raise ValueError(f"{path} has no [[phase]]")
    shared = settings.from_dict(values, str(path))
    phases = tuple(phase(shared, row, f"{path}: phase {i + 1}", changes) for i, row in enumerate(rows))
    if twice := {p.name for p in phases if [q.name for q in phases].count(p.name) > 1}:
        raise ValueError(f"{path}: two phases are called {sorted(twice)[0]!r}")
    return Recipe(phases[0].settings.model, phases)


def phase(shared: Settings, row: dict, origin: str, changes: list[str] | tuple[str, ...]) -> Phase:
    if missing := {"name", "learns"} - row.keys():
        raise ValueError(f"{origin} has no {sorted(missing)[0]!r}")
    parts = [part for part in PARTS if getattr(shared.model, part)]
    for part in [*row["learns"], *row.get("begins", {}), *row.get("begins", {}).values()]:
        if part not in parts:
            raise ValueError(f"{origin}: the model has no part {part!r}, but {', '.join(parts)}")
    values = shared.as_dict()
    values["training"] |= {k: v for k, v in row.items() if k not in OWN}
    values["training"]["frozen"] = [part for part in parts if part not in row["learns"]]
    made = overridden(settings.from_dict(values, origin), list(changes))
    return Phase(row["name"], tuple(row["learns"]), tuple(row.get("begins", {}).items()), made)


def run(recipe: Recipe, out: Path, root: Path) -> Path:
    """Works off the phases that are not done and returns the file of the weights."""
    before: Path | None = None
    for p in recipe.phases:
        folder = out / p.name
        training = Training(p.settings, folder, root)
        if before is not None:
            training.start_from(before)
            for part, other in p.begins:
                training.copy(part, other)
        training.resume()
        best = training.run()
        print(f"{p.name}: best validation loss {best:.4f} after epoch {training.best_epoch}", flush=True)
        before = folder / "best.pt"
    (out / "log.jsonl").write_text("".join(map(logged, [(p, out) for p in recipe.phases])))
    shutil.copyfile(before, out / "best.pt")
    shutil.copyfile(before.with_name("last.pt"), out / "last.pt")
    return out / "best.pt"


def logged(of: tuple[Phase, Path]) -> str:
    """The lines of a phase's log, each with its name."""
    p, out = of
    lines = (out / p.name / "log.jsonl").read_text().splitlines()
    return "".join(json.dumps({"phase": p.name} | json.loads(line)) + "\n" for line in lines)


def main() -> None:
    p = argparse.ArgumentParser(description="Train a model by a recipe of phases.")
    p.add_argument("recipe", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--data", type=Path, default=Path("."), help="folder that the data sets' names start from")
    p.add_argument("--set", action="append", default=[], metavar="PART.NAME=VALUE", help="in all phases")
    args = p.parse_args()
    print(run(read(args.recipe, args.set), args.out, args.data))


if __name__ == "__main__":
    main()
