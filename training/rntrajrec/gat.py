"""Graph attention over padded lists of neighbours (eq. 5, 6)."""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding


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
        n, d = r.shape[-2:]
        kinds, rows = self.kinds + 1, r.reshape(-1, d)
        node, to, of = links(neighbours, n, len(rows))
        values = self.values(rows).reshape(-1, d)  # a row for each kind of each node
        mine, other = (self.parts(rows, a) for a in (self.of_self, self.of_other))
        own = leaky(mine[::kinds] + other[::kinds])  # [nodes][heads]
        score = leaky(embedding(to, mine) + embedding(of, other))  # [links][heads]
        # eq. 5: the exponentials are of LeakyReLU.
        at = node[:, None].expand_as(score)
        with torch.no_grad():
            most = own.scatter_reduce(0, at, score, "amax")
        own, score = (own - most).exp(), (score - embedding(node, most)).exp()
        sums = own.scatter_add(0, at, score)
        mixed = shared(own / sums, values.reshape(-1, kinds, d)[:, 0])  # eq. 6
        others = shared(score / embedding(node, sums), embedding(of, values))
        mixed = mixed.scatter_add(0, node[:, None].expand_as(others), others)
        return leaky(mixed).reshape(r.shape)

    def parts(self, r: Tensor, a: Tensor) -> Tensor:
        """The sums of keys by a for each kind of each node [nodes x kinds][heads], without making the keys."""
        folded = (self.keys.weight.reshape(*a.shape, -1) * a.unsqueeze(-1)).sum(2)  # [kinds][heads][d]
        return nn.functional.linear(r, folded.flatten(0, 1)).reshape(-1, self.heads)


def leaky(x: Tensor) -> Tensor:
    return nn.functional.leaky_relu(x, 0.2)


def shared(alpha: Tensor, values: Tensor) -> Tensor:
    """Values [k][d] times the share alpha [k][heads] of each head."""
    heads = alpha.shape[1]
    by_head = values.reshape(len(values), heads, values.shape[1] // heads)
    return (by_head * alpha.unsqueeze(-1)).reshape(values.shape)


def links(neighbours: list[Tensor], n: int, nodes: int) -> tuple[Tensor, Tensor, Tensor]:
    """The lists of neighbours as links: the node that each leads to, and the rows of that node and of the neighbour
    among rows for each kind of each node, the kind 0 being the node itself."""
    kinds = len(neighbours) + 1
    node, to, of = [], [], []
    for kind, places in enumerate(neighbours, 1):
        places = places.reshape(nodes, -1)
        at, column = (places < n).nonzero(as_tuple=True)
        node.append(at)
        to.append(at * kinds + kind)
        of.append((places[at, column] + at // n * n) * kinds + kind)
    return torch.cat(node), torch.cat(to), torch.cat(of)
