"""What each row takes: python -m rntrajrec.systems.efficiency --bench BENCH ...

Every row is built anew and recovers the test trips in a process of its own, one after another on
one thread; its weights need no training for that. Writes LOGS/efficiency.json.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch

from rntrajrec import checkpoint
from rntrajrec.pipeline import write
from rntrajrec.systems import table as table_
from rntrajrec.systems.measure import answered
from rntrajrec.systems.train import add_places, load, places_of


def measured(table, row, bench, places) -> dict[str, float]:
    """Of a row that is recovered here: processor seconds for a thousand trips, weights, megabytes."""
    torch.set_num_threads(1)
    data = load(table, replace(bench, after=bench.name), row, places.sets)  # the test trips alone
    system = table_.build(row, data.made).eval()
    start = time.process_time()
    answers = answered(system, data.test)
    seconds = time.process_time() - start
    if hasattr(system, "places"):
        seconds += matched(data, answers, bench, places)
    return {
        "seconds": 1000 * seconds / len(data.test),
        "weights": sum(p.numel() for p in system.parameters()),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def matched(data, answers, bench, places) -> float:
    """Processor seconds of the map matching of estimated places."""
    import numpy as np

    folder = places.out / "efficiency"
    folder.mkdir(parents=True, exist_ok=True)
    lon, lat = data.made.city.degrees(1000 * answers[0])
    np.save(folder / "lon.npy", lon)
    np.save(folder / "lat.npy", lat)
    return places.application.call("recover", bench, places, f"-places={folder}", str(folder))["seconds"]


def of_application(row, bench, places, out: Path) -> dict[str, float]:
    """Of a row that the application recovers; of the decoder of ticks the bundle of its first seed must be there."""
    application, made = places.application, places.out / bench.key / f"{row.key}-1"
    took = application.call("recover", bench, places, *application.words(row, made), str(out))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    seconds = 1000 * took["seconds"] / took["trips"]
    return {"seconds": seconds, "weights": application.weights(row, made), "memory": most}


def main() -> None:
    p = argparse.ArgumentParser(description="Measure what each row takes.")
    p.add_argument("--bench", required=True)
    p.add_argument("--row", help="measure this one here and print it")
    add_places(p)
    args = p.parse_args()
    table, places = table_.read(args.table), places_of(args)
    bench = table.bench(args.bench)
    if args.row:
        row = table.row(args.row)
        of_app = row.system in table_.APPLICATION
        done = (
            of_application(row, bench, places, places.out / "efficiency")
            if of_app
            else measured(table, row, bench, places)
        )
        print(json.dumps(done))
        return
    rows = {}
    for name in table.groups[0].rows:
        ended = subprocess.run([sys.executable, "-m", "rntrajrec.systems.efficiency", *sys.argv[1:], "--row", name], capture_output=True, text=True)  # fmt: skip
        if ended.returncode:
            print(f"{name}: not measured: {ended.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        rows[name] = json.loads(ended.stdout.splitlines()[-1])
        print(name, rows[name], flush=True)
    found = {"bench": bench.name, "hardware": checkpoint.hardware(torch.device("cpu"), 1), "commit": checkpoint.commit(), "rows": rows}  # fmt: skip
    write(args.logs / "efficiency.json", json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
