"""The logs of rows that were run, as they are committed."""

import json
from dataclasses import dataclass
from pathlib import Path

import torch

from rntrajrec import checkpoint
from rntrajrec.pipeline import write
from rntrajrec.systems.table import Bench, Row, Table


@dataclass(frozen=True)
class Log:
    """One row with one seed."""

    head: dict
    validations: list[dict]
    test: dict[str, dict[str, float]]

    def unfinished(self) -> bool:
        """Whether the last validation was the best: more steps would have helped."""
        totals = [v["validation"].get("total", v["validation"].get("loss_total")) for v in self.validations]
        return bool(totals) and totals[-1] == min(totals)

    def figure(self, section: str, name: str) -> float | None:
        return self.test.get(section, {}).get(name)


def read(path: Path) -> Log:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    if len(lines) < 2 or "test" not in lines[-1]:
        raise ValueError(
            f"{path} is no whole log: its last line has no figures of the test set; run the row again"
        )
    return Log(lines[0], lines[1:-1], lines[-1]["test"])


def path_of(folder: Path, bench: Bench, row: Row, seed: int) -> Path:
    return folder / bench.key / f"{row.key}-{seed}.jsonl"


class Logs:
    """All logs of a table."""

    def __init__(self, folder: Path, table: Table):
        self.table = table
        self.found: dict[tuple[str, str], list[Log]] = {}
        for bench in table.benches:
            for row in table.rows:
                paths = [path_of(folder, bench, row, seed) for seed in table.seeds]
                if logs := [read(p) for p in paths if p.exists()]:
                    self.found[bench.name, row.name] = logs

    def of(self, bench: str, row: str) -> list[Log]:
        return self.found.get((bench, row), [])

    def figures(self, bench: str, row: str, section: str, name: str) -> list[float]:
        values = [log.figure(section, name) for log in self.of(bench, row)]
        return [v for v in values if v is not None]

    def mean(self, bench: str, row: str, section: str, name: str) -> float | None:
        values = self.figures(bench, row, section, name)
        return sum(values) / len(values) if values else None


def head(row: Row, bench: Bench, seed: int, origins: list[dict], sizes: dict, budget: dict) -> dict:
    """The first line of a log: what was run."""
    return {
        "row": row.name, "system": row.system, "set": row.set | row.model | ({"also": row.also} if row.also else {}), "bench": bench.name, "seed": seed,
        "commit": checkpoint.commit(), "hardware": checkpoint.hardware(torch.device("cpu"), budget.get("threads", 1)),
        "data": [{k: d[k] for k in ("name", "manifest_sha256", "trips")} for d in origins], "sizes": sizes, "budget": budget,
    }  # fmt: skip


def finish(log: Path, lines: list[dict]) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    write(log, "".join(json.dumps(line) + "\n" for line in lines))
