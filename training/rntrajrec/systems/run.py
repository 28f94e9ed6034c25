"""Trains and measures all rows that have no log yet: python -m rntrajrec.systems.run --sets SETS ...

Seeds come first: every row has been trained once before any is trained again. Benches come in the
order of the table, and of each the rows that a group of the page names. What was stopped goes on.
"""

import argparse
import subprocess
import time

from rntrajrec.systems import table as table_
from rntrajrec.systems.table import Bench, Row, Table
from rntrajrec.systems.train import add_places, one, places_of


def jobs(table: Table, benches: list[str], rows: list[str], seeds: int) -> list[tuple[Row, Bench, int]]:
    """What is to be done, in order. A row without weights that a seed could change is run once."""
    found = []
    for seed in table.seeds[: seeds or None]:
        for group in table.groups:
            for bench in group.benches:
                for name in group.rows:
                    job = (table.row(name), table.bench(bench), seed)
                    wanted = (not benches or bench in benches) and (not rows or name in rows)
                    if wanted and seed in table.seeds_of(job[0]) and table.can(*job[:2]) and job not in found:
                        found.append(job)
    return found


def main() -> None:
    p = argparse.ArgumentParser(description="Train and measure the rows of the table of systems.")
    p.add_argument("--bench", nargs="+", default=[], help="only these")
    p.add_argument("--row", nargs="+", default=[], help="only these")
    p.add_argument("--seeds", type=int, default=0, help="use only the first so many seeds")
    p.add_argument("--minutes", type=float, default=0, help="begin no row after so many minutes; 0: no end")
    add_places(p)
    args = p.parse_args()
    table, places = table_.read(args.table), places_of(args)
    start, data, failed = time.monotonic(), None, 0
    for row, bench, seed in jobs(table, args.bench, args.row, args.seeds):
        if args.minutes and time.monotonic() - start > 60 * args.minutes:
            break
        try:
            log, data = one(table, row, bench, seed, places, data)
        except (SystemExit, ValueError, subprocess.CalledProcessError) as e:  # the other rows can go on
            failed += 1
            print(f"{bench.name}, {row.name}, seed {seed} FAILED: {e}", flush=True)
            continue
        print(f"{bench.name}, {row.name}, seed {seed}: {log}", flush=True)
    if failed:
        raise SystemExit(f"{failed} rows failed")


if __name__ == "__main__":
    main()
