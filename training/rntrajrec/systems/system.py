"""What all learned systems do: an encoder over the paper's decoder, with the paper's losses."""

from dataclasses import dataclass

from torch import Tensor, nn

from rntrajrec.schema import Schema
from rntrajrec.systems import decoder
from rntrajrec.systems.city import City
from rntrajrec.systems.trips import Trips

RATE = 10.0  # lambda_1


@dataclass(frozen=True)
class Sizes:
    """Sizes and switches of a system; a file of rows gives them."""

    d: int = 32  # of all states
    heads: int = 4
    layers: int = 2  # of transformers; of RNTrajRec the blocks N
    road_layers: int = 2  # M
    enc_weight: float = 0.1  # lambda_2
    roads: str = "gridgnn"  # RNTrajRec's encoder of roads: gridgnn, gcn, gin or gat
    sub: int = 0  # most segments of a sub-graph, the nearest; 0: as in the data set
    delta: float = 0.0  # metres that a sub-graph reaches, 0: as in the data set
    gamma: float = 0.0  # metres, 0: as in the data set
    grl: bool = True
    gf: bool = True
    gat: bool = True
    gn: bool = True
    gcl: bool = True
    pairs: bool = True


class Encoder(nn.Module):
    """An encoder says what a batch is to the decoder. `road`: it describes segments; `described`: these are scored by
    that description, not by a table."""

    road = False
    described = False

    def forward(self, b: Trips) -> decoder.Encoded:
        raise NotImplementedError


class System(nn.Module):
    """A system that is trained to recover segments and ratios."""

    def __init__(self, encoder: Encoder, city: City, s: Sizes):
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder.Decoder(city.segments, s.d, encoder.road, encoder.described)

    def losses(self, b: Trips) -> dict[str, Tensor]:
        """The parts of the loss, with their sum as "total"."""
        e = self.encoder(b)
        nats, squares = decoder.losses(self.decoder, e, b)
        parts = {"id": nats, "rate": squares, "total": nats + RATE * squares}
        if e.loss is not None:
            parts |= {"enc": e.loss, "total": parts["total"] + e.loss}
        return parts

    def recover(self, b: Trips) -> tuple[Tensor, Tensor]:
        return decoder.recover(self.decoder, self.encoder(b), b)


@dataclass(frozen=True)
class Made:
    """What systems are made from."""

    city: City
    schema: Schema
    sizes: Sizes

    @property
    def points(self) -> int:
        return self.schema.width("points")

    @property
    def environment(self) -> int:
        return self.schema.width("environment")
