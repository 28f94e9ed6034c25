"""Systems cut into the two graphs that the application runs: one trip's samples to states, and one tick.

Operators are dense, as rntrajrec.dense has them, and places int32. What a system says of segments alone (the rows of
its tables, X_road of RNTrajRec's city form) is the same for every trip, and so stands in the graphs as numbers.
"""

from types import SimpleNamespace

import torch
from torch import Tensor, nn

from rntrajrec import dense
from rntrajrec import graphs as universal
from rntrajrec.graphs import F, Graph, I
from rntrajrec.systems.decoder import NEVER, Encoded
from rntrajrec.systems.mtrajrec import MTrajRec
from rntrajrec.systems.rntrajrec import RNTrajRec, Universal
from rntrajrec.systems.system import System
from rntrajrec.systems.t2vec import T2Vec
from rntrajrec.systems.trips import Trips


class OverRows(nn.Module):
    """What an encoder that walks over rows.Rows says of one trip: states, those of the trip, and the keys W_h h."""

    def __init__(self, system: System):
        super().__init__()
        self.net, self.keys = system.encoder, system.decoder.w_h

    def forward(self, cell, points, xy, environment):
        rows = self.net.rows
        x = rows.mix(torch.cat([dense.rows_at(rows.cell.weight, cell), points, xy], -1))
        h, last = self.walked(x)
        return h, self.net.whole.mix(torch.cat([last, environment], -1)), self.keys(h)

    def walked(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """[n][d] to the states [n][d] and that of the whole walk, [1][d]."""
        raise NotImplementedError


class OfMTrajRec(OverRows):
    def __init__(self, system: System):
        super().__init__(system)
        self.walk = Walk(self.net.walk)

    def walked(self, x):
        return self.walk(x)


class OfT2Vec(OverRows):
    def __init__(self, system: System):
        super().__init__(system)
        self.there, self.back = Walk(self.net.there), Walk(self.net.back)

    def walked(self, x):
        there, one = self.there(x)
        back, other = self.back(x.flip(0))
        return torch.cat([there, back.flip(0)], -1), torch.cat([one, other], -1)


# The gates as ONNX orders them: update, reset, hidden of a GRU; input, output, forget, cell of an LSTM. And back.
GATES = {nn.GRU: (1, 0, 2), nn.LSTM: (0, 3, 1, 2)}
OWN = {False: (1, 0, 2), True: (0, 2, 3, 1)}


def ordered(gates: Tensor, size: int, order: tuple[int, ...]) -> Tensor:
    """Rows of gates, `size` of each, in another order."""
    parts = gates.split(size)
    return torch.cat([parts[k] for k in order])


class Walk(nn.Module):
    """A recurrent layer over the samples [n][d] of one trip: its states [n][d], and the last, [1][d]."""

    def __init__(self, layer: nn.RNNBase):
        super().__init__()
        self.lstm, order = isinstance(layer, nn.LSTM), GATES[type(layer)]

        def own(name: str) -> Tensor:
            return ordered(getattr(layer, name).detach(), layer.hidden_size, order)

        self.register_buffer("w", own("weight_ih_l0")[None])
        self.register_buffer("r", own("weight_hh_l0")[None])
        self.register_buffer("b", torch.cat([own("bias_ih_l0"), own("bias_hh_l0")])[None])

    def forward(self, x):
        return _Recurrent.apply(x, self.w, self.r, self.b, self.lstm)


class _Recurrent(torch.autograd.Function):
    """A recurrent layer as one operator: PyTorch's exporter would have it ask how many sequences there are."""

    @staticmethod
    def forward(ctx, x, w, r, b, lstm: bool):
        d = r.shape[-1]
        params = [ordered(p, d, OWN[lstm]) for p in (w[0], r[0], *b[0].chunk(2))]
        start, rest = x.new_zeros(1, 1, d), (params, True, 1, 0.0, False, False, True)
        h = (torch.lstm(x[None], (start, start), *rest) if lstm else torch.gru(x[None], start, *rest))[0][0]
        return h, h[-1:]

    @staticmethod
    def symbolic(g, x, w, r, b, lstm):
        d = r.type().sizes()[-1]
        one = g.op("Constant", value_t=torch.tensor([1]))
        sequence = g.op("Unsqueeze", x, one)
        if lstm:
            h, last, _ = g.op("LSTM", sequence, w, r, b, hidden_size_i=d, outputs=3)
        else:
            h, last = g.op("GRU", sequence, w, r, b, hidden_size_i=d, linear_before_reset_i=1, outputs=2)
        both = g.op("Constant", value_t=torch.tensor([1, 2]))  # of [samples][directions][sequences][d]
        return g.op("Squeeze", h, both), g.op("Squeeze", last, one)


class OfRNTrajRec(nn.Module):
    """RNTrajRec's city form over one trip, with X_road as numbers."""

    def __init__(self, system: System):
        super().__init__()
        net = system.encoder.net
        self.encode, self.keys = universal.Encode(SimpleNamespace(encoder=net)), system.decoder.w_h
        with torch.no_grad():
            self.register_buffer("road", net.road(system.encoder.part))

    def forward(
        self, points, xy, sub_segments, sub_weights, sub_pairs, sub_successors, sub_predecessors, environment
    ):
        h, whole, _ = self.encode(
            self.road, torch.cat([points, xy], -1), sub_segments, sub_weights, sub_pairs, sub_successors,
            sub_predecessors, environment,
        )  # fmt: skip
        return h, whole, self.keys(h)


class Tick(nn.Module):
    """One tick of one trip: the state, the segment and the ratio of the tick before, the states of the samples and
    their keys, and the logarithm of the mask c, to the state now, the logarithms of the probabilities of all segments
    (eq. 24) and the ratio along each (eq. 25)."""

    def __init__(self, system: System):
        super().__init__()
        self.net = system.decoder
        with torch.no_grad():
            road = system.encoder.net.road(system.encoder.part) if system.encoder.road else None
            vectors = self.net.vectors(Encoded(None, None, road))
            of_x, of_state = self.net.rate.weight.detach().split(vectors.shape[-1], -1)
            self.register_buffer("vectors", vectors)
            self.register_buffer("of_state", of_state)
            self.register_buffer("along", (vectors[:-1] @ of_x.T + self.net.rate.bias).T)  # [1][segments]

    def forward(self, state, segment, ratio, h, keys, mask):
        net = self.net
        a = net.attend(state, keys.unsqueeze(0), h.unsqueeze(0), torch.zeros(1, 1))
        x = dense.rows_at(self.vectors, segment)
        state = dense.gru(net.gru, state, torch.cat([x, ratio.unsqueeze(-1), a], -1))
        log = torch.log_softmax(net.scores(state, self.vectors) + mask, -1)
        return state, log, torch.sigmoid(self.along + state @ self.of_state.T)


# The systems that are exported, by the name that the application calls them by.
EXPORTED = {
    "mtrajrec": (MTrajRec, OfMTrajRec),
    "t2vec": (T2Vec, OfT2Vec),
    "rntrajrec-city": (RNTrajRec, OfRNTrajRec),
}
OF_SAMPLES = {"points": (F, ("samples", "columns")), "xy": (F, ("samples", "columns"))}
SUB = {
    "sub_segments": (I, ("samples", "sub")), "sub_weights": (F, ("samples", "sub")),
    "sub_pairs": (F, ("samples", "sub", "columns")), "sub_successors": (I, ("samples", "sub", "neighbours")),
    "sub_predecessors": (I, ("samples", "sub", "neighbours")),
}  # fmt: skip
ENVIRONMENT = {"environment": (F, ("one", "columns"))}


def name_of(system: System) -> str:
    """What the application calls a system."""
    for name, (kind, _) in EXPORTED.items():
        if isinstance(system.encoder, kind) and not isinstance(system.encoder, Universal):
            return name
    raise ValueError(f"{type(system.encoder).__name__} is not exported; {', '.join(EXPORTED)} are")


def graphs(system: System) -> list[Graph]:
    """The graphs of a system."""
    name = name_of(system)
    module = EXPORTED[name][1](system).eval()
    cells = {} if name == "rntrajrec-city" else {"cell": (I, ("samples",))}
    sub = SUB if name == "rntrajrec-city" else {}
    encoder = Graph("encoder", module, cells | OF_SAMPLES | sub | ENVIRONMENT,
                    {"h": ("samples", "d"), "whole": ("one", "d"), "keys": ("samples", "d")})  # fmt: skip
    tick = Graph("tick", Tick(system).eval(), {
        "state": (F, ("one", "d")), "segment": (I, ("one",)), "ratio": (F, ("one",)), "h": (F, ("samples", "d")),
        "keys": (F, ("samples", "d")), "mask": (F, ("one", "segments")),
    }, {"state_now": ("one", "d"), "log": ("one", "segments"), "ratios": ("one", "segments")})  # fmt: skip
    return [encoder, tick]


def of_trip(system: System, b: Trips) -> dict[str, Tensor]:
    """The inputs of the encoder for the one trip of a batch."""
    given = {"cell": b.cell[0], "points": b.points[0], "xy": b.xy[0], "environment": b.environment}
    if name_of(system) != "rntrajrec-city":
        return given
    g = system.encoder.resized(b.sub_graphs())
    return given | {name: getattr(g, name) for name in SUB}


@torch.no_grad()
def walk(system: System, encode, tick, b: Trips) -> tuple[list[dict[str, Tensor]], Tensor, Tensor]:
    """Recovers the one trip of a batch by the two graphs: `encode` and `tick` take inputs by name and give outputs in
    their order. Gives the inputs of all ticks, and the segments and ratios chosen."""
    segments = len(system.encoder.part.ids) if system.encoder.road else system.decoder.segments.num_embeddings
    h, state, keys = encode(of_trip(system, b))
    bound, option, weight = b.masks(segments)
    segment, ratio = torch.tensor([segments]), torch.zeros(1)
    asked, chosen, ratios = [], [], []
    for j in range(int(b.there[0].sum())):
        mask = torch.zeros(1, segments)
        if bound[0, j]:
            known = option[0, j] < segments
            mask[:] = NEVER
            mask[0].scatter_reduce_(0, option[0, j][known], weight[0, j][known], "amax")
        asked.append({"state": state, "segment": segment, "ratio": ratio, "h": h, "keys": keys, "mask": mask})
        state, log, along = tick(asked[-1])
        segment = log.argmax(-1)
        ratio = along[0, segment]
        chosen.append(segment)
        ratios.append(ratio)
    return asked, torch.cat(chosen), torch.cat(ratios)
