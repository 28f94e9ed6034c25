"""What a model reaches on trips it is not trained on, in figures that early stopping and reports use.

These are figures of the decoders, not those of evaluation: `retrace evaluate` recovers
whole trips and scores them as the paper does.
"""

import numpy as np
import torch
from torch import Tensor

from rntrajrec.batch import Batch
from rntrajrec.decoder_routes import viterbi
from rntrajrec.decoder_ticks import chosen
from rntrajrec.decoder_time import position_at
from rntrajrec.losses import by_length, segment_sum, total
from rntrajrec.model import Encoded, Model
from rntrajrec.settings import TrainSettings


class Measure:
    """Gathers figures over batches."""

    def __init__(self, t: TrainSettings):
        self.settings = t
        self.rows: dict[str, list[float]] = {}
        self.samples = 0

    def add(self, model: Model, b: Batch) -> None:
        """Adds a batch of validation."""
        n = len(b.gap_seconds)
        self.samples += len(b.sample_trip)
        for name, value in total(model, b, self.settings).parts.items():
            self._put("loss_" + name, [value], n)
        e = model.encode(b)
        if model.settings.routes:
            self._routes(b, *model.scores(b, e))
        if model.settings.time:
            self._time(model, b, e)
        if b.ticks is not None:
            self._ticks(b, *model.at_ticks(b, e))

    def _put(self, name: str, values: list[float], times: int = 1) -> None:
        self.rows.setdefault(name, []).extend(values * times)

    def _routes(self, b: Batch, u: Tensor, v: Tensor) -> None:
        """F1 of the path by length, of the most probable path and of the best there is; by trip."""
        length, true = b.option_length, segment_sum(b.piece_length, b.piece_start)
        shared = b.overlap * torch.maximum(length, true[b.option_gap])
        for trip, options in enumerate(viterbi(b.chains, u, v)):
            if len(options):
                self._put(
                    "path_f1",
                    [f1(shared[options].sum(), length[options].sum(), true[b.gap_trip == trip].sum())],
                )
        best = best_of(b, shared, length)
        for trip, options in enumerate(best):
            if len(options):
                self._put(
                    "path_f1_ceiling",
                    [f1(shared[options].sum(), length[options].sum(), true[b.gap_trip == trip].sum())],
                )

    def _time(self, model: Model, b: Batch, e: Encoded | None) -> None:
        """Metres along the true route between the true and the predicted place at hidden ticks."""
        counts = b.piece_start[1:] - b.piece_start[:-1]
        for group in by_length(counts):
            r = model.reached(b, e, group)
            ticks = (b.tick_start[1:] - b.tick_start[:-1])[group]
            if not int(ticks.max()):
                continue
            steps = torch.arange(int(ticks.max()), device=ticks.device)
            at = b.tick_start[group][:, None] + steps
            known = steps[None] < ticks[:, None]
            at = torch.where(known, at, 0)
            share = (b.tick_time[at] / b.gap_seconds[group][:, None]).clamp(0, 1)
            whole = r.lengths.sum(1, keepdim=True)
            for name, place in (("time", position_at(share, r.share, r.lengths)), ("uniform", share * whole)):
                self._put(f"{name}_mae_hidden", (place - b.tick_along[at]).abs()[known].tolist())

    def _ticks(self, b: Batch, scores: Tensor, ratio: Tensor) -> None:
        """How often the most probable segment is the true one, at ticks without a sample and at those with one, and
        how far off the ratio along it is; with the true tick before given."""
        t = b.ticks
        right = (chosen(scores, t) == t.target) & (t.target >= 0)
        self._put("tick_accuracy", right[t.hidden].float().tolist())
        self._put("tick_accuracy_samples", right[~t.hidden].float().tolist())
        self._put("tick_ceiling", (t.target >= 0)[t.hidden].float().tolist())
        self._put("tick_ratio_mae", (ratio - t.ratio).abs()[t.hidden & (t.target >= 0)].tolist())

    def figures(self) -> dict[str, float]:
        """The mean of each. Over all points counts the observed ones as right, as they lie on the true route."""
        means = {name: float(np.mean(values)) for name, values in self.rows.items()}
        for name in ("time", "uniform"):
            if hidden := self.rows.get(f"{name}_mae_hidden"):
                means[f"{name}_mae"] = sum(hidden) / (len(hidden) + self.samples)
        return means


def f1(shared: Tensor, found: Tensor, true: Tensor) -> float:
    """2 shared / (found + true); two paths of no length are the same."""
    return float(2 * shared / (found + true)) if found + true > 0 else 1.0


def best_of(b: Batch, shared: Tensor, length: Tensor) -> list[Tensor]:
    """The options of the path nearest to the truth: most shared, less half of what is too much."""
    value = shared - length / 2 + b.overlap
    return viterbi(b.chains, torch.zeros(len(b.candidates), device=value.device), value)
