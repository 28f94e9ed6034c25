"""Export: python -m rntrajrec.export CHECKPOINT BUNDLE --data SET

Writes the graphs of a checkpoint as ONNX with a manifest.json, checks each against
PyTorch on a batch of the data set, and writes that batch and the answers as golden
vectors that the application is tested with.
"""

import argparse
import hashlib
import json
import warnings
from inspect import signature
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from rntrajrec.batch import collate_for
from rntrajrec.checkpoint import load
from rntrajrec.data import DataSet
from rntrajrec.graphs import Graph, graphs
from rntrajrec.inputs import inputs_of
from rntrajrec.model import without

OPSET = 17
TOLERANCE = 1e-4
# What execution providers cannot run whole on a GPU, or leave to the processor: shapes that depend on values, and
# arithmetic with shapes.
FORBIDDEN = {"Loop", "Scan", "If", "NonZero", "ScatterND", "ScatterElements", "Unique", "Compress"}
FORBIDDEN |= {"Shape", "Size", "Range", "Expand", "Tile", "OneHot"}
FIXED_AXES = ("columns", "cells", "d", "one")
# The exporter that traces: newer versions of PyTorch have another by default, older ones know no other.
LEGACY = {"dynamo": False} if "dynamo" in signature(torch.onnx.export).parameters else {}


