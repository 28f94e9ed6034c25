"""Trains and measures one row: python -m rntrajrec.systems.train ROW --bench BENCH [--seed N] ...

What is measured goes to LOGS/BENCH/ROW-SEED.jsonl, which is committed: a line that says what was
run (settings, seed, commit, hardware, data), a line each validation, and a line with the figures
of the test set. Checkpoints lie in OUT; a training that was stopped goes on.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch

from rntrajrec import checkpoint
from rntrajrec.data import DataSet
from rntrajrec.pipeline import claim
from rntrajrec.systems import table as table_
from rntrajrec.systems import trips
from rntrajrec.systems.application import Application
from rntrajrec.systems.city import City
from rntrajrec.systems.logs import finish, head
from rntrajrec.systems.measure import recovered
from rntrajrec.systems.system import Made
from rntrajrec.systems.table import Bench, Row, Table


@dataclass(frozen=True)
class Places:
    """Where things are."""

    sets: Path  # folder of the data sets
    out: Path  # of checkpoints
    logs: Path
    application: Application


@dataclass
class Data:
    """A bench as tensors."""

    bench: Bench
    made: Made
    train: trips.Trips
    validation: trips.Trips
    test: trips.Trips
    origins: list[dict]


def load(table: Table, bench: Bench, row: Row, sets: Path, before: Data | None = None) -> Data:
    """The data of a bench for a row. What was loaded before for another row of the same bench is taken again."""
    if before is not None and before.bench == bench:
        return replace(before, made=replace(before.made, sizes=table.sizes_of(row)))
    names = [bench.test] if bench.after else [bench.train, bench.validation, bench.test]
    data = [DataSet(sets / names[0])]
    data += [DataSet(sets / name, data[0].schema) for name in names[1:]]
    if len(networks := checkpoint.networks_of([d.manifest for d in data])) > 1:
        raise ValueError(
            f"the data sets of {bench.name} are of several networks: {', '.join(networks.values())}"
        )
    made = Made(City(data[0].network(0), bench.box), data[0].schema, table.sizes_of(row))
    read = [trips.read(d, made.city, bench.trips if i == 0 else 0) for i, d in enumerate(data)]
    return Data(bench, made, read[0], read[len(read) // 2], read[-1], [checkpoint.origin(d) for d in data])


class Run:
    """The training of one row with one seed."""

    def __init__(self, table: Table, row: Row, bench: Bench, seed: int, data: Data, out: Path):
        self.budget, self.seed, self.data, self.out = table.budget_of(row), seed, data, out
        torch.set_num_threads(self.budget.threads)
        torch.manual_seed(seed)
        self.system = table_.build(row, data.made)
        self.learned = any(p.requires_grad for p in self.system.parameters())
        self.optimiser = (
            torch.optim.Adam(self.system.parameters(), self.budget.rate) if self.learned else None
        )
        self.step, self.best, self.best_step, self.seconds = 0, float("inf"), 0, 0.0
        self.lines: list[dict] = []
        of_row, of_bench = (
            {k: v for k, v in asdict(x).items() if k not in table_.PROSE} for x in (row, bench)
        )
        claim(out, {"row": of_row, "sizes": asdict(data.made.sizes), "budget": asdict(self.budget),
                    "seed": seed, "bench": of_bench, "data": data.origins})  # fmt: skip

    def resume(self) -> None:
        if (self.out / "last.pt").exists():
            state = checkpoint.read(self.out / "last.pt")
            self.system.load_state_dict(state["system"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.best, self.best_step, self.seconds = state["progress"]
            self.lines = json.loads(state["lines"])

    def run(self) -> None:
        b = self.budget
        while self.learned and self.step < b.steps and self.step - self.best_step < b.patience * b.every:
            start = time.process_time()
            trained = self.go_on(min(b.every, b.steps - self.step))
            found = self.validate()
            self.seconds += time.process_time() - start
            if better := found["total"] < self.best:
                self.best, self.best_step = found["total"], self.step
            line = {"step": self.step, "seconds": round(self.seconds, 1)}
            self.lines.append(line | {"train": rounded(trained), "validation": rounded(found)})
            print(json.dumps(self.lines[-1]), flush=True)
            self.save(better)
        if self.learned:
            self.system.load_state_dict(checkpoint.read(self.out / "best.pt")["system"])
        self.system.eval()

    def go_on(self, steps: int) -> dict[str, float]:
        sums: dict[str, float] = {}
        self.system.train()
        for _ in range(steps):
            for group in self.optimiser.param_groups:
                group["lr"] = self.budget.rate_at(self.step)
            parts = self.system.losses(self.batch(self.step))
            self.optimiser.zero_grad(set_to_none=True)
            parts["total"].backward()
            torch.nn.utils.clip_grad_norm_(self.system.parameters(), self.budget.clip)
            self.optimiser.step()
            self.step += 1
            for name, value in parts.items():
                sums[name] = sums.get(name, 0.0) + value.item() / steps
        return sums

    def batch(self, step: int) -> trips.Trips:
        """The batch of a step depends on the seed and the step alone, not on the system."""
        count, size = len(self.data.train), min(self.budget.batch, len(self.data.train))
        per = count // size
        order = np.random.default_rng((self.seed, step // per)).permutation(count)
        return self.data.train.some(order[step % per * size :][:size].tolist())

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        self.system.eval()
        sums: dict[str, float] = {}
        v = self.data.validation
        for first in range(0, len(v), self.budget.batch):
            some = v.some(list(range(first, min(len(v), first + self.budget.batch))))
            for name, value in self.system.losses(some).items():
                sums[name] = sums.get(name, 0.0) + value.item() * len(some) / len(v)
        return sums

    def save(self, better: bool) -> None:
        state = {
            "system": self.system.state_dict(),
            "progress": (self.step, self.best, self.best_step, self.seconds),
        }
        if better:
            checkpoint.save(state, self.out / "best.pt")
        state |= {"optimiser": self.optimiser.state_dict(), "lines": json.dumps(self.lines)}
        checkpoint.save(state, self.out / "last.pt")


def rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(v, 5) for name, v in values.items()}


def one(
    table: Table, row: Row, bench: Bench, seed: int, places: Places, before: Data | None = None
) -> tuple[Path, Data | None]:
    """Trains and measures a row, unless its log is whole. Returns the log and the data, for the next row. On a place
    that is not trained on it only measures, and what has tables of another city cannot be."""
    log = places.logs / bench.key / f"{row.key}-{seed}.jsonl"
    if log.exists() or not table.can(row, bench):
        return log, before
    if row.system in table_.APPLICATION:
        return places.application.row(table, row, bench, seed, places, log), before
    data = load(table, bench, row, places.sets, before)
    out = places.out / bench.key / f"{row.key}-{seed}"
    if bench.after:
        system, lines, last = taken_over(table, row, bench, seed, data, places)
    else:
        run = Run(table, row, bench, seed, data, out)
        run.resume()
        run.run()
        system, lines = run.system, run.lines
        last = {"step": run.best_step, "seconds": round(run.seconds, 1)}
    figures = recovered(system, data, bench, places, out)
    first = head(row, bench, seed, data.origins, asdict(data.made.sizes), asdict(table.budget_of(row)))
    first["weights"] = sum(p.numel() for p in system.parameters())
    first["segments"] = data.made.city.segments
    finish(log, [first, *lines, {"test": figures} | last])
    return log, data


def taken_over(
    table: Table, row: Row, bench: Bench, seed: int, data: Data, places: Places
) -> tuple[torch.nn.Module, list[dict], dict]:
    """The system of a row as it was trained on another bench."""
    system = table_.build(row, data.made)
    if any(p.requires_grad for p in system.parameters()):
        of, there = table.trained(row, bench)
        trained = places.out / there.key / f"{of.key}-{seed}" / "best.pt"
        if not trained.exists():
            raise SystemExit(f"{trained} is missing: run {of.name!r} on {there.name!r} first")
        system.load_state_dict(checkpoint.read(trained)["system"])
    return system.eval(), [], {}


def places_of(args: argparse.Namespace) -> Places:
    application = Application(args.tool, args.extracts)
    return Places(args.sets, args.out, args.logs, application)


def add_places(p: argparse.ArgumentParser) -> None:
    p.add_argument("--table", type=Path, default=Path("configs/systems.toml"))
    p.add_argument("--sets", type=Path, required=True, help="folder of the data sets")
    p.add_argument("--out", type=Path, required=True, help="folder of checkpoints")
    p.add_argument("--logs", type=Path, default=Path("results/systems"))
    p.add_argument("--tool", type=Path, required=True, help="tools/systems, built")
    p.add_argument("--extracts", type=Path, required=True, help="folder that the extracts' names start from")


def main() -> None:
    p = argparse.ArgumentParser(description="Train and measure one row of the table of systems.")
    p.add_argument("row")
    p.add_argument("--bench", required=True)
    p.add_argument("--seed", type=int, default=1)
    add_places(p)
    args = p.parse_args()
    table = table_.read(args.table)
    log, _ = one(table, table.row(args.row), table.bench(args.bench), args.seed, places_of(args))
    print(log.read_text().splitlines()[-1])


if __name__ == "__main__":
    main()
