"""Graph attention over padded lists of neighbours (eq. 5, 6)."""

import torch
from torch import Tensor, nn

from rntrajrec.layers import with_nobody


class GAT(nn.Module):
    """One layer. Neighbours of several kinds, such as predecessors and successors, have weights of their own.

    Each node counts among its own neighbours, so that it keeps what it knows and a node
    without any has something to attend to.
    """

    def __init__(self, d: int, heads: int, kinds: int = 2):
        super().__init__()
        if d % heads:
            raise ValueError(f"a hidden size of {d} cannot be shared by {heads} heads")
        self.heads, self.kinds = heads, kinds
        self.values = nn.Linear(d, (kinds + 1) * d, bias=False)  # W^k, by kind, the node itself first
        self.keys = nn.Linear(d, (kinds + 1) * d, bias=False)  # \hat{W}^k
        # a^k [Wr_i || Wr_j] is the sum of a part of i and a part of j, by kind.
        self.of_self = nn.Parameter(torch.empty(kinds + 1, heads, d // heads))
        self.of_other = nn.Parameter(torch.empty(kinds + 1, heads, d // heads))
        nn.init.xavier_uniform_(self.of_self)
        nn.init.xavier_uniform_(self.of_other)

    def forward(self, r: Tensor, neighbours: list[Tensor]) -> Tensor:
        """r [..][n][d] with lists [..][n][neighbours] of places, n meaning none; the same leading axes."""
        *lead, n, d = r.shape
        shape = (*lead, n, self.kinds + 1, self.heads, d // self.heads)
        values, keys = self.values(r).reshape(shape), self.keys(r).reshape(shape)
        mine = (keys * self.of_self).sum(-1)  # [..][n][kinds+1][heads]
        other = (keys * self.of_other).sum(-1)
        scores = [(mine[..., 0, :] + other[..., 0, :]).unsqueeze(-2)]  # [..][n][1][heads]
        gathered = [values[..., 0, :, :].unsqueeze(-3)]
        for kind, places in enumerate(neighbours, 1):
            known = (places < n).unsqueeze(-1)
            score = mine[..., kind, :].unsqueeze(-2) + rows_at(other[..., kind, :], places)
            scores.append(torch.where(known, score, torch.full_like(score, -1e9)))
            found = rows_at(values[..., kind, :, :].flatten(-2), places)
            gathered.append(found.reshape(*found.shape[:-1], *shape[-2:]))
        # eq. 5: the exponentials are of LeakyReLU; a neighbour that is none keeps its -1e9 x slope.
        alpha = torch.softmax(nn.functional.leaky_relu(torch.cat(scores, -2), 0.2), -2)
        mixed = (alpha.unsqueeze(-1) * torch.cat(gathered, -3)).sum(-3)  # eq. 6
        return nn.functional.leaky_relu(mixed.flatten(-2), 0.2)


def rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """rows [..][n][d] at places [..][n][k], n meaning none (zeros): [..][n][k][d]."""
    *lead, n, d = rows.shape
    if not lead:
        return with_nobody(rows)[places]
    padded = torch.cat([rows, rows.new_zeros(*lead, 1, d)], -2).reshape(-1, d)
    graphs = padded.shape[0] // (n + 1)
    first = (torch.arange(graphs, device=rows.device) * (n + 1)).reshape(*lead, 1, 1)
    return padded[(places + first).flatten()].reshape(*places.shape, d)
