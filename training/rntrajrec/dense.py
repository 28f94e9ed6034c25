"""The model's formulas in operators that devices run whole, for export.

Devices leave arithmetic of shapes and of int64 to the processor. So here nothing asks how long an axis is: what
depends on that is found with sums of ones, places are int32 and gathered by as they come, and axes are split with
their lengths left open. The weights are the model's own, and so are the results but for rounding.
"""

import math

import torch
from torch import Tensor, nn

from rntrajrec.gat import GAT
from rntrajrec.gpsformer import GatedFusion, GPSFormer, GraphNorm, GraphRefinement, Plus, TransformerEncoder
from rntrajrec.gridgnn import GridGNN, GRUCell


class _Rows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, rows: Tensor, places: Tensor) -> Tensor:
        return rows[places.long()]

    @staticmethod
    def symbolic(g, rows, places):
        return g.op("Gather", rows, places, axis_i=0)


class _Shaped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor, kept: int, shape: tuple[int, ...]) -> Tensor:
        return x.reshape(*x.shape[:kept], *shape)

    @staticmethod
    def symbolic(g, x, kept, shape):
        # A length of 0 stands for that of the same axis, -1 for what is left.
        return g.op("Reshape", x, g.op("Constant", value_t=torch.tensor([0] * kept + list(shape))))


def rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """Rows by int32 places."""
    return _Rows.apply(rows, places)


def split(x: Tensor, *shape: int) -> Tensor:
    """The last axis as several."""
    return _Shaped.apply(x, x.dim() - 1, (-1, *shape[1:]))


def merged(x: Tensor) -> Tensor:
    """The last two axes as one."""
    return _Shaped.apply(x, x.dim() - 2, (-1,))


def ones(x: Tensor) -> Tensor:
    """A 1 for each row, [..][1]."""
    return x[..., :1] * 0 + 1


def with_nobody(rows: Tensor) -> Tensor:
    """Appends a row of zeros: what the place "none", the number of rows, gathers."""
    return torch.cat([rows, torch.zeros(1, int(rows.shape[-1]))])


def known_at(rows: Tensor, places: Tensor) -> Tensor:
    """1 where a place is that of a row, 0 where it is none: [..][1]."""
    return rows_at(with_nobody(ones(rows)), places)


class Table:
    """Places of neighbours in one graph of rows [n][..], n meaning none."""

    def __init__(self, neighbours: list[Tensor]):
        self.neighbours = neighbours
        # Cast first: devices leave a slice of whole numbers to the processor.
        own = (neighbours[0].to(torch.float32)[:, :1] * 0 + 1).cumsum(0) - 1
        self.all = self.by_kind(own.to(torch.int32))

    def by_kind(self, own: Tensor) -> Tensor:
        """Places [..][1 + neighbours of all kinds] of a node itself and of its neighbours among rows of all kinds."""
        kinds = len(self.neighbours) + 1
        return torch.cat([own * kinds] + [p * kinds + k for k, p in enumerate(self.neighbours, 1)], -1)

    def padded(self, rows: Tensor, nobody: float) -> Tensor:
        """Rows with one more, which stands for nobody."""
        return torch.cat([rows, torch.full((1, int(rows.shape[-1])), nobody)])


class Tables(Table):
    """The same of several graphs [graphs][n][..]. `like` is any tensor [graphs][n]."""

    def __init__(self, neighbours: list[Tensor], like: Tensor):
        one = like * 0 + 1
        longest = one.sum(1, keepdim=True) + 1
        before = (one[:, :1].cumsum(0) - 1) * longest  # rows of the graphs before, with their nobodies
        first = before.to(torch.int32).unsqueeze(-1)
        own = (before + one.cumsum(1) - 1).to(torch.int32).unsqueeze(-1)
        self.neighbours = [places + first for places in neighbours]
        self.all = self.by_kind(own)

    def padded(self, rows: Tensor, nobody: float) -> Tensor:
        return torch.cat([rows, rows[:, :1] * 0 + nobody], 1).reshape(-1, int(rows.shape[-1]))


