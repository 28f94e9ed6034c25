"""The mean of the weights of several checkpoints of one model, each trained on from the one before or all from one:
python -m rntrajrec.average CHECKPOINT CHECKPOINT [...] OUT --data FOLDER

OUT receives best.pt with the figures that the mean reaches on the validation trips of the
last one, and log.jsonl with these. Weights that went different ways from one point are
often better in the mean than each ("model soups", Wortsman et al., 2022).
"""

import argparse
import json
from pathlib import Path

import torch

from rntrajrec import checkpoint, settings
from rntrajrec.train import Training


def mean(weights: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean by name; weights that only some have are the mean of theirs."""
    names = {name for w in weights for name in w}
    return {name: sum(own) / len(own) for name in names if (own := [w[name] for w in weights if name in w])}


def average(paths: list[Path], out: Path, root: Path) -> dict[str, float]:
    """Writes the mean of checkpoints and returns its figures on the validation trips of the last."""
    states = [checkpoint.read(p) for p in paths]
    last = states[-1]
    t = Training(settings.from_dict(last["settings"]), out, root)
    adopted = [checkpoint.adopt(s, t.schema, t.settings) for s in states]
    t.model.load_state_dict(t.model.state_dict() | mean(adopted))
    trainings = [b for s in states for b in checkpoint.history(s)]
    t.before = [b for i, b in enumerate(trainings[:-1]) if b not in trainings[:i] and b != trainings[-1]]
    t.epoch, _, t.best_epoch, t.seconds = last["progress"]
    t.figures = t.validate()
    t.best = t.figures["loss_total"]
    t.log({"averaged": len(paths), "epoch": t.epoch, "seconds": t.seconds, "validation": t.figures})
    t.save("best.pt", with_optimiser=False)
    return t.figures


def main() -> None:
    p = argparse.ArgumentParser(description="Average the weights of checkpoints.")
    p.add_argument("checkpoints", type=Path, nargs="+")
    p.add_argument("out", type=Path)
    p.add_argument("--data", type=Path, default=Path("."), help="folder that the data sets' names start from")
    args = p.parse_args()
    print(json.dumps(average(args.checkpoints, args.out, args.data)))


if __name__ == "__main__":
    main()
