"""The model cut into the graphs that the application runs: tensors in, tensors out, by operators that
devices run whole (see dense).

Indices are int32, the number of rows means none, and every axis but columns and the cells of a segment is free.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rntrajrec import dense
from rntrajrec.model import Model, mean_of

Axes = tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """One graph: a module, and its inputs and outputs by name with the names of their axes; a number is a fixed size."""

    name: str
    module: nn.Module
    inputs: dict[str, tuple[str, Axes]]
    outputs: dict[str, Axes]


class Road(nn.Module):
    """Segments to X_road, once for a network or a part of it with a margin of as many hops as there are layers."""

    def __init__(self, model: Model):
        super().__init__()
        self.net = model.encoder.gridgnn

    def forward(self, roads, cells, cell_count, successors, predecessors):
        net = self.net
        r = net.road(roads)
        if net.grid:
            r = r + dense.passed(net, cells, cell_count)
        r = torch.relu(r)
        table = dense.Table([successors, predecessors])
        for layer in net.layers:
            r = dense.gat(layer, r, table)
        return net.out(torch.cat([r, roads], -1))


class Encode(nn.Module):
    """X_road of the segments around one trip, and its samples, to their states."""

    def __init__(self, model: Model):
        super().__init__()
        self.net = model.encoder

    def forward(
        self,
        road,
        points,
        sub_segments,
        sub_weights,
        sub_pairs,
        sub_successors,
        sub_predecessors,
        environment,
    ):
        sub = self.net.subgraphs
        z, known = dense.rows_at(dense.with_nobody(road), sub_segments), dense.known_at(road, sub_segments)
        if sub.pair is not None:
            z = (z + sub.pair(sub_pairs)) * known
        g = (z * sub_weights.unsqueeze(-1)).sum(-2) / sub_weights.sum(-1, keepdim=True).clamp_min(1e-9)
        h = sub.point(torch.cat([g, points], -1))
        tables = dense.Tables([sub_successors, sub_predecessors], sub_weights)
        h, z, whole = dense.formed(self.net.gpsformer, h, z, known.squeeze(-1), tables, environment)
        return h, whole, self.net.log_weights(z, sub_weights)


class Routes(nn.Module):
    """Rows of candidates and routes to their scores u and v."""

    def __init__(self, model: Model):
        super().__init__()
        self.context, self.net, self.alone = model.route_context, model.routes, model.routes_alone

    def forward(self, candidates, routes, *rest: Tensor):
        seen = (candidates, routes) if self.context is None else self.with_context(candidates, routes, *rest)
        said = self.net(*seen)
        return said if self.alone is None else mean_of(said, self.alone(candidates, routes))

    def with_context(
        self, candidates, routes, road, h, candidate_sample, candidate_segment, option_sample, option_segments
    ):
        """RouteContext.candidates and .options, with the mean of X_road along each route."""
        c = self.context
        along = c.along(road)
        along = torch.cat([along, dense.ones(along)], -1)  # the sum of the ones is how many there are
        pooled = dense.rows_at(dense.with_nobody(along), option_segments).sum(1)
        pooled = pooled[..., :-1] / pooled[..., -1:].clamp_min(1)
        # A candidate is on a road always.
        seen = [dense.rows_at(h, candidate_sample), dense.rows_at(road, candidate_segment)]
        before, after = (
            dense.rows_at(c.before(h), option_sample),
            dense.rows_at(c.after(h), option_sample + 1),
        )
        return torch.cat([candidates, *seen], -1), torch.cat([routes, pooled, before, after], -1)


class Times(nn.Module):
    """Rows of pieces to the share of the gap's time at the end of each, and the scale of the doubt about it."""

    def __init__(self, model: Model):
        super().__init__()
        self.seen, self.net, self.alone = model.with_time_context, model.time, model.time_alone

    def forward(self, pieces, lengths, counts, *rest: Tensor):
        entered = self.entered(pieces, *rest) if self.seen else self.net.enter(pieces)
        said = self.net.reached(entered, lengths, counts)
        return said if self.alone is None else mean_of(said, self.alone(pieces, lengths, counts))

    def entered(self, pieces, road, h, piece_segment, gap_sample):
        """The first layer over model.time_context, with what is the same of many pieces multiplied once."""
        d, enter = int(h.shape[-1]), self.net.enter
        own, of_road, before, after = enter.weight.split([enter.in_features - 3 * d, d, d, d], 1)
        x = dense.rows_at(dense.with_nobody(road @ of_road.T), piece_segment)
        around = dense.rows_at(h @ before.T, gap_sample) + dense.rows_at(h @ after.T, gap_sample + 1)
        return pieces @ own.T + x + (around + enter.bias).unsqueeze(1)


