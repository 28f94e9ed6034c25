"""A model that was trained without some of its inputs, as one that ignores them: so that it can be bundled.

The application shows a model all columns. What a layer made of the unknown value of a column is a constant, which
goes to the layer's bias; the column has no weight any more. Parts that were switched off have weights of zero.
"""

from dataclasses import replace
from pathlib import Path

import torch

from rntrajrec import checkpoint, settings
from rntrajrec.schema import Schema

# The layers that columns go into, and how far from the end of their inputs these columns begin.
ENTRANCES = {
    "encoder.subgraphs.point": ("points", ()),
    "ticks.move.0": ("moves", ("candidates",)),
    "ticks.rate.0": ("moves", ("candidates",)),
}


def sighted(state: dict, known: Schema) -> dict:
    """A checkpoint of the same function that takes all inputs, whatever they are."""
    s = settings.from_dict(state["settings"])
    told = {name for p in s.model.blind for name, t in known.tensors.items() if t.like(name, (p,)).any()}
    if others := told - {tensor for tensor, _ in ENTRANCES.values()}:
        raise ValueError(f"a model that is blind to {', '.join(sorted(others))} cannot be bundled")
    weights = dict(state["model"])
    for layer, (name, behind) in ENTRANCES.items():
        tensor, weight = known.tensors[name], weights[f"{layer}.weight"].clone()
        first = weight.shape[1] - sum(known.width(b) for b in behind) - tensor.width
        at = first + torch.from_numpy(tensor.like(name, s.model.blind).nonzero()[0])
        unknown = torch.as_tensor(tensor.unknown)[at - first].to(weight.dtype)
        weights[f"{layer}.bias"] = weights[f"{layer}.bias"] + weight[:, at] @ unknown
        weight[:, at] = 0
        weights[f"{layer}.weight"] = weight
    if not s.model.pairs:
        weights["encoder.subgraphs.pair.weight"] = torch.zeros(s.model.d, known.width("sub_pairs"))
        weights["encoder.subgraphs.pair.bias"] = torch.zeros(s.model.d)
    if not s.model.environment:
        whole = weights["encoder.gpsformer.whole.weight"]
        none = whole.new_zeros(len(whole), known.width("environment"))
        weights["encoder.gpsformer.whole.weight"] = torch.cat([whole, none], 1)
    seeing = replace(s, model=replace(s.model, blind=(), pairs=True, environment=True))
    return state | {"model": weights, "settings": checkpoint.plain(seeing)}


def bundled(path: Path, known: Schema) -> Path:
    """The checkpoint to bundle: the one given, or beside it one that ignores what it was trained without."""
    state = checkpoint.read(path)
    model = state["settings"]["model"]
    if model["pairs"] and model["environment"] and not model["blind"]:
        return path
    out = path.with_name("sighted.pt")
    checkpoint.save(sighted(state, known), out)
    return out
