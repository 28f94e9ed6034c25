"""What `make train` does, as a table in configs/ gives it: data sets, models and evaluations."""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True)
class DataSetPlan:
    """One data set, made by `retrace dataset`."""

    name: str
    networks: tuple[
        str, ...
    ]  # extracts below the data folder; "*": all but those held out, and "-x" not x either
    trips: tuple[str, ...] = ()  # files of dense trips below the data folder
    arguments: tuple[str, ...] = ()
    small: tuple[str, ...] | None = None  # the arguments of a small run
    source: str = ""  # whose the trips are, and their licence, for the card


@dataclass(frozen=True)
class ModelPlan:
    """One model: trained once for each seed; the one that validates best is exported, if exported graphs are to be
    checked. Else it is a step on the way: a later one begins with it or takes a part of it."""

    name: str
    config: str  # beside the table
    seeds: tuple[int, ...] = (1,)
    start: tuple[str, ...] = ()  # other models: it begins with their mean
    # Parts that stay as others of them have them, in the mean.
    take: dict[str, list[str]] = field(default_factory=dict)
    spread: float = (
        1.0  # what the doubt about times is multiplied by; tools/tune finds it on validation trips
    )
    temperature: float = (
        1.0  # what the logarithms of the probabilities of ticks' beams are divided by, likewise
    )
    small: tuple[str, ...] = ()  # settings of a small run, as PART.NAME=VALUE
    check: str = ""  # the data set that exported graphs are compared with PyTorch on
    install: str = ""  # folder below the repository that the bundle is copied to


@dataclass(frozen=True)
class EvaluationPlan:
    """One run of `retrace evaluate`: its words may name files below the data folder."""

    name: str
    arguments: tuple[str, ...]
    small: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Plan:
    sets: tuple[DataSetPlan, ...]
    models: tuple[ModelPlan, ...]
    evaluations: tuple[EvaluationPlan, ...]
    held_out: tuple[str, ...]  # extracts that nothing is trained on


def read(path: Path) -> Plan:
    """Reads a table. A name that means nothing is an error."""
    values = tomllib.loads(path.read_text())
    unknown = set(values) - {"set", "model", "evaluation", "held_out"}
    if unknown:
        raise ValueError(f"{path}: there is no table called {sorted(unknown)[0]!r}")
    plan = Plan(
        tuple(made(DataSetPlan, v, path) for v in values.get("set", [])),
        tuple(made(ModelPlan, v, path) for v in values.get("model", [])),
        tuple(made(EvaluationPlan, v, path) for v in values.get("evaluation", [])),
        tuple(values.get("held_out", [])),
    )
    for rows in (plan.sets, plan.models, plan.evaluations):
        names = [r.name for r in rows]
        if twice := {n for n in names if names.count(n) > 1}:
            raise ValueError(f"{path}: two rows are called {sorted(twice)[0]!r}")
    return plan


def made(kind, values: dict, path: Path):
    known = {f.name for f in fields(kind)}
    if unknown := set(values) - known:
        raise ValueError(f"{path}: {sorted(unknown)[0]!r} is nothing that a {kind.__name__} has")
    try:
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
    except TypeError as e:
        raise ValueError(f"{path}: {values.get('name', 'a row without a name')}: {e}") from None


def extracts(plan: Plan, networks: tuple[str, ...], data: Path) -> list[Path]:
    """The extracts of a data set, in order of their names where all are meant."""
    left_out = {*plan.held_out, *(name[1:] for name in networks if name.startswith("-"))}
    found = []
    for name in networks:
        if name == "*":
            every = sorted(p for p in (data / "osm").iterdir() if ".osm" in p.name)
            found += [p for p in every if p.name.partition(".osm")[0] not in left_out]
        elif not name.startswith("-"):
            found.append(data / name)
    return found


def arguments(words: tuple[str, ...], data: Path) -> list[str]:
    """Words of a command. Those that name a file below the data folder, as in --network=osm/porto.osm.pbf, get its
    whole path."""
    found = []
    for w in words:
        option, equals, value = w.rpartition("=")
        found.append(f"{option}{equals}{data / value}" if value and (data / value).is_file() else w)
    return found
