"""RNTrajRec: GridGNN, sub-graphs and GPSFormer (this project's rntrajrec.model.Encoder) over the shared decoder.

In its city form cells and segments have learned vectors, a sample has its place, the ratio and the GRU take X_road,
and every segment has a row w_v of the output table, as in the paper. In its universal form
cells and segments are described, and a segment is scored by X_road: no weight belongs to the
city. Roads beyond the tables are nobody's neighbours here. The encoders of roads that the paper
compares with GridGNN are in roads.py.
"""

from dataclasses import replace

import torch
from torch import Tensor, nn

from rntrajrec import model
from rntrajrec.settings import ModelSettings
from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.roads import ROADS
from rntrajrec.systems.rows import POSITION
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import SubGraphs, Trips


class RNTrajRec(Encoder):
    road = True
    tables = "learned"

    def __init__(self, m: Made):
        super().__init__()
        s, city = m.sizes, m.city
        self.sizes = s
        settings = ModelSettings(
            d=s.d, heads=s.heads, road_layers=s.road_layers, blocks=s.layers, tables=self.tables,
            segments=city.segments, cells=city.table_cells,
            grl=s.grl, gf=s.gf, gat=s.gat, gn=s.gn, gcl=s.gcl, pairs=s.pairs,
        )  # fmt: skip
        self.net = model.Encoder(m.schema, settings)
        self.part, self.distance = city.part, m.schema.column("sub_pairs", "distance")
        if self.tables == "learned":  # the grid index that the paper puts beside the time (after eq. 8)
            self.net.subgraphs.point = nn.Linear(s.d + m.points + POSITION, s.d)
        if s.roads != "gridgnn":
            self.net.gridgnn = ROADS[s.roads](m.schema.width("roads"), city.segments, s)

    def forward(self, b: Trips) -> Encoded:
        g = self.resized(b.sub_graphs())
        if self.tables == "learned":
            g = replace(g, points=torch.cat([g.points, b.xy[b.known]], -1))
        road = self.net.road(self.part)
        flat, z, whole = self.net(road, g)
        h = flat.new_zeros(*b.known.shape, flat.shape[-1])
        h[b.known] = flat
        loss = self.sizes.enc_weight * self.graph_loss(z, g) if self.sizes.gcl else None
        return Encoded(h, whole, road, loss)

    def resized(self, g: SubGraphs) -> SubGraphs:
        """The sub-graphs with fewer segments, another delta or another gamma."""
        s = self.sizes
        if not s.sub and not s.delta and not s.gamma:
            return g
        segments = len(self.part.ids)
        distance = 100 * g.sub_pairs[..., self.distance]
        kept = distance <= (s.delta or torch.inf)
        kept[:, 0] = True  # a sub-graph is never empty
        kept[:, s.sub or kept.shape[1] :] = False
        size = int(kept.any(0).nonzero().max()) + 1
        weights = (-((distance / s.gamma) ** 2)).exp() if s.gamma else g.sub_weights
        known = kept & (g.sub_segments < segments)
        return replace(
            g,
            sub_segments=torch.where(kept, g.sub_segments, segments)[:, :size],
            sub_weights=(weights * known)[:, :size],
            sub_pairs=(g.sub_pairs * kept[..., None])[:, :size],
            sub_successors=among(g.sub_successors, kept, size),
            sub_predecessors=among(g.sub_predecessors, kept, size),
            sub_target=g.sub_target.clamp_max(size),
        )

    def graph_loss(self, z: Tensor, g: SubGraphs) -> Tensor:
        """L_enc (eq. 26, 27), as rntrajrec.losses has it."""
        logits = self.net.log_weights(z, g.sub_weights)
        target = g.sub_target.clamp_max(logits.shape[1] - 1)[:, None]
        nobody = g.sub_segments.gather(1, target).squeeze(1) >= len(self.part.ids)
        known = (g.sub_target < logits.shape[1]) & ~nobody
        right = logits.gather(1, target).squeeze(1)
        return ((logits.logsumexp(1) - right) * known).sum() / known.sum().clamp_min(1)


def among(links: Tensor, kept: Tensor, size: int) -> Tensor:
    """The links [n][sub][neighbours] of the first so many segments of sub-graphs to those that are kept."""
    none = torch.zeros_like(kept[:, :1])
    places = links[:, :size]
    there = torch.cat([kept, none], 1).gather(1, places.flatten(1)).reshape(places.shape)
    return torch.where(there, places, size)


class Universal(RNTrajRec):
    described = True
    tables = "none"
