"""Encoders of roads in the place of GridGNN: GCN, GIN and GAT over a learned vector of each segment (fig. 6a).

Kipf and Welling, ICLR 2017; Xu et al., ICLR 2019; Velickovic et al., ICLR 2018. Chosen: as many
layers as GridGNN, successors and predecessors as neighbours of one kind, the segment among its
own, and the static features behind the last layer, as GridGNN has them.
"""

import torch
from torch import Tensor, nn

from rntrajrec.gat import GAT
from rntrajrec.layers import with_nobody
from rntrajrec.systems.system import Sizes


class Roads(nn.Module):
    """Layers over the vectors of segments, taken as GridGNN takes its input."""

    learned = True

    def __init__(self, columns: int, segments: int, s: Sizes):
        super().__init__()
        self.road = nn.Embedding(segments, s.d)
        self.layers = nn.ModuleList(self.layer(s) for _ in range(s.road_layers))
        self.out = nn.Linear(s.d + columns, s.d)

    def layer(self, s: Sizes) -> nn.Module:
        raise NotImplementedError

    def forward(
        self, roads: Tensor, _cells, _count, successors: Tensor, predecessors: Tensor, ids: Tensor
    ) -> Tensor:
        r = self.road(ids)
        neighbours = torch.cat([successors, predecessors], -1)
        for layer in self.layers:
            r = layer(r, [neighbours])
        return self.out(torch.cat([r, roads], -1))


class Convolution(nn.Module):
    """GCN: the mean by the roots of both degrees, the node itself among its neighbours."""

    def __init__(self, d: int):
        super().__init__()
        self.mix = nn.Linear(d, d)

    def forward(self, r: Tensor, neighbours: list[Tensor]) -> Tensor:
        known = neighbours[0] < len(r)
        root = (known.sum(-1) + 1).to(r.dtype).rsqrt()
        scaled = r * root[:, None]
        return torch.relu(self.mix((with_nobody(scaled)[neighbours[0]].sum(1) + scaled) * root[:, None]))


class Isomorphism(nn.Module):
    """GIN: the sum of the neighbours and a learned share of the node, through a small network."""

    def __init__(self, d: int):
        super().__init__()
        self.share = nn.Parameter(torch.zeros(()))
        self.mix = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d))

    def forward(self, r: Tensor, neighbours: list[Tensor]) -> Tensor:
        return torch.relu(self.mix((1 + self.share) * r + with_nobody(r)[neighbours[0]].sum(1)))


class GCN(Roads):
    def layer(self, s: Sizes) -> nn.Module:
        return Convolution(s.d)


class GIN(Roads):
    def layer(self, s: Sizes) -> nn.Module:
        return Isomorphism(s.d)


class PlainGAT(Roads):
    def layer(self, s: Sizes) -> nn.Module:
        return GAT(s.d, s.heads, kinds=1)


ROADS = {"gcn": GCN, "gin": GIN, "gat": PlainGAT}
