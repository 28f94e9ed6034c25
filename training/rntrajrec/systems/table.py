"""The rows of the table of systems, as configs/systems.toml gives them."""

import math
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from rntrajrec.systems.dhtr import DHTR
from rntrajrec.systems.gts import GTS
from rntrajrec.systems.linear import Linear
from rntrajrec.systems.mtrajrec import MTrajRec
from rntrajrec.systems.neutraj import NeuTraj
from rntrajrec.systems.rntrajrec import RNTrajRec, Universal
from rntrajrec.systems.system import Made, Sizes, System
from rntrajrec.systems.t2vec import T2Vec
from rntrajrec.systems.t3s import T3S
from rntrajrec.systems.transformer import Transformer

WHOLE = {"linear": Linear, "dhtr": DHTR}  # systems with a way of their own
ENCODERS = {
    "t2vec": T2Vec, "transformer": Transformer, "mtrajrec": MTrajRec, "t3s": T3S, "gts": GTS,
    "neutraj": NeuTraj, "rntrajrec": RNTrajRec, "universal": Universal,
}  # fmt: skip
# Recovered by the application: its map matching, the same with the time of a gap spread evenly, the model
# that it comes with, and the universal form with either of its decoders, trained on the same budget.
DECODERS = ("routes", "ticks")
MATCHING = ("hmm", "even")
APPLICATION = (*MATCHING, "builtin", *DECODERS)
PROSE = ("paper", "differs")  # what only the page says of a row or a bench
# Rows whose weights, if any, hold in any city.
ANYWHERE = ("linear", "universal", *APPLICATION)


@dataclass(frozen=True)
class Row:
    name: str
    system: str
    set: dict = field(default_factory=dict)  # sizes that differ
    train: dict = field(default_factory=dict)  # settings of the training that differ
    model: dict = field(default_factory=dict)  # settings of the application's model that differ, for DECODERS
    also: tuple[str, ...] = ()  # data sets of any network that it learns from too, for DECODERS
    of: str = ""  # the row whose training this one takes over
    beams: int = 0  # that the decoder of ticks keeps; 0: as many as the application's
    paper: str = ""  # the paper's name of the row

    @property
    def key(self) -> str:
        """The name as a part of a file's name."""
        return "-".join(re.findall("[a-z0-9]+", self.name.lower()))

    @property
    def seeded(self) -> bool:
        """Whether it has weights that a seed could change."""
        return self.system not in ("linear", "builtin", *MATCHING)


@dataclass(frozen=True)
class Bench:
    """Data that rows are trained and measured on."""

    name: str
    train: str  # data sets
    validation: str
    test: str
    extract: str  # below the data folder
    box: tuple[float, ...] = ()  # that the tables cover, degrees; empty: the whole extract
    trips: int = 0  # of the training set, 0: all
    after: str = ""  # nothing is trained here: rows are measured as the bench of this name has trained them
    paper: str = ""  # the paper's data that this stands for
    differs: str = ""  # how

    @property
    def key(self) -> str:
        return Row(self.name, "").key


@dataclass(frozen=True)
class Budget:
    """The same for every row."""

    steps: int = 1000
    every: int = 100  # steps between two validations
    patience: int = 5  # validations without a better one
    batch: int = 16
    rate: float = 1e-3
    clip: float = 5.0  # norm of the gradient
    threads: int = 1

    def rate_at(self, step: int) -> float:
        """The rate rises over the first twentieth of the steps, and falls along a cosine."""
        part = step / self.steps
        return self.rate * min(1.0, 20 * part + 1 / self.steps) * 0.5 * (1 + math.cos(math.pi * part))


@dataclass(frozen=True)
class Group:
    """A table of the page."""

    name: str
    benches: tuple[str, ...]
    rows: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True)
class Table:
    sizes: Sizes
    budget: Budget
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    benches: tuple[Bench, ...]
    groups: tuple[Group, ...]

    def row(self, name: str) -> Row:
        return named(self.rows, name, "row")

    def bench(self, name: str) -> Bench:
        return named(self.benches, name, "bench")

    def sizes_of(self, row: Row) -> Sizes:
        return replace(self.sizes, **row.set)

    def trained(self, row: Row, bench: Bench) -> tuple[Row, Bench]:
        """The row and the bench that a row on a bench has its weights of."""
        return self.row(row.of) if row.of else row, self.bench(bench.after) if bench.after else bench

    def can(self, row: Row, bench: Bench) -> bool:
        """Whether a row can be measured on a bench: tables of a city are of no use in another."""
        return not bench.after or row.system in ANYWHERE

    def seeds_of(self, row: Row) -> tuple[int, ...]:
        """The seeds that a row is run with."""
        return self.seeds if row.seeded else self.seeds[:1]

    def budget_of(self, row: Row) -> Budget:
        return replace(self.budget, **row.train)


def named(all_, name: str, kind: str):
    for one in all_:
        if name in (one.name, one.key):
            return one
    raise SystemExit(f"there is no {kind} called {name!r}; there are {', '.join(o.name for o in all_)}")


def read(path: Path) -> Table:
    """Reads a table. A name that means nothing is an error."""
    values = tomllib.loads(path.read_text())
    kinds = {"sizes": Sizes, "budget": Budget, "row": Row, "bench": Bench, "group": Group}
    if unknown := set(values) - {*kinds, "seeds"}:
        raise ValueError(f"{path}: there is no part called {sorted(unknown)[0]!r}")
    made = {name: [of(kind, v, path) for v in values.get(name, [])] for name, kind in list(kinds.items())[2:]}
    table = Table(
        of(Sizes, values.get("sizes", {}), path), of(Budget, values.get("budget", {}), path), tuple(values["seeds"]),
        tuple(made["row"]), tuple(made["bench"]), tuple(made["group"]),
    )  # fmt: skip
    for row in table.rows:
        if row.system not in {*WHOLE, *ENCODERS, *APPLICATION}:
            raise ValueError(f"{path}: row {row.name!r} is of no system that there is: {row.system!r}")
        if row.also and row.system not in DECODERS:
            raise ValueError(
                f"{path}: row {row.name!r} cannot learn from {row.also[0]!r}: {row.system!r} knows one network"
            )
        of(Sizes, row.set, path), of(Budget, row.train, path)
    for group in table.groups:
        for name in group.rows:
            table.row(name)
        for name in group.benches:
            table.bench(name)
    for name in (b.after for b in table.benches if b.after):
        table.bench(name)
    for name in (r.of for r in table.rows if r.of):
        table.row(name)
    return table


def of(kind, values: dict, path: Path):
    if unknown := set(values) - {f.name for f in fields(kind)}:
        raise ValueError(f"{path}: {sorted(unknown)[0]!r} is nothing that a {kind.__name__} has")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})


def build(row: Row, made: Made):
    """The system of a row, untrained."""
    if row.system in WHOLE:
        return WHOLE[row.system](made)
    return System(ENCODERS[row.system](made), made.city, made.sizes)
