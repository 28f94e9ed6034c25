"""Ablations: python -m rntrajrec.ablate CONFIG OUT --data DATA [--table PAGE] [--only ROW ...] [--seeds N]

Trains every row of CONFIG with every seed on the same budget, measures the weights that
validated best on each of its sets, and writes a table of means and spreads over seeds.
What is done is kept in OUT and not done again, and a training that was stopped goes on.
Seeds come first: the page tells of all rows as soon as each has been trained once.
"""

import argparse
import json
import math
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from rntrajrec import checkpoint, settings
from rntrajrec.card import table
from rntrajrec.data import DataSet
from rntrajrec.pipeline import claim, digest, write
from rntrajrec.settings import Settings
from rntrajrec.train import Training, overridden
from rntrajrec.validate import figures

# Figures by name: what they are called and with how many digits.
COLUMNS = {
    "path_f1": ("path F1", 4),
    "time_mae_hidden": ("hidden MAE on the true route, m", 1),
    "loss_id": ("L_id", 3),
    "loss_rate": ("L_rate, m", 1),
    "loss_enc": ("L_enc", 3),
    "tick_accuracy": ("accuracy of ticks", 4),
}
COMPARED = ("path_f1", "time_mae_hidden", "tick_accuracy")  # beside the first row, seed by seed


@dataclass(frozen=True)
class Row:
    name: str
    set: tuple[str, ...] = ()  # settings that differ, as PART.NAME=VALUE


@dataclass(frozen=True)
class Measured:
    name: str
    sets: tuple[str, ...]
    hide: tuple[str, ...] = ()  # groups of columns that these networks do not tell


@dataclass(frozen=True)
class Plan:
    base: Settings
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    measured: tuple[Measured, ...]
    about: str = ""


def read(path: Path) -> Plan:
    """Reads a file of ablations. A name that means nothing is an error."""
    values = tomllib.loads(path.read_text())
    unknown = set(values) - {"base", "budget", "seeds", "about", "row", "measure"}
    if unknown:
        raise ValueError(f"{path}: there is no setting called {sorted(unknown)[0]!r}")
    base = overridden(settings.read(path.parent / values["base"]), values.get("budget", []))
    return Plan(
        base,
        tuple(values["seeds"]),
        tuple(made(Row, v, path) for v in values["row"]),
        tuple(made(Measured, v, path) for v in values["measure"]),
        values.get("about", ""),
    )


def made(kind, values: dict, path: Path):
    if unknown := set(values) - {f.name for f in fields(kind)}:
        raise ValueError(f"{path}: {sorted(unknown)[0]!r} is nothing that a {kind.__name__} has")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


def train(plan: Plan, row: Row, seed: int, out: Path, data: Path) -> dict:
    """The figures of one row and seed by set, trained unless that was done before."""
    folder = out / f"{row.name.replace(' ', '-')}-{seed}"
    s = overridden(plan.base, [*row.set, f"training.seed={seed}"])
    trained = {n: digest(data / n / "manifest.json") for n in s.training.train + s.training.validation}
    claim(folder, {"settings": checkpoint.plain(s), "sets": trained})
    key = {
        m.name: [list(m.hide), *(digest(data / n / "manifest.json") for n in m.sets)] for m in plan.measured
    }
    done = folder / "figures.json"
    if done.exists() and (kept := json.loads(done.read_text()))["measured"] == key:
        return kept
    training = Training(s, folder, data)
    training.resume()
    training.run()
    weights = sum(p.numel() for p in training.model.parameters())
    found = {"measured": key, "weights": weights, "seconds": training.seconds, "epochs": training.epoch}
    found["hardware"], found["commit"] = training.hardware, training.commit
    found["figures"] = {m.name: measure(folder / "best.pt", m, s, data) for m in plan.measured}
    write(done, json.dumps(found, indent=1) + "\n")
    return found


def measure(weights: Path, m: Measured, s: Settings, data: Path) -> dict[str, float]:
    """The figures of a checkpoint over several data sets, each counted the same."""
    found: list[dict[str, float]] = []
    for name in m.sets:
        d = DataSet(data / name)
        model, _ = checkpoint.load(weights, d)
        found.append(figures(model, d, s.training, m.hide))
    return {
        name: sum(f[name] for f in found) / len(found) for name in found[0] if all(name in f for f in found)
    }


