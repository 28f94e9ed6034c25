"""RNTrajRec whole: an encoder, and decoders over it. Every part has a switch in the settings."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rntrajrec.batch import Batch
from rntrajrec.decoder_routes import RouteDecoder
from rntrajrec.decoder_ticks import TickDecoder, all_ticks
from rntrajrec.decoder_time import TimeDecoder
from rntrajrec.gpsformer import GPSFormer
from rntrajrec.gridgnn import PackedGridGNN
from rntrajrec.layers import with_nobody
from rntrajrec.network import Part
from rntrajrec.schema import Schema
from rntrajrec.settings import ModelSettings
from rntrajrec.subgraph import SubGraphs


class Encoder(nn.Module):
    """GridGNN, sub-graph generation and GPSFormer."""

    def __init__(self, schema: Schema, s: ModelSettings):
        super().__init__()
        self.gridgnn = PackedGridGNN(schema.width("roads"), schema.width("cells"), s)
        self.subgraphs = SubGraphs(schema.width("sub_pairs"), schema.width("points"), s)
        self.gpsformer = GPSFormer(schema.width("environment"), s)
        self.classify = nn.Linear(s.d, 1, bias=False)  # w of eq. 27

    def road(self, p: Part) -> Tensor:
        """X_road of a part of a network."""
        cells = p.cell_number if self.gridgnn.learned else p.cells
        return self.gridgnn(p.roads, cells, p.cell_count, p.successors, p.predecessors, p.ids)

    def forward(self, road: Tensor, b: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """X_road and a batch to H_traj [samples][d], Z [samples][sub][d], h_traj [trips][d]."""
        z, h = self.subgraphs(road, b.sub_segments, b.sub_weights, b.sub_pairs, b.points)
        node = (b.sub_segments < road.shape[0]).to(z.dtype)
        layout, known, place = laid_out(b.sample_trip, b.sample_step, b.trips)
        return self.gpsformer(
            h, z, node, b.sub_successors, b.sub_predecessors, layout, known, place, b.environment
        )

    def log_weights(self, z: Tensor, weights: Tensor) -> Tensor:
        """log of the numerators of eq. 27 for each segment of the sub-graphs, [samples][sub]."""
        return self.classify(z).squeeze(-1) + weights.clamp_min(1e-30).log()


def laid_out(trip: Tensor, step: Tensor, trips: int) -> tuple[Tensor, Tensor, Tensor]:
    """The layout of flat samples as [trips][longest]: which sample stands where, whether one does, and each one's place."""
    longest = int(step.max()) + 1
    place = trip * longest + step
    layout = torch.zeros(trips * longest, dtype=torch.long, device=trip.device)
    layout[place] = torch.arange(len(trip), device=trip.device)
    known = torch.zeros(trips * longest, dtype=torch.bool, device=trip.device)
    known[place] = True
    return layout.reshape(trips, longest), known.reshape(trips, longest), place


class RouteContext(nn.Module):
    """What the encoder tells the decoder of routes, in the columns beside the features."""

    def __init__(self, d: int, width: int):
        super().__init__()
        self.along = nn.Linear(d, width)
        self.before, self.after = nn.Linear(d, width), nn.Linear(d, width)

    def candidates(self, road: Tensor, h: Tensor, sample: Tensor, segment: Tensor) -> Tensor:
        return torch.cat([h[sample], with_nobody(road)[segment]], -1)

    def options(self, h: Tensor, sample: Tensor, pooled: Tensor) -> Tensor:
        """Of options by the sample before their gap and X_road pooled along their route."""
        return torch.cat([pooled, self.before(h)[sample], self.after(h)[sample + 1]], -1)


def pooled_packed(along: Tensor, segments: Tensor, start: Tensor) -> Tensor:
    """The mean of rows by option. Segments of all routes stand one after another."""
    return nn.functional.embedding_bag(segments, with_nobody(along), start[:-1], mode="mean")


@dataclass
class Encoded:
    """What the encoder says of a batch."""

    road: Tensor
    h: Tensor
    z: Tensor
    whole: Tensor