def typed(graph: Graph, values: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The inputs of one graph in its order and types."""
    kinds = {"float32": torch.float32, "int32": torch.int32}
    return {name: values[name].to(kinds[kind]).contiguous() for name, (kind, _) in graph.inputs.items()}


def write(graph: Graph, values: dict[str, torch.Tensor], path: Path) -> None:
    """Writes one graph as ONNX and refuses operators that are not dense."""
    axes = {name: dynamic(a) for name, (_, a) in graph.inputs.items()}
    axes |= {name: dynamic(a) for name, a in graph.outputs.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own; the comparison below is what counts
        torch.onnx.export(
            graph.module, tuple(values.values()), str(path), input_names=list(graph.inputs),
            output_names=list(graph.outputs), dynamic_axes=axes, opset_version=OPSET, **LEGACY,
        )  # fmt: skip
    found = {node.op_type for node in onnx.load(str(path)).graph.node} & FORBIDDEN
    if found:
        raise ValueError(
            f"the graph {graph.name} has operators that are not dense: {', '.join(sorted(found))}"
        )


def dynamic(axes: tuple[str, ...]) -> dict[int, str]:
    return {i: name for i, name in enumerate(axes) if name not in FIXED_AXES}


@torch.no_grad()
def answers(graph: Graph, values: dict[str, torch.Tensor]) -> dict[str, np.ndarray]:
    """What PyTorch answers."""
    out = graph.module(*values.values())
    out = out if isinstance(out, tuple) else (out,)
    return {name: o.numpy() for name, o in zip(graph.outputs, out, strict=True)}


def compare(graph: Graph, path: Path, values: dict[str, torch.Tensor]) -> float:
    """The largest difference between ONNX Runtime and PyTorch."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    got = session.run(list(graph.outputs), {name: v.numpy() for name, v in values.items()})
    want = answers(graph, values).values()
    return max(float(np.abs(g - w).max(initial=0)) for g, w in zip(got, want, strict=True))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def export(
    checkpoint: Path,
    bundle: Path,
    data: DataSet,
    trips: list[int],
    golden: Path | None,
    spread: float = 1.0,
    temperature: float = 1.0,
    left_out: tuple[str, ...] = (),
) -> dict:
    """Writes a bundle and returns its manifest. Each graph is compared on every one of the trips. `spread` is what the
    doubt about times is to be multiplied by, `temperature` what the logarithms of the probabilities of ticks are divided
    by. `left_out` names decoders without an encoder that the bundle goes without."""
    model, state = load(checkpoint, data)
    for decoder in left_out:
        model = without(model, decoder)
        state["settings"]["model"][decoder] = False
    if model.settings.tables != "none":
        raise ValueError(f"{checkpoint}: its tables belong to one city; a bundle must run in any")
    if model.settings.blind:
        raise ValueError(
            f"{checkpoint}: it was trained blind to some columns, which the application would show it"
        )
    bundle.mkdir(parents=True, exist_ok=True)
    entries, batches = [], [collate_for(model.settings, data, 0, [(0, i)]) for i in trips]
    for graph in graphs(model):
        path = bundle / f"{graph.name}.onnx"
        with torch.no_grad():
            cases = [typed(graph, inputs_of(model, b)[graph.name]) for b in batches]
        write(graph, cases[0], path)
        worst = max(compare(graph, path, values) for values in cases)
        if not worst <= TOLERANCE:
            raise ValueError(f"the graph {graph.name} differs from PyTorch by {worst}")
        entries.append(entry(graph, path))
        entries[-1]["weights"] = weights_in(path)
        if golden is not None:
            write_golden(golden / graph.name, cases[-1] | answers(graph, cases[-1]))
    manifest = manifest_of(bundle.name, state, data, entries) | {
        "calibration": {"spread": spread, "temperature": temperature}
    }
    (bundle / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def weights_in(path: Path) -> int:
    """How many learned numbers a graph holds."""
    stored = onnx.load(str(path)).graph.initializer
    return sum(int(np.prod(w.dims)) for w in stored if w.data_type == onnx.TensorProto.FLOAT)


def entry(graph: Graph, path: Path) -> dict:
    return {
        "name": graph.name,
        "file": path.name,
        "sha256": sha256(path),
        "inputs": [{"name": n, "type": kind, "axes": axes} for n, (kind, axes) in graph.inputs.items()],
        "outputs": [{"name": n, "type": "float32", "axes": axes} for n, axes in graph.outputs.items()],
    }


def features_of(model: dict, data: DataSet) -> dict:
    """The settings that the application makes features by."""
    parts = ("points", "routes", "ticks") if model["ticks"] else ("points", "routes")
    return {part: data.manifest["settings"][part] for part in parts}


def manifest_of(name: str, state: dict, data: DataSet, entries: list[dict]) -> dict:
    """What the application must know of a bundle."""
    return {
        "name": name,
        "version": 1,
        "schema": data.manifest["schema"],
        "schema_hash": data.schema.hash,
        "features": features_of(state["settings"]["model"], data),
        "decoder": "routes" if state["settings"]["model"]["routes"] else "ticks",
        "model": state["settings"]["model"],
        "training": state["settings"]["training"],
        "data": state["data"],
        "before": state.get("before", []),
        "validation_data": state["validation_data"],
        "trained_epochs": state["progress"][0],
        "trained_seconds": state["progress"][3],
        "hardware": state["hardware"],
        "validation": state["figures"],
        "commit": state["commit"],
        "opset": OPSET,
        "graphs": entries,
    }


def write_golden(folder: Path, arrays: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", np.asarray(values))


def main() -> None:
    p = argparse.ArgumentParser(description="Export a checkpoint as a bundle of ONNX graphs.")
    p.add_argument("checkpoint", type=Path)
    p.add_argument("bundle", type=Path)
    p.add_argument("--data", type=Path, required=True, help="data set that the graphs are compared on")
    p.add_argument(
        "--trips",
        type=int,
        nargs="+",
        default=[0, 1, 2],
        help="trips of its first shard, the golden one last",
    )
    p.add_argument("--spread", type=float, default=1.0, help="what tools/tune found for Model.Spread")
    p.add_argument(
        "--temperature", type=float, default=1.0, help="what tools/tune found for Model.Temperature"
    )
    p.add_argument(
        "--without", nargs="*", default=[], choices=["routes_alone", "time_alone"], help="leave decoders out"
    )
    args = p.parse_args()
    data, golden = DataSet(args.data), args.bundle / "golden"
    manifest = export(
        args.checkpoint,
        args.bundle,
        data,
        args.trips,
        golden,
        args.spread,
        args.temperature,
        tuple(args.without),
    )
    for e in manifest["graphs"]:
        print(e["file"], (args.bundle / e["file"]).stat().st_size, e["sha256"])


if __name__ == "__main__":
    main()
