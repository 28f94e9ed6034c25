"""T3S + Decoder: self-attention over grid cells beside an LSTM over coordinates.

Yang et al., T3S: Effective Representation Learning for Trajectory Similarity Computation,
ICDE 2021. The structure is attended to in grid cells, the places go through an LSTM, and a
learned share mixes both. Chosen: one layer of attention, sines and cosines of positions; the
sum holds for each sample as for the trip, since the decoder attends to samples.
"""

import torch
from torch import nn

from rntrajrec.gpsformer import TransformerEncoder, positions
from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import POSITION, Rows, Whole, at, mean
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips


class T3S(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        s = m.sizes
        self.rows, self.whole = Rows(m.city, m.points, s.d), Whole(m.environment, s.d)
        self.attention = TransformerEncoder(s.d, s.heads, 0.0)
        self.places = nn.LSTM(m.points + POSITION, s.d, batch_first=True)
        self.share = nn.Parameter(torch.zeros(()))

    def forward(self, b: Trips) -> Encoded:
        h = self.rows(b)
        structure = self.attention(h + positions(h.shape[1], h.shape[2], h), b.known)
        places = self.places(torch.cat([b.points, b.xy], -1))[0]
        share = torch.sigmoid(self.share)
        whole = share * at(places, b.last()) + (1 - share) * mean(structure, b.known)
        return Encoded(share * places + (1 - share) * structure, self.whole(whole, b))