def gat(layer: GAT, r: Tensor, table: Table) -> Tensor:
    """GAT.forward (eq. 5, 6)."""
    d, heads, kinds = int(r.shape[-1]), layer.heads, layer.kinds
    mine, other = sums_of_keys(layer, r, layer.of_self), sums_of_keys(layer, r, layer.of_other)
    scores = [(mine[0] + other[0]).unsqueeze(-2)]
    for kind in range(1, kinds + 1):
        found = rows_at(table.padded(other[kind], -1e9), table.neighbours[kind - 1])
        scores.append(mine[kind].unsqueeze(-2) + found)
    alpha = torch.softmax(torch.nn.functional.leaky_relu(torch.cat(scores, -2), 0.2), -2)
    # What all kinds of neighbours say, and the node itself, is gathered at once. Each share goes to the values of its
    # head by a product with ones: devices multiply rows of heads slowly.
    values = table.padded(layer.values(r), 0).reshape(-1, d)
    of_head = torch.repeat_interleave(torch.eye(heads), d // heads, 1)
    mixed = ((alpha @ of_head) * rows_at(values, table.all)).sum(-2)
    return torch.nn.functional.leaky_relu(mixed, 0.2)


def sums_of_keys(layer: GAT, r: Tensor, a: Tensor) -> tuple[Tensor, ...]:
    """a^k [Wr] by kind, [..][heads], with the weights multiplied beforehand."""
    folded = (layer.keys.weight.reshape(*a.shape, -1) * a.unsqueeze(-1)).sum(2).flatten(0, 1)
    return torch.nn.functional.linear(r, folded).split([layer.heads] * (layer.kinds + 1), -1)


def gru(cell: GRUCell, s: Tensor, g: Tensor) -> Tensor:
    """GRUCell.forward."""
    d = int(s.shape[-1])
    z, r = torch.sigmoid(cell.gates(torch.cat([s, g], -1))).split([d, d], -1)
    c = torch.tanh(cell.change(torch.cat([r * s, g], -1)))
    return (1 - z) * s + z * c


def passed(net: GridGNN, cells: Tensor, count: Tensor) -> Tensor:
    """GridGNN.passed (eq. 2), its steps unrolled. Each is cut out by itself: devices cannot split into so many."""
    cells, count = net.describe(cells), count.to(torch.float32).unsqueeze(-1)
    s = cells[:, :1].squeeze(1) * 0
    for j in range(int(cells.shape[1])):
        s = torch.where(count > j, gru(net.cell, s, cells[:, j : j + 1].squeeze(1)), s)
    return s


def transformed(layer: TransformerEncoder, h: Tensor) -> Tensor:
    """TransformerEncoder.forward (eq. 14-17) for the samples of one trip, [n][d]."""
    size = int(h.shape[-1]) // layer.heads
    q, k, v = split(layer.qkv(h), 3, layer.heads, size).permute(1, 2, 0, 3).unbind(0)
    scores = q @ k.transpose(-1, -2) / math.sqrt(size)
    mixed = merged((torch.softmax(scores, -1) @ v).transpose(0, 1))
    h = layer.norm1(h + layer.out(mixed))
    return layer.norm2(h + layer.ffn(h))


def refined(layer: GraphRefinement, tr: Tensor, z: Tensor, node: Tensor, tables: Tables) -> Tensor:
    """GraphRefinement.forward (eq. 11-13). Norms put 0 where there is no segment, so that nothing else need to."""
    z = normed(layer.norm1, z + fused(layer.fusion, tr, z), node)
    forward = z
    for step in layer.forward_.layers:
        forward = gat(step, forward, tables) if layer.forward_.gat else step(forward)
    return normed(layer.norm2, z + forward, node)


def fused(fusion: GatedFusion | Plus, tr: Tensor, z: Tensor) -> Tensor:
    """GatedFusion.forward (eq. 11)."""
    if isinstance(fusion, Plus):
        return fusion(tr, z)
    tr = tr.unsqueeze(-2)
    return z + torch.sigmoid(fusion.w1(tr) + fusion.w2(z)) * (tr - z)


def normed(norm: nn.Module, z: Tensor, node: Tensor) -> Tensor:
    """GraphNorm.forward (eq. 13) with the numbers of training multiplied beforehand."""
    if not isinstance(norm, GraphNorm):
        return norm(z, node)
    scale = norm.gamma / (norm.variance + 1e-5).sqrt()
    return (z * scale + (norm.beta - norm.mean * scale)) * node[..., None]


def formed(
    net: GPSFormer, h: Tensor, z: Tensor, node: Tensor, tables: Tables, environment: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """GPSFormer.forward (eq. 18, 19) for the samples of one trip."""
    one = ones(h)
    h = h + positions(one.cumsum(0) - 1, net.d)
    for i, transformer in enumerate(net.transformers):
        h = transformed(transformer, h)
        if net.grl:
            z = refined(net.refinements[i], h, z, node, tables)
            h = z.sum(1) / node.sum(1, keepdim=True).clamp_min(1)
    mean = h.sum(0, keepdim=True) / one.sum(0, keepdim=True)
    return h, z, net.whole(torch.cat([mean, environment], -1) if net.environment else mean)


def positions(at: Tensor, d: int) -> Tensor:
    """gpsformer.positions of places [n][1]."""
    rate = torch.exp(torch.arange(0, d, 2, dtype=torch.float32) * (-math.log(10000.0) / d))
    return torch.cat([torch.sin(at * rate), torch.cos(at * rate)], -1)
