"""Transformer + Decoder: self-attention over the samples.

Vaswani et al., Attention Is All You Need, 2017, over grid cell and time of each sample as
the paper says. Chosen: as many layers as RNTrajRec has blocks, its own transformer layer
(eq. 14-17) and its sines and cosines of positions; the trip is the mean.
"""

from torch import nn

from rntrajrec.gpsformer import TransformerEncoder, positions
from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import Rows, Whole, mean
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips


class Transformer(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        s = m.sizes
        self.rows, self.whole = Rows(m.city, m.points, s.d), Whole(m.environment, s.d)
        self.layers = nn.ModuleList(TransformerEncoder(s.d, s.heads, 0.0) for _ in range(s.layers))

    def forward(self, b: Trips) -> Encoded:
        h = self.rows(b)
        h = h + positions(h.shape[1], h.shape[2], h)
        for layer in self.layers:
            h = layer(h, b.known)
        return Encoded(h, self.whole(mean(h, b.known), b))