def page(plan: Plan, results: dict[str, dict[int, dict]]) -> str:
    """The page: a table for each set that was measured on."""
    any_result = next(r for seeds in results.values() for r in seeds.values())
    text = "# Ablations\n\nMade by `python -m rntrajrec.ablate`; nothing on this page is written by hand.\n\n"
    text += f"{plan.about}\n\n" if plan.about else ""
    text += (
        "Each row differs from the first in what its name says, and is trained on the same budget. Figures are means "
        "over seeds ± standard deviation; after a row's figures stand those of it less the first row, seed by seed.\n\n"
    )
    hours = sum(r["seconds"] for seeds in results.values() for r in seeds.values()) / 3600
    text += f"{hours:.1f} hours of training on {any_result['hardware']}, commit `{any_result['commit']}`.\n"
    for m in plan.measured:
        text += (
            f"\n## {m.name}\n\n" + "".join(f"{line}\n" for line in told(m)) + section(plan, results, m.name)
        )
    return text


def told(m: Measured) -> list[str]:
    hidden = f" Hidden: {', '.join(m.hide)}." if m.hide else ""
    return [f"Data sets: {', '.join(m.sets)}.{hidden}", ""]


def section(plan: Plan, results: dict[str, dict[int, dict]], name: str) -> str:
    of = {
        row.name: {seed: r["figures"][name] for seed, r in results.get(row.name, {}).items()}
        for row in plan.rows
    }
    known = [c for c in COLUMNS if any(c in f for seeds in of.values() for f in seeds.values())]
    first = of[plan.rows[0].name]
    names = ["row", "seeds", "weights"]
    for c in known:
        names += [COLUMNS[c][0]] + (["less the first"] if c in COMPARED else [])
    lines = []
    for row in plan.rows:
        seeds = of[row.name]
        if not seeds:
            continue
        weights = next(iter(results[row.name].values()))["weights"]
        line = [row.name, str(len(seeds)), f"{weights:,}"]
        for c in known:
            line.append(spread([f[c] for f in seeds.values() if c in f], COLUMNS[c][1]))
            if c in COMPARED:
                both = [
                    f[c] - first[s][c] for s, f in seeds.items() if s in first and c in f and c in first[s]
                ]
                line.append("" if row is plan.rows[0] else spread(both, COLUMNS[c][1], "+"))
        lines.append(line)
    return table(names, lines)


def spread(values: list[float], digits: int, sign: str = "") -> str:
    """The mean of some values and, where there are several, their standard deviation."""
    if not values:
        return ""
    mean = sum(values) / len(values)
    text = f"{mean:{sign}.{digits}f}"
    if len(values) > 1:
        text += f" ± {math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)):.{digits}f}"
    return text


def main() -> None:
    p = argparse.ArgumentParser(description="Train and measure the rows of a table of ablations.")
    p.add_argument("config", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--data", type=Path, required=True, help="folder that the data sets' names start from")
    p.add_argument("--table", type=Path, help="page to write after each training")
    p.add_argument("--only", nargs="+", metavar="ROW", help="train only these rows")
    p.add_argument("--seeds", type=int, help="use only the first so many seeds")
    args = p.parse_args()
    plan = read(args.config)
    names = [r.name for r in plan.rows]
    if unknown := set(args.only or ()) - set(names):
        raise SystemExit(f"{args.config} has no row called {sorted(unknown)[0]!r}")
    results: dict[str, dict[int, dict]] = {}
    for seed in plan.seeds[: args.seeds]:
        for row in plan.rows:
            if args.only and row.name not in args.only:
                continue
            found = train(plan, row, seed, args.out, args.data)
            results.setdefault(row.name, {})[seed] = found
            print(f"{row.name}, seed {seed}: {json.dumps(found['figures'])}", flush=True)
            if args.table:
                args.table.write_text(page(plan, results))


if __name__ == "__main__":
    main()
