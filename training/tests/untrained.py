"""Trainings that were never begun, for tests of the export, and the bundle of one that the application is tested with:

    python tests/untrained.py SET SYSTEM BUNDLE TRIP

SET is a data set as retrace dataset --encoder --ticks writes it, SYSTEM one of
rntrajrec.systems.table.ENCODERS, TRIP the golden one.
"""

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

import torch

from rntrajrec import checkpoint
from rntrajrec.data import DataSet
from rntrajrec.systems import table as table_
from rntrajrec.systems.city import City
from rntrajrec.systems.export import export
from rntrajrec.systems.system import Made, Sizes

TINY = Sizes(d=8, heads=2, layers=1, road_layers=1)


def write(folder: Path, data: DataSet, name: str, sizes: Sizes = TINY, box: tuple[float, ...] = ()) -> Path:
    """The folder of a training of a system, with weights as they are before the first step, but larger: so what is
    chosen does not hang on a last bit."""
    torch.manual_seed(0)
    system = table_.build(table_.Row(name, name), Made(City(data.network(0), box), data.schema, sizes))
    with torch.no_grad():
        for p in system.parameters():
            p.mul_(1.5)
    facts = {
        "row": {"name": name, "system": name}, "sizes": asdict(sizes), "budget": {}, "seed": 0,
        "bench": {"name": "tiny", "train": data.folder.name, "validation": data.folder.name, "test": data.folder.name, "box": box},
        "data": 3 * [checkpoint.origin(data)],
    }  # fmt: skip
    folder.mkdir(parents=True)
    (folder / "made-from.json").write_text(json.dumps(facts))
    checkpoint.save({"system": system.state_dict(), "progress": (0, 1.0, 0, 0.0)}, folder / "best.pt")
    return folder


if __name__ == "__main__":
    given, bundle = DataSet(sys.argv[1]), Path(sys.argv[3])
    run = write(bundle / "run", given, sys.argv[2])
    export(run, bundle, given.folder.parent, (0, 1, int(sys.argv[4])))
    shutil.rmtree(run)
