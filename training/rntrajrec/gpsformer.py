"""GPSFormer: the encoder of a trajectory (eq. 9-19).

Blocks of a transformer encoder layer over the samples of a trip and a graph refinement
layer over the sub-graph of each sample. Samples come flat, [n] of all trips together,
and are laid out as [trips][longest] for attention only.
"""

import math

import torch
from torch import Tensor, nn

from rntrajrec.gat import GAT
from rntrajrec.settings import ModelSettings


class TransformerEncoder(nn.Module):
    """Multi-head attention (eq. 14-16) and feed forward (eq. 17), each with a residual connection and layer norm."""

    def __init__(self, d: int, heads: int, dropout: float):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ffn = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))
        self.norm1, self.norm2, self.dropout = nn.LayerNorm(d), nn.LayerNorm(d), nn.Dropout(dropout)

    def forward(self, h: Tensor, known: Tensor) -> Tensor:
        """[b][n][d], [b][n] whether there is a sample."""
        b, n, d = h.shape
        q, k, v = self.qkv(h).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)  # eq. 16, by the size of a head
        scores = scores + (1 - known[:, None, None, :].to(h.dtype)) * -1e9
        mixed = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, n, d)
        h = self.norm1(h + self.dropout(self.out(mixed)))
        return self.norm2(h + self.dropout(self.ffn(h)))


class GatedFusion(nn.Module):
    """How much of the trip's state enters each segment of a sub-graph (eq. 11)."""

    def __init__(self, d: int):
        super().__init__()
        self.w1, self.w2 = nn.Linear(d, d, bias=False), nn.Linear(d, d)

    def forward(self, tr: Tensor, z: Tensor) -> Tensor:
        tr = tr.unsqueeze(-2)
        gate = torch.sigmoid(self.w1(tr) + self.w2(z))
        return gate * tr + (1 - gate) * z


class Plus(nn.Module):
    """What is left of gated fusion when it is switched off: the sum."""

    def forward(self, tr: Tensor, z: Tensor) -> Tensor:
        return tr.unsqueeze(-2) + z


class GraphNorm(nn.Module):
    """Graph normalisation (eq. 12, 13): the mean is that of the sub-graphs' means, the variance that of all nodes.

    The statistics of training are averaged and saved with the model; inference uses
    these, so batch mates change nothing.
    """

    def __init__(self, d: int, momentum: float = 0.05):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.register_buffer("mean", torch.zeros(d))
        self.register_buffer("variance", torch.ones(d))
        self.momentum = momentum

    def forward(self, z: Tensor, node: Tensor) -> Tensor:
        """[n][sub][d], [n][sub] whether there is a segment (1 or 0)."""
        mean, variance = self.mean, self.variance
        if self.training:
            m = (z * node[..., None]).sum(1) / node.sum(1, keepdim=True).clamp_min(1)  # eq. 12
            mean = m.mean(0)
            variance = ((z - mean) ** 2 * node[..., None]).sum((0, 1)) / node.sum().clamp_min(1)
            with torch.no_grad():
                self.mean.lerp_(mean.float(), self.momentum)
                self.variance.lerp_(variance.float(), self.momentum)
        return (self.gamma * (z - mean) / (variance + 1e-5).sqrt() + self.beta) * node[..., None]  # eq. 13


class LayerNormOfNodes(nn.Module):
    """What stands for graph norm when it is switched off."""

    def __init__(self, d: int):
        super().__init__()
        self.norm = nn.LayerNorm(d)

    def forward(self, z: Tensor, node: Tensor) -> Tensor:
        return self.norm(z) * node[..., None]


class GraphForward(nn.Module):
    """P layers of graph attention within a sub-graph, or a feed-forward network where GAT is switched off."""

    def __init__(self, s: ModelSettings):
        super().__init__()
        self.gat = s.gat
        if s.gat:
            self.layers = nn.ModuleList(GAT(s.d, s.heads) for _ in range(s.graph_layers))
        else:
            self.layers = nn.ModuleList(
                [nn.Sequential(nn.Linear(s.d, 2 * s.d), nn.ReLU(), nn.Linear(2 * s.d, s.d))]
            )

    def forward(self, z: Tensor, successors: Tensor, predecessors: Tensor) -> Tensor:
        for layer in self.layers:
            z = layer(z, [successors, predecessors]) if self.gat else layer(z)
        return z


class GraphRefinement(nn.Module):
    """Gated fusion and graph forward, each with a residual connection and graph norm."""

    def __init__(self, s: ModelSettings):
        super().__init__()
        norm = GraphNorm if s.gn else LayerNormOfNodes
        self.fusion = GatedFusion(s.d) if s.gf else Plus()
        self.forward_ = GraphForward(s)
        self.norm1, self.norm2 = norm(s.d), norm(s.d)

    def forward(
        self, tr: Tensor, z: Tensor, node: Tensor, successors: Tensor, predecessors: Tensor
    ) -> Tensor:
        z = self.norm1(z + self.fusion(tr, z) * node[..., None], node)
        return self.norm2(z + self.forward_(z, successors, predecessors) * node[..., None], node)


class GPSFormer(nn.Module):
    def __init__(self, environment_columns: int, s: ModelSettings):
        super().__init__()
        self.d, self.grl = s.d, s.grl
        self.transformers = nn.ModuleList(
            TransformerEncoder(s.d, s.heads, s.dropout) for _ in range(s.blocks)
        )
        self.refinements = nn.ModuleList(GraphRefinement(s) for _ in range(s.blocks if s.grl else 0))
        self.environment = s.environment
        self.whole = nn.Linear(s.d + (environment_columns if s.environment else 0), s.d)

    def forward(
        self,
        h: Tensor,
        z: Tensor,
        node: Tensor,
        successors: Tensor,
        predecessors: Tensor,
        layout: Tensor,
        known: Tensor,
        place: Tensor,
        environment: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Samples h [n][d] with sub-graphs z [n][sub][d]; their layout: layout [trips][longest] gives the sample
        (any where there is none: known says so), place [n] the sample's place in it. To the states
        H_traj [n][d], Z [n][sub][d] and h_traj of whole trips [trips][d]."""
        h = h + positions(layout.shape[1], self.d, h)[place % layout.shape[1]]  # eq. 18
        for i, transformer in enumerate(self.transformers):
            tr = transformer(h[layout], known).reshape(-1, self.d)[place]  # eq. 19
            if not self.grl:
                h = tr
                continue
            z = self.refinements[i](tr, z, node, successors, predecessors)
            h = z.sum(1) / node.sum(1, keepdim=True).clamp_min(1)  # GraphReadout: the mean as in eq. 12
        m = known.to(h.dtype).unsqueeze(-1)
        mean = (h[layout] * m).sum(1) / m.sum(1).clamp_min(1)  # over the samples that there are
        whole = torch.cat([mean, environment], -1) if self.environment else mean
        return h, z, self.whole(whole)


def positions(length: int, d: int, like: Tensor) -> Tensor:
    """The position embedding of the transformer (sines and cosines), [length][d]."""
    at = torch.arange(length, device=like.device, dtype=torch.float32)[:, None]
    rate = torch.exp(
        torch.arange(0, d, 2, device=like.device, dtype=torch.float32) * (-math.log(10000.0) / d)
    )
    return torch.cat([torch.sin(at * rate), torch.cos(at * rate)], -1).to(like.dtype)
