"""GTS + Decoder: an LSTM over the points of interest of the road network that a trip passes.

Han et al., A Graph-Based Approach for Trajectory Similarity Computation in Spatial Networks,
KDD 2021. As the paper adapts it, junctions and cut points every 100 m are the points of
interest, and a sample is the nearest of these. Chosen: a learned table of them in place of
vectors made beforehand by node2vec; graph attention (eq. 5, 6) over neighbours along roads in
as many layers as RNTrajRec's roads have; what the other systems know of a sample stands
beside the point of interest.
"""

import torch
from torch import nn

from rntrajrec.gat import GAT
from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import Rows, Whole, at
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips


class GTS(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        s, cuts = m.sizes, m.city.cuts
        self.rows, self.whole = Rows(m.city, m.points, s.d), Whole(m.environment, s.d)
        self.table = nn.Embedding(len(cuts.xy), s.d)
        self.register_buffer("neighbours", cuts.neighbours, persistent=False)
        self.layers = nn.ModuleList(GAT(s.d, s.heads, kinds=1) for _ in range(s.road_layers))
        self.walk = nn.LSTM(2 * s.d, s.d, batch_first=True)

    def forward(self, b: Trips) -> Encoded:
        wanted, place = torch.unique(b.cut, return_inverse=True)
        near, neighbours = self.around(wanted)
        points = self.table(near)
        for layer in self.layers:
            points = layer(points, [neighbours])
        rank = torch.searchsorted(near, wanted)
        h = self.walk(torch.cat([points[rank][place], self.rows(b)], -1))[0]
        return Encoded(h, self.whole(at(h, b.last()), b))

    def around(self, wanted: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The points that the layers look at for those wanted, in order, and their neighbours among them: what is said
        of the wanted is the same as over all."""
        nobody = len(self.neighbours)
        near = wanted
        for _ in self.layers:
            near = torch.unique(torch.cat([near, self.neighbours[near].flatten()]))
            near = near[near < nobody]
        places = torch.full((nobody + 1,), len(near), device=near.device)
        places[near] = torch.arange(len(near), device=near.device)
        return near, places[self.neighbours[near]]