class Model(nn.Module):
    def __init__(self, schema: Schema, s: ModelSettings):
        super().__init__()
        self.settings = s
        self.encoder = Encoder(schema, s) if s.encoder else None
        routes_context, time_context = s.encoder and s.routes_context, s.encoder and s.time_context
        if s.routes:
            self.route_context = RouteContext(s.d, s.route_context) if routes_context else None
            self.routes = RouteDecoder(
                schema.width("candidates") + (2 * s.d if routes_context else 0),
                schema.width("routes") + (3 * s.route_context if routes_context else 0),
                s.hidden, dropout=s.dropout, apart=s.apart,
            )  # fmt: skip
            self.routes_alone = None
            if s.routes_alone:
                columns = schema.width("candidates"), schema.width("routes")
                self.routes_alone = RouteDecoder(*columns, s.hidden, dropout=s.dropout, apart=s.apart)
        if s.time:
            self.with_time_context = time_context
            self.time = self.time_decoder(schema.width("pieces") + (3 * s.d if time_context else 0))
            self.time_alone = self.time_decoder(schema.width("pieces")) if s.time_alone else None

        if s.ticks:
            if not s.encoder:
                raise ValueError("the decoder of ticks needs the encoder: it knows segments by X_road only")
            self.ticks = TickDecoder(schema.width("moves") + schema.width("candidates"), s.d, s.hidden)

    def time_decoder(self, columns: int) -> TimeDecoder:
        s = self.settings
        return TimeDecoder(columns, s.time_hidden, s.time_blocks, dropout=s.dropout, apart=s.apart)

    def encode(self, b: Batch) -> Encoded | None:
        """What the encoder says of a batch; nothing of one that was made without what it looks at."""
        if self.encoder is None or b.part is None:
            return None
        road = self.encoder.road(b.part)
        return Encoded(road, *self.encoder(road, b))

    def speaking(self, kind: str, e: Encoded | None) -> tuple[str, ...]:
        """The decoders of "routes" or of "time" that can say something: those that look at the encoder cannot where
        it did not run."""
        looks = self.route_context is not None if kind == "routes" else self.with_time_context
        first = (kind,) if e is not None or not looks else ()
        return first if getattr(self, f"{kind}_alone") is None else (*first, f"{kind}_alone")

    def scores(self, b: Batch, e: Encoded | None, by: tuple[str, ...] | None = None) -> tuple[Tensor, Tensor]:
        """u of candidates and v of options: the mean of what decoders say, of all that can or of some."""
        said = {"routes": self.scores_in_context, "routes_alone": self.scores_alone}
        return together([said[name](b, e) for name in by or self.speaking("routes", e)])

    def scores_alone(self, b: Batch, e: Encoded | None) -> tuple[Tensor, Tensor]:
        return self.routes_alone(b.candidates, b.options, b.simulated)

    def scores_in_context(self, b: Batch, e: Encoded | None) -> tuple[Tensor, Tensor]:
        candidates, options = b.candidates, b.options
        if self.route_context is not None:
            c, sample = self.route_context, b.gap_sample[b.option_gap]
            pooled = pooled_packed(c.along(e.road), b.option_segments, b.option_segment_start)
            candidates = torch.cat(
                [candidates, c.candidates(e.road, e.h, b.candidate_sample, b.candidate_segment)], -1
            )
            options = torch.cat([options, c.options(e.h, sample, pooled)], -1)
        return self.routes(candidates, options, b.simulated)

    def at_ticks(self, b: Batch, e: Encoded) -> tuple[Tensor, Tensor]:
        """The scores of all moves, and the ratio along the true one of each tick, with the true tick before given."""
        at, known, _ = laid_out(b.sample_trip, b.sample_step, b.trips)
        layout = laid_out(b.ticks.trip, b.ticks.step, b.trips)
        return all_ticks(self.ticks, e.road, e.whole, e.h[at], known, b.ticks, layout)

    def reached(
        self, b: Batch, e: Encoded | None, gaps: Tensor, by: tuple[str, ...] | None = None
    ) -> "Reached":
        """The times at the ends of the pieces of some gaps: the mean of what decoders say, of all that can or of some."""
        counts = (b.piece_start[1:] - b.piece_start[:-1])[gaps]
        at = b.piece_start[gaps][:, None] + torch.arange(int(counts.max()), device=gaps.device)
        known = torch.arange(at.shape[1], device=gaps.device)[None] < counts[:, None]
        at = torch.where(known, at, 0)
        pieces, lengths = b.pieces[at] * known[..., None], b.piece_length[at] * known
        said = []
        for name in by or self.speaking("time", e):
            seen = pieces
            if name == "time" and self.with_time_context:
                context = time_context(e.road, e.h, b.piece_segment[at], b.gap_sample[gaps])
                seen = torch.cat([pieces, context], -1)
            said.append(getattr(self, name)(seen, lengths, counts, b.simulated))
        share, spread = together(said)
        true = (b.piece_time[at] / b.gap_seconds[gaps][:, None].clamp_min(1e-3)).clamp(0, 1)
        true = torch.where(known, true, 1.0)
        return Reached(share, spread, true, lengths, counts)


def mean_of(one: tuple[Tensor, Tensor], other: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """What two decoders of the same say together."""
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def together(said: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """What one decoder or two of the same say."""
    return said[0] if len(said) == 1 else mean_of(*said)


def without(model: Model, decoder: str) -> Model:
    """The model with one of two decoders of the same only, not the one named: routes, routes_alone, time or
    time_alone."""
    kind = decoder.removesuffix("_alone")
    beside = getattr(model, f"{kind}_alone")
    if beside is None:
        raise ValueError(f"the model has one decoder of {kind}, which cannot be left out")
    if decoder == "routes":
        model.routes, model.route_context = beside, None
    if decoder == "time":
        model.time, model.with_time_context = beside, False
    setattr(model, f"{kind}_alone", None)
    return model


def time_context(road: Tensor, h: Tensor, segment: Tensor, sample: Tensor) -> Tensor:
    """X_road of pieces [G][L] beside the states of the samples around their gap, [G][L][3d]."""
    x = with_nobody(road)[segment]
    around = torch.cat([h[sample], h[sample + 1]], -1).unsqueeze(1)
    return torch.cat([x, around.expand(-1, x.shape[1], -1)], -1)


@dataclass
class Reached:
    """Times at the ends of pieces as shares of their gap's time, [gaps][pieces]."""

    share: Tensor
    spread: Tensor
    true: Tensor
    lengths: Tensor
    counts: Tensor
