"""Sub-graph generation: what surrounds a sample (eq. 7, 8).

Go finds the segments within delta metres, their weights exp(-dist^2 / gamma^2) (eq. 7)
and their connections; here the features are gathered and pooled.
"""

import torch
from torch import Tensor, nn

from rntrajrec.layers import with_nobody
from rntrajrec.settings import ModelSettings


class SubGraphs(nn.Module):
    """From X_road to the features Z^(0) of sub-graphs and the input of GPSFormer."""

    def __init__(self, pair_columns: int, point_columns: int, s: ModelSettings):
        super().__init__()
        self.pair = nn.Linear(pair_columns, s.d) if s.pairs else None
        self.point = nn.Linear(s.d + point_columns, s.d)

    def forward(
        self, road: Tensor, segments: Tensor, weights: Tensor, pairs: Tensor, points: Tensor
    ) -> tuple[Tensor, Tensor]:
        """X_road [S][d], [n][sub] places in it, [n][sub], [n][sub][columns], [n][columns] to Z [n][sub][d], H [n][d]."""
        z = with_nobody(road)[segments]  # Z^(0)
        if self.pair is not None:
            z = (z + self.pair(pairs)) * (segments < road.shape[0]).unsqueeze(-1)
        # eq. 8: the mean by weight.
        g = (z * weights.unsqueeze(-1)).sum(-2) / weights.sum(-1, keepdim=True).clamp_min(1e-9)
        return z, self.point(torch.cat([g, points], -1))
