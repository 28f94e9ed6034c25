"""How near the application comes to PyTorch: python -m rntrajrec.systems.agreement RUN FOLDER --sets SETS

RUN is the folder of a training, whose recovered test trips lie in RUN/recovered; FOLDER is what tools/systems recovered
of the same trips by the exported system. Prints one JSON object.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from rntrajrec import ticks
from rntrajrec.batch import span_of
from rntrajrec.data import DataSet


def agreement(ours: Path, theirs: Path, hidden: np.ndarray) -> dict[str, float]:
    """What two recoveries of the same ticks have in common. `hidden` [ticks] are those without a sample: at the others
    the application tells a ratio of its own."""
    (a, x), (b, y) = ((np.load(f / "segment.npy"), np.load(f / "ratio.npy")) for f in (ours, theirs))
    if not len(a) == len(b) == len(hidden):
        raise ValueError(f"{ours} and {theirs} hold {len(a)} and {len(b)} ticks of {len(hidden)}")
    there = b >= 0
    same = there & (a == b)
    between = same & hidden
    return {
        "ticks": len(a),
        "missing": int((~there).sum()),
        "same_segment": int(same.sum()),
        "hidden_compared": int(between.sum()),
        "largest_ratio_difference": float(np.abs(x - y)[between].max(initial=0)),
    }


def hidden_of(data: DataSet) -> np.ndarray:
    """Which ticks of all trips have no sample, one trip after another."""
    return np.concatenate([ticks.of_trip(span_of(data.shards[s], i))["hidden"] for _, s, i in data.trips()])


def main() -> None:
    p = argparse.ArgumentParser(description="Compare what the application and PyTorch recover.")
    p.add_argument("run", type=Path)
    p.add_argument("folder", type=Path)
    p.add_argument("--sets", type=Path, required=True, help="folder of the data sets")
    args = p.parse_args()
    bench = json.loads((args.run / "made-from.json").read_text())["bench"]
    print(
        json.dumps(
            agreement(args.run / "recovered", args.folder, hidden_of(DataSet(args.sets / bench["test"])))
        )
    )


if __name__ == "__main__":
    main()
