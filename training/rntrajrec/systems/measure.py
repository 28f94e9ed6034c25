"""What a trained row reaches on test trips: recovered here or by the application, scored by the application."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from rntrajrec import checkpoint, settings
from rntrajrec.data import DataSet

BATCH = 32  # trips recovered at once
SECTIONS = ("paper", "code", "hidden", "elevated")


@dataclass(frozen=True)
class Application:
    """tools/systems, built: what only the application can do."""

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
        from rntrajrec.systems.train import finish, head

        out = places.out / bench.key / f"{row.key}-{seed}"
        words, lines, weights = ["-method=hmm"], [], 0
        if row.system == "builtin":
            words = ["-method=rntrajrec"]
        if row.system == "ticks":
            bundle, lines, weights = bundle_of_ticks(table, row, bench, seed, places, out)
            words = ["-method=rntrajrec", f"-model={bundle}", "-decoder=ticks"]
        self.call("recover", bench, places, *words, str(out / "recovered"))
        figures = self.score(bench, places, out / "recovered")
        first = head(row, bench, seed, [checkpoint.origin(DataSet(places.sets / bench.test))], asdict(table.sizes_of(row)), asdict(table.budget_of(row)))  # fmt: skip
        first["weights"] = weights
        finish(log, [first, *lines, {"test": figures}])
        return log


def bundle_of_ticks(table, row, bench, seed: int, places, out: Path) -> tuple[Path, list[dict], int]:
    """The application's model with the decoder of ticks, trained on as many steps and exported."""
    from rntrajrec.train import Training, overridden

    s, b = table.sizes_of(row), table.budget_of(row)
    data = DataSet(places.sets / bench.train)
    trips = bench.trips or len(data.trips())
    epochs = max(1, round(b.steps * b.batch / trips))
    m = settings.ModelSettings(
        d=s.d, heads=s.heads, road_layers=s.road_layers, blocks=s.layers, hidden=s.d, routes=False, time=False, ticks=True,
    )  # fmt: skip
    t = settings.TrainSettings(
        train=(bench.train,), validation=(bench.validation,), seed=seed, epochs=epochs, patience=epochs, batch=b.batch,
        rate=b.rate, clip=b.clip, train_trips=bench.trips, threads=b.threads, workers=0,
    )  # fmt: skip
    whole = overridden(settings.Settings(m, t), [f"model.{k}={json.dumps(v)}" for k, v in row.model.items()])
    training = Training(whole, out, places.sets)
    training.resume()
    training.run()
    command = [sys.executable, "-m", "rntrajrec.export", str(out / "best.pt"), str(out / "bundle")]
    subprocess.run([*command, "--data", str(places.sets / bench.validation)], check=True, capture_output=True)
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    kept = [line for line in lines if "validation" in line]
    return out / "bundle", kept, sum(p.numel() for p in training.model.parameters())


@torch.no_grad()
def recovered(system, data, bench, places, out: Path) -> dict[str, dict[str, float]]:
    """Recovers the test trips, keeps what was recovered in OUT/recovered and has it scored."""
    folder = out / "recovered"
    folder.mkdir(parents=True, exist_ok=True)
    answers = answered(system, data.test)
    if hasattr(system, "places"):
        lon, lat = data.made.city.degrees(1000 * answers[0])
        np.save(folder / "lon.npy", lon)
        np.save(folder / "lat.npy", lat)
        places.application.call("recover", bench, places, f"-places={folder}", str(folder))
    else:
        np.save(folder / "segment.npy", data.made.city.ids[answers[0]].astype(np.int32))
        np.save(folder / "ratio.npy", answers[1].astype(np.float32))
    return places.application.score(bench, places, folder)


@torch.no_grad()
def answered(system, trips) -> tuple[np.ndarray, ...]:
    """What a system says of all ticks, one after another: segments and ratios, or places in kilometres."""
    system.eval()
    parts = []
    for first in range(0, len(trips), BATCH):
        b = trips.some(list(range(first, min(len(trips), first + BATCH))))
        said = (system.places(b),) if hasattr(system, "places") else system.recover(b)
        parts.append(
            [x[b.there].double().numpy() if x.is_floating_point() else x[b.there].numpy() for x in said]
        )
    return tuple(np.concatenate(p) for p in zip(*parts, strict=True))
