"""The case study: python -m rntrajrec.systems.case --bench BENCH --retrace PROGRAM ...

Draws one test trip over elevated roads by retrace render: what was known, what was driven, and what
rows recovered that have been run. Writes docs/results/case/NAME.png, and LOGS/case.json, which says what they are.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import torch

from rntrajrec import checkpoint
from rntrajrec.pipeline import write
from rntrajrec.systems import table as table_
from rntrajrec.systems.train import add_places, load, places_of

ROWS = (
    "MTrajRec",
    "RNTrajRec, city form",
    "RNTrajRec, universal form",
    "RNTrajRec, universal form, routes",
    "Map matching of Retrace",
    "Model of Retrace",
)


def chosen(data) -> int:
    """The test trip with most ticks on elevated roads."""
    elevated = data.made.city.part.roads[:, data.made.schema.column("roads", "elevated")] > 0.5
    on = torch.cat([elevated, torch.zeros(1, dtype=torch.bool)])[data.test.segment] & data.test.there
    return int(on.sum(1).argmax())


def view(data, trip: int, margin: float = 0.2) -> str:
    """The box of what was driven and so many kilometres around it, as retrace render takes it."""
    km = data.test.place[trip][data.test.there[trip]].double().numpy()
    lon, lat = data.made.city.degrees(1000 * np.stack([km.min(0) - margin, km.max(0) + margin]))
    return ",".join(f"{v:.5f}" for v in (lon[0], lat[0], lon[1], lat[1]))


def main() -> None:
    p = argparse.ArgumentParser(description="Draw a trip over elevated roads.")
    p.add_argument("--bench", required=True)
    p.add_argument("--retrace", type=Path, required=True, help="the program")
    p.add_argument("--pictures", type=Path, default=Path("../docs/results/case"))
    add_places(p)
    args = p.parse_args()
    table, places = table_.read(args.table), places_of(args)
    bench = table.bench(args.bench)
    data = load(table, bench, table.row(ROWS[0]), places.sets)
    trip = chosen(data)
    args.pictures.mkdir(parents=True, exist_ok=True)
    jobs = [("What was known", "samples", "-"), ("What was driven", "truth", "-")]
    for name in ROWS:
        folder = places.out / bench.key / f"{table.row(name).key}-{table.seeds[0]}" / "recovered"
        if (folder / "segment.npy").exists():
            jobs.append((name, "recovered", str(folder)))
        else:
            print(f"{name} has not been run")
    drawn_of = {"bench": bench.name, "trip": trip, "commit": checkpoint.commit(), "pictures": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for name, what, folder in jobs:
            drawn = Path(scratch) / "trip.csv"
            places.application.call(
                "draw", bench, places, f"-trip={trip}", f"-what={what}", folder, str(drawn)
            )
            picture = args.pictures / ("-".join(re.findall("[a-z0-9]+", name.lower())) + ".png")
            drawn_of["pictures"][picture.stem] = name
            subprocess.run([str(args.retrace), "--quiet", "render", f"--network={places.application.extracts / bench.extract}",
                            f"--recovery={drawn}", f"--view={view(data, trip)}", "--size=600x400", "-o", str(picture)], check=True)  # fmt: skip
    write(args.logs / "case.json", json.dumps(drawn_of, indent=1) + "\n")


if __name__ == "__main__":
    main()
