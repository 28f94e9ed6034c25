"""MTrajRec: a GRU over the samples.

Ren et al., MTrajRec: Map-Constrained Trajectory Recovery via Seq2Seq Multi-task Learning,
KDD 2021, whose decoder all end-to-end systems share. Chosen: one layer; the trip is the last
state with the hour and day, the paper's environmental contexts (the original adds weather
and points of interest, which nobody has for these trips).
"""

from torch import nn

from rntrajrec.systems.decoder import Encoded
from rntrajrec.systems.rows import Rows, Whole, at
from rntrajrec.systems.system import Encoder, Made
from rntrajrec.systems.trips import Trips


class MTrajRec(Encoder):
    def __init__(self, m: Made):
        super().__init__()
        d = m.sizes.d
        self.rows, self.whole = Rows(m.city, m.points, d), Whole(m.environment, d)
        self.walk = nn.GRU(d, d, batch_first=True)

    def forward(self, b: Trips) -> Encoded:
        h = self.walk(self.rows(b))[0]
        return Encoded(h, self.whole(at(h, b.last()), b))
