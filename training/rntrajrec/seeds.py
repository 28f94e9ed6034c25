"""What a seed is worth: python -m rntrajrec.seeds --of NAME REPORT REPORT [...] [--of ...]

Prints a table of the figures of bundles that were trained alike with other seeds: a row for each way of thinning and
figure, a column for each report of `retrace evaluate --json` or `tools/score -json`, and their mean with the standard
deviation.
"""

import argparse
import json
from pathlib import Path

from rntrajrec.card import number, spread, table

# Section and name of the figures, and what they are called.
FIGURES = {
    ("paper", "F1"): "F1",
    ("paper", "accuracy"): "accuracy",
    ("code", "great-circle MAE"): "great-circle MAE, m",
}


def rows(name: str, reports: list[dict]) -> list[list[str]]:
    """The rows of one set of trips. Reports of other trips than the first one's are an error."""
    bundles = [of_model(r) for r in reports]
    found = []
    for keep, first in bundles[0].items():
        results = [b.get(keep) for b in bundles]
        if any(r is None or r["trips"] != first["trips"] for r in results):
            raise ValueError(f"the reports of {name} are not of the same trips, thinned by {keep}")
        for figure, title in FIGURES.items():
            if not told(first, figure):
                continue
            values = [value(r, figure) for r in results]
            found.append([name, keep, title, *map(number, values), spread(values)])
    return found


def of_model(report: dict) -> dict[str, dict]:
    """The results of the model by how trips were thinned."""
    return {r["keep"]: r for r in report["results"] if r["method"] == "rntrajrec"}


def told(result: dict, figure: tuple[str, str]) -> bool:
    return any((f["section"], f["name"]) == figure for f in result["figures"])


def value(result: dict, figure: tuple[str, str]) -> float:
    return next(f["value"] for f in result["figures"] if (f["section"], f["name"]) == figure)


def main() -> None:
    p = argparse.ArgumentParser(description="Compare bundles that were trained with other seeds.")
    p.add_argument("--of", nargs="+", action="append", required=True, metavar=("NAME", "REPORT"))
    args = p.parse_args()
    found = [
        row
        for name, *files in args.of
        for row in rows(name, [json.loads(Path(f).read_text()) for f in files])
    ]
    seeds = [f"seed {i + 1}" for i in range(len(found[0]) - 4)]
    print(table(["trips", "kept", "figure", *seeds, "mean ± standard deviation"], found), end="")


if __name__ == "__main__":
    main()
