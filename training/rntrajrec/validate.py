"""Validation: python -m rntrajrec.validate CHECKPOINT --data SET [SET ...]

Prints the figures of a checkpoint on whole data sets, a JSON object a line. Never run
it on test trips while anything is still being chosen.
"""

import argparse
import json
from pathlib import Path

import torch

from rntrajrec import schema, settings
from rntrajrec.batch import collate_for
from rntrajrec.checkpoint import load
from rntrajrec.data import DataSet, batches
from rntrajrec.measure import Measure
from rntrajrec.model import Model, without
from rntrajrec.settings import TrainSettings


@torch.no_grad()
def figures(model: Model, data: DataSet, t: TrainSettings, hidden: tuple[str, ...] = ()) -> dict[str, float]:
    """The figures of a model on all trips of a data set, with some groups of columns unknown."""
    measure = Measure(t)
    drop = hide(data, hidden)
    for network, trips in batches(data, data.trips(), t.batch, None):
        measure.add(model, collate_for(model.settings, data, network, trips, drop))
    return measure.figures()


def hide(data: DataSet, groups: tuple[str, ...]):
    """A dropper that always drops the same groups."""

    def drop(tensor: str, values):
        columns = data.schema.tensors[tensor]
        mask = columns.of_group(*groups)
        values[..., mask] = columns.unknown[mask]
        return values

    return drop


def main() -> None:
    p = argparse.ArgumentParser(description="Measure a checkpoint on whole data sets.")
    p.add_argument("checkpoint", type=Path)
    p.add_argument("--data", type=Path, nargs="+", required=True)
    p.add_argument("--hide", nargs="*", default=[], choices=list(schema.DROPPED_WITH))
    p.add_argument(
        "--without",
        nargs="*",
        default=[],
        choices=["routes", "routes_alone", "time", "time_alone"],
        help="leave out one of two decoders of the same",
    )
    args = p.parse_args()
    for folder in args.data:
        data = DataSet(folder)
        model, state = load(args.checkpoint, data)
        for decoder in args.without:
            model = without(model, decoder)
        t = settings.from_dict(state["settings"]).training
        said = {"data": folder.name, "hidden": args.hide, "without": args.without}
        print(json.dumps(said | figures(model, data, t, tuple(args.hide))), flush=True)


if __name__ == "__main__":
    main()