class Ticks(nn.Module):
    """One tick of some beams of some trips: their states and last positions, and the moves of all, each with its beam,
    to the states now and the moves' scores, whose weights are added outside."""

    def __init__(self, model: Model):
        super().__init__()
        self.net, self.root = model.ticks, model.settings.d**0.5

    def forward(self, state, road, ratio, h, known, beam_trip, move_beam, move_road, moves, candidates):
        net = self.net
        keys, nobody = dense.rows_at(net.w_h(h), beam_trip), dense.rows_at((known - 1) * 1e9, beam_trip)
        a = net.attend(state, keys, dense.rows_at(h, beam_trip), nobody)
        state = dense.gru(net.gru, state, torch.cat([road, ratio.unsqueeze(-1), a], -1))
        near = (move_road * dense.rows_at(net.w_id(state), move_beam)).sum(-1) / self.root
        return state, near + net.move(torch.cat([moves, candidates], -1)).squeeze(-1)  # TickDecoder.match


class Ratios(nn.Module):
    """The ratio along the segment of a move, for those that are chosen."""

    def __init__(self, model: Model):
        super().__init__()
        self.net = model.ticks

    def forward(self, state, move_road, moves, candidates):
        return self.net.along(state, move_road, torch.cat([moves, candidates], -1))


F, I = "float32", "int32"  # noqa: E741


def graphs(model: Model) -> list[Graph]:
    """The graphs of a model, by its switches."""
    s, made = model.settings, []
    if s.encoder:
        made += [road_graph(model), encoder_graph(model)]
    if s.routes:
        made.append(routes_graph(model))
    if s.time:
        made.append(time_graph(model))
    if s.ticks:
        made += [ticks_graph(model), ratios_graph(model)]
    for g in made:
        g.module.eval()
    return made


def road_graph(model: Model) -> Graph:
    return Graph("road", Road(model), {
        "roads": (F, ("segments", "columns")), "cells": (F, ("segments", "cells", "columns")), "cell_count": (I, ("segments",)),
        "successors": (I, ("segments", "neighbours")), "predecessors": (I, ("segments", "neighbours")),
    }, {"road": ("segments", "d")})  # fmt: skip


def encoder_graph(model: Model) -> Graph:
    return Graph("encoder", Encode(model), {
        "road": (F, ("segments", "d")), "points": (F, ("samples", "columns")), "sub_segments": (I, ("samples", "sub")),
        "sub_weights": (F, ("samples", "sub")), "sub_pairs": (F, ("samples", "sub", "columns")),
        "sub_successors": (I, ("samples", "sub", "neighbours")), "sub_predecessors": (I, ("samples", "sub", "neighbours")),
        "environment": (F, ("one", "columns")),
    }, {"h": ("samples", "d"), "whole": ("one", "d"), "sub_scores": ("samples", "sub")})  # fmt: skip


def routes_graph(model: Model) -> Graph:
    inputs = {"candidates": (F, ("candidates", "columns")), "routes": (F, ("options", "columns"))}
    if model.route_context is not None:
        inputs |= {
            "road": (F, ("segments", "d")), "h": (F, ("samples", "d")),
            "candidate_sample": (I, ("candidates",)), "candidate_segment": (I, ("candidates",)),
            "option_sample": (I, ("options",)), "option_segments": (I, ("options", "longest")),
        }  # fmt: skip
    return Graph("routes", Routes(model), inputs, {"u": ("candidates",), "v": ("options",)})


def time_graph(model: Model) -> Graph:
    inputs = {
        "pieces": (F, ("gaps", "pieces", "columns")),
        "lengths": (F, ("gaps", "pieces")),
        "counts": (I, ("gaps",)),
    }
    if model.with_time_context:
        inputs |= {
            "road": (F, ("segments", "d")), "h": (F, ("samples", "d")),
            "piece_segment": (I, ("gaps", "pieces")), "gap_sample": (I, ("gaps",)),
        }  # fmt: skip
    return Graph("time", Times(model), inputs, {"share": ("gaps", "pieces"), "spread": ("gaps", "pieces")})


def ticks_graph(model: Model) -> Graph:
    inputs = {
        "state": (F, ("beams", "d")), "road": (F, ("beams", "d")), "ratio": (F, ("beams",)),
        "h": (F, ("trips", "samples", "d")), "known": (F, ("trips", "samples")), "beam_trip": (I, ("beams",)),
        "move_beam": (I, ("moves",)), "move_road": (F, ("moves", "d")), "moves": (F, ("moves", "columns")),
        "candidates": (F, ("moves", "columns")),
    }  # fmt: skip
    return Graph("ticks", Ticks(model), inputs, {"state_now": ("beams", "d"), "scores": ("moves",)})


def ratios_graph(model: Model) -> Graph:
    inputs = {
        "state": (F, ("moves", "d")), "move_road": (F, ("moves", "d")), "moves": (F, ("moves", "columns")),
        "candidates": (F, ("moves", "columns")),
    }  # fmt: skip
    return Graph("ratios", Ratios(model), inputs, {"ratios": ("moves",)})
