"""The model cut into the graphs that the application runs: tensors in, tensors out, dense operators only.

Indices are int32, the number of rows means none, and every axis but columns and the cells of a segment is free.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from rntrajrec.gridgnn import GridGNN
from rntrajrec.model import Model, pooled_padded, time_context

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
        # The packed form of training is the same function; this one has no steps that depend on values.
        r = net.road(roads)
        if net.grid:
            r = r + GridGNN.passed(net, cells, cell_count)
        r = torch.relu(r)
        for layer in net.layers:
            r = layer(r, [successors, predecessors])
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
        z, h = self.net.subgraphs(road, sub_segments, sub_weights, sub_pairs, points)
        node = (sub_segments < road.shape[0]).to(z.dtype)
        place = torch.arange(points.shape[0])
        known = torch.ones_like(points[:, :1]).transpose(0, 1) > 0
        h, z, whole = self.net.gpsformer(
            h, z, node, sub_successors, sub_predecessors, place.unsqueeze(0), known, place, environment
        )
        return h, whole, self.net.log_weights(z, sub_weights)


class Routes(nn.Module):
    """Rows of candidates and routes to their scores u and v."""

    def __init__(self, model: Model):
        super().__init__()
        self.context, self.net = model.route_context, model.routes

    def forward(self, candidates, routes, *rest: Tensor):
        if self.context is not None:
            road, h, candidate_sample, candidate_segment, option_sample, option_segments = rest
            pooled = pooled_padded(self.context.along(road), option_segments)
            seen = self.context.candidates(road, h, candidate_sample, candidate_segment)
            candidates = torch.cat([candidates, seen], -1)
            routes = torch.cat([routes, self.context.options(h, option_sample, pooled)], -1)
        return self.net(candidates, routes)


class Times(nn.Module):
    """Rows of pieces to the share of the gap's time at the end of each, and the scale of the doubt about it."""

    def __init__(self, model: Model):
        super().__init__()
        self.with_context, self.net = model.with_time_context, model.time

    def forward(self, pieces, lengths, counts, *rest: Tensor):
        if self.with_context:
            road, h, piece_segment, gap_sample = rest
            pieces = torch.cat([pieces, time_context(road, h, piece_segment, gap_sample)], -1)
        return self.net(pieces, lengths, counts)


class LongIndices(nn.Module):
    """A graph whose indices come as int32: PyTorch before 2.0 gathers by int64 only. Counts stay as they are, for
    devices leave what is done to int64 to the processor."""

    def __init__(self, graph: Graph):
        super().__init__()
        self.module = graph.module
        self.index = [kind == I and name not in COUNTS for name, (kind, _) in graph.inputs.items()]

    def forward(self, *inputs: Tensor):
        return self.module(*(x.long() if index else x for x, index in zip(inputs, self.index, strict=True)))


class Ticks(nn.Module):
    """One tick of some beams of one trip: their states and last positions, and the moves of each, to the states now,
    the moves' scores, whose weights are added outside, and the ratio along each."""

    def __init__(self, model: Model):
        super().__init__()
        self.net = model.ticks

    def forward(self, state, road, ratio, h, move_road, moves, candidates):
        return self.net(state, road, ratio, h, move_road, torch.cat([moves, candidates], -1))


F, I = "float32", "int32"  # noqa: E741
COUNTS = ("counts", "cell_count")


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
        made.append(ticks_graph(model))
    return [replace(g, module=LongIndices(g).eval()) for g in made]


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
        "state": (F, ("beams", "d")), "road": (F, ("beams", "d")), "ratio": (F, ("beams",)), "h": (F, ("samples", "d")),
        "move_road": (F, ("beams", "moves", "d")), "moves": (F, ("beams", "moves", "columns")),
        "candidates": (F, ("beams", "moves", "columns")),
    }  # fmt: skip
    outputs = {"state_now": ("beams", "d"), "scores": ("beams", "moves"), "ratios": ("beams", "moves")}
    return Graph("decoder_ticks", Ticks(model), inputs, outputs)
