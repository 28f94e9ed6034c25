"""Small parts that several components share."""

import torch
from torch import Tensor, nn


def mlp(inputs: int, hidden: int, outputs: int, dropout: float = 0.0) -> nn.Sequential:
    """Two hidden layers with ReLU."""
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout),
        nn.Linear(hidden, outputs),
    )  # fmt: skip


class Apart(nn.Module):
    """What is added behind the first layer of a network for simulated trips, 0 at first."""

    def __init__(self, hidden: int):
        super().__init__()
        self.vector = nn.Parameter(torch.zeros(hidden))

    def forward(self, h: Tensor) -> Tensor:
        return h + self.vector


def with_nobody(rows: Tensor) -> Tensor:
    """Appends a row of zeros: what the index "none", the number of rows, gathers."""
    return torch.cat([rows, rows.new_zeros(1, *rows.shape[1:])])
