"""What only the application can do: tools/systems, built. It recovers by map matching and by models, and scores."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rntrajrec import checkpoint, settings
from rntrajrec.data import DataSet
from rntrajrec.systems.blinded import bundled
from rntrajrec.systems.logs import finish, head
from rntrajrec.systems.table import DECODERS
from rntrajrec.train import Training, overridden

BUILT_IN = Path(__file__).resolve().parents[3] / "assets" / "models" / "universal"
SECTIONS = ("paper", "code", "hidden", "elevated")


@dataclass(frozen=True)
class Application:
    """Calls of tools/systems."""

    tool: Path
    extracts: Path

    def call(self, command: str, bench, places, *words: str) -> dict:
        given = [
            str(self.tool),
            command,
            f"-network={self.extracts / bench.extract}",
            f"-set={places.sets / bench.test}",
        ]
        done = subprocess.run([*given, *words], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join([*given, *words])}\n{done.stderr}")
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def score(self, bench, places, folder: Path) -> dict[str, dict[str, float]]:
        """The figures of what lies in a folder, by section and name."""
        found: dict[str, dict[str, float]] = {}
        for f in self.call("score", bench, places, str(folder))["figures"]:
            if f["section"] in SECTIONS:
                found.setdefault(f["section"], {})[f["name"]] = round(f["value"], 5)
        return found

    def row(self, table, row, bench, seed: int, places, log: Path) -> Path:
        """A row that the application recovers."""
        out = places.out / bench.key / f"{row.key}-{seed}"
        of, there = table.trained(row, bench)
        made = places.out / there.key / f"{of.key}-{seed}"
        lines = []
        if row.system in DECODERS and made == out:
            lines = train(table, row, bench, seed, places, out)
        elif row.system in DECODERS and not (made / "bundle" / "manifest.json").exists():
            raise SystemExit(f"{made}/bundle is missing: run {of.name!r} on {there.name!r} first")
        self.call("recover", bench, places, *self.words(row, made), str(out / "recovered"))
        figures = self.score(bench, places, out / "recovered")
        first = head(row, bench, seed, [checkpoint.origin(DataSet(places.sets / bench.test))], asdict(table.sizes_of(row)), asdict(table.budget_of(row)))  # fmt: skip
        first["weights"] = self.weights(row, made)
        finish(log, [first, *lines, {"test": figures}])
        return log

    def bundle(self, row, out: Path) -> Path | None:
        """The model that a row is recovered by."""
        return BUILT_IN if row.system == "builtin" else out / "bundle" if row.system in DECODERS else None

    def words(self, row, out: Path) -> list[str]:
        """How the application is told to recover a row."""
        bundle = self.bundle(row, out)
        if bundle is None:
            return ["-method=hmm", *(["-even"] if row.system == "even" else [])]
        return [
            "-method=rntrajrec",
            f"-model={bundle}",
            *([f"-decoder={row.system}"] if row.system in DECODERS else []),
            *([f"-beams={row.beams}"] if row.beams else []),
        ]

    def weights(self, row, out: Path) -> int:
        bundle = self.bundle(row, out)
        graphs = json.loads((bundle / "manifest.json").read_text())["graphs"] if bundle else []
        return sum(g["weights"] for g in graphs)


def train(table, row, bench, seed: int, places, out: Path) -> list[dict]:
    """Trains the application's model with one of its decoders on as many trips, exports it to OUT/bundle and gives the
    lines of its validations."""
    s, b = table.sizes_of(row), table.budget_of(row)
    sets = (bench.train, *row.also)
    data = [DataSet(places.sets / name) for name in sets]
    trips = bench.trips or sum(len(d.trips()) for d in data)
    epochs = max(1, round(b.steps * b.batch / trips))
    routes = row.system == "routes"
    m = settings.ModelSettings(
        d=s.d, heads=s.heads, road_layers=s.road_layers, blocks=s.layers, hidden=s.d, time_hidden=s.d,
        routes=routes, time=routes, ticks=not routes,
    )  # fmt: skip
    t = settings.TrainSettings(
        train=sets, validation=(bench.validation,), seed=seed, epochs=epochs, patience=epochs, batch=b.batch,
        rate=b.rate, clip=b.clip, train_trips=bench.trips, threads=b.threads, workers=0,
    )  # fmt: skip
    whole = overridden(settings.Settings(m, t), [f"model.{k}={json.dumps(v)}" for k, v in row.model.items()])
    training = Training(whole, out, places.sets)
    training.resume()
    training.run()
    best = bundled(out / "best.pt", data[0].schema)
    command = [sys.executable, "-m", "rntrajrec.export", str(best), str(out / "bundle")]
    subprocess.run([*command, "--data", str(places.sets / bench.validation)], check=True, capture_output=True)
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if "validation" in line]
