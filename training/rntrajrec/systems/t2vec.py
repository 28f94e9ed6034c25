"""t2vec + Decoder: a bidirectional LSTM over the samples.

Li et al., Deep Representation Learning for Trajectory Similarity Computation, ICDE 2018;
a BiLSTM here as the paper describes it. Chosen: one layer, d/2 each way; the trip is both
last states side by side. Its pre-training, which rebuilds trips from thinned ones, is what
the decoder is trained for anyway.
"""

import torch
from torch import nn

from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import Rows, Whole, at, backwards
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips


class T2Vec(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        d = m.sizes.d
        self.rows, self.whole = Rows(m.city, m.points, d), Whole(m.environment, d)
        # Two networks, not one bidirectional: so padding at the end reaches neither.
        self.there, self.back = (nn.LSTM(d, d // 2, batch_first=True) for _ in range(2))

    def forward(self, b: Trips) -> Encoded:
        x = self.rows(b)
        there, back = self.there(x)[0], self.back(backwards(x, b.known))[0]
        h = torch.cat([there, backwards(back, b.known)], -1)
        last = torch.cat([at(there, b.last()), at(back, b.last())], -1)
        return Encoded(h, self.whole(last, b))
