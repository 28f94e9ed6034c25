"""Export of a system: python -m rntrajrec.systems.export RUN BUNDLE --sets SETS

RUN is the folder of a training, as rntrajrec.systems.run leaves it below --out: BENCH/ROW-SEED. Writes what was best
in it as ONNX with a manifest.json, checks each graph against PyTorch on trips of the test set, and writes golden
vectors of one of them, as rntrajrec.export does. A system has tables of one network: its fingerprint is in the
manifest, and the application runs it on no other.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from rntrajrec import checkpoint
from rntrajrec.batch import span_of
from rntrajrec.data import DataSet
from rntrajrec.export import OPSET, TOLERANCE, answers, compare, entry, typed, weights_in, write, write_golden
from rntrajrec.graphs import Graph
from rntrajrec.systems import table as table_
from rntrajrec.systems import trips
from rntrajrec.systems.city import CELL, City
from rntrajrec.systems.graphs import graphs, name_of, of_trip, walk
from rntrajrec.systems.system import Made, Sizes, System
from rntrajrec.systems.table import Row

LICENCE = "The weights may be used under the licence of Retrace. Networks are (c) OpenStreetMap contributors, under the ODbL."
TRIPS = (0, 1, 2)  # of the test set, that graphs are compared on; the last is the golden one


def trained(run: Path, data: DataSet, facts: dict) -> tuple[System, City]:
    """The system of a training, with the weights that were best."""
    city = City(data.network(0), tuple(facts["bench"]["box"]))
    if city.segments != data.network(0).segments:
        raise ValueError(f"{run}: its tables cover {city.segments} of the network's {data.network(0).segments} segments; only systems of whole networks are exported")  # fmt: skip
    system = table_.build(
        Row(facts["row"]["name"], facts["row"]["system"]), Made(city, data.schema, Sizes(**facts["sizes"]))
    )
    if not isinstance(system, System):
        raise ValueError(f"{run}: {facts['row']['name']} has no decoder of ticks that could be exported")
    system.load_state_dict(checkpoint.read(run / "best.pt")["system"])
    return system.eval(), city


def export(run: Path, bundle: Path, sets: Path, which: tuple[int, ...] = TRIPS) -> dict:
    """Writes a bundle and returns its manifest. Each graph is compared on every one of some test trips."""
    facts = json.loads((run / "made-from.json").read_text())
    data = DataSet(sets / facts["bench"]["test"])
    if checkpoint.origin(data) != facts["data"][-1]:
        raise ValueError(f"{run} was trained for another data set than {data.folder} is now")
    system, city = trained(run, data, facts)
    every = trips.read(data, city)
    bundle.mkdir(parents=True, exist_ok=True)
    entries = [written(system, g, [every.some([i]) for i in which], bundle) for g in graphs(system)]
    write_golden(bundle / "golden" / "trip", golden_trip(system, data, every, which[-1]))
    manifest = manifest_of(bundle.name, run, system, city, data, facts, entries)
    (bundle / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def written(system: System, graph: Graph, some: list[trips.Trips], bundle: Path) -> dict:
    """Writes one graph, compares it on some trips, and gives its entry in the manifest."""
    cases = [typed(graph, values) for b in some for values in asked(system, graph, b)]
    path = bundle / f"{graph.name}.onnx"
    write(graph, cases[0], path)
    worst = max(compare(graph, path, values) for values in cases)
    if not worst <= TOLERANCE:
        raise ValueError(f"the graph {graph.name} differs from PyTorch by {worst}")
    write_golden(bundle / "golden" / graph.name, cases[-1] | answers(graph, cases[-1]))
    return entry(graph, path) | {"weights": weights_in(path)}


def asked(system: System, graph: Graph, b: trips.Trips) -> list[dict]:
    """What a graph is asked of a trip: the encoder once, and of the ticks the first two and the last."""
    if graph.name == "encoder":
        return [of_trip(system, b)]
    ticks = recovered(system, b)[0]
    return [*ticks[:2], ticks[-1]]


def recovered(system: System, b: trips.Trips) -> tuple[list[dict], torch.Tensor, torch.Tensor]:
    """A trip recovered by the graphs in PyTorch."""
    encoder, tick = graphs(system)

    def by(graph: Graph):
        return lambda values: graph.module(*typed(graph, values).values())

    return walk(system, by(encoder), by(tick), b)


def golden_trip(system: System, data: DataSet, every: trips.Trips, which: int) -> dict[str, np.ndarray]:
    """A trip as it was reported, and what the system recovers of it (not the graphs): the segments and ratios of all ticks."""
    _, shard, trip = data.trips()[which]
    span = span_of(data.shards[shard], trip)
    first = span.shard["trip_time"][trip] if "trip_time" in span.shard.arrays else 0
    seconds = np.asarray(span.shard["sample_time"][span.samples], dtype=np.float64)
    b = every.some([which])
    with torch.no_grad():
        segment, ratio = system.recover(b)
    return {
        "time": np.int64(first) + np.round(1000 * seconds).astype(np.int64),
        "lon": span.shard["sample_lon"][span.samples], "lat": span.shard["sample_lat"][span.samples],
        "segment": segment[b.there].numpy().astype(np.int32), "ratio": ratio[b.there].numpy(),
    }  # fmt: skip


def features_of(sizes: Sizes, settings: dict) -> dict:
    """The settings that the application makes features by: those of the data set, as the system cuts its sub-graphs."""
    points = dict(settings["points"])
    points |= {name: own for name, own in {"delta": sizes.delta, "gamma": sizes.gamma}.items() if own}
    if sizes.sub:
        points["sub_cap"] = min(sizes.sub, points["sub_cap"])
    return {"points": points, "routes": settings["routes"]}


def manifest_of(
    name: str, run: Path, system: System, city: City, data: DataSet, facts: dict, entries: list[dict]
) -> dict:
    """What the application must know of a bundle."""
    step, total, _, seconds = checkpoint.read(run / "best.pt")["progress"]
    return {
        "name": name,
        "version": 1,
        "system": name_of(system),
        "city": city_of(city, data),
        "schema": data.manifest["schema"],
        "schema_hash": data.schema.hash,
        "features": features_of(Sizes(**facts["sizes"]), data.manifest["settings"]),
        "model": {"d": facts["sizes"]["d"]},
        "row": facts["row"]["name"],
        "bench": facts["bench"]["name"],
        "seed": facts["seed"],
        "sizes": facts["sizes"],
        "training": facts["budget"],
        "trained_steps": step,
        "trained_seconds": seconds,
        "data": facts["data"][:1],
        "validation_data": facts["data"][1:2],
        "validation": {"loss_total": total},
        "commit": checkpoint.commit(),
        "licence": LICENCE,
        "opset": OPSET,
        "graphs": entries,
    }


def city_of(city: City, data: DataSet) -> dict:
    """Where the tables belong: the network, the grid of cells around the middle of its box, and the time between ticks."""
    network = data.manifest["networks"][0]
    columns, rows = city.grid(CELL)
    return {
        "network": network["name"],
        "fingerprint": network["fingerprint"],
        "segments": city.segments,
        "origin": [float(v) for v in city.origin],  # degrees
        "scale": [float(v) for v in city.scale],  # metres of a degree east and north
        "half": [float(v) for v in city.half],  # metres from the middle to the edges of the grid
        "cell": CELL,  # metres
        "columns": columns,
        "rows": rows,
        "tick": tick_of(data),  # seconds
        "beta": trips.BETA,  # metres, of the mask
    }


def tick_of(data: DataSet) -> float:
    """The time between two ticks, as it mostly is."""
    gaps = []
    for shard in data.shards:
        start = shard["tick_start"]
        for a, b in zip(start, start[1:], strict=False):
            gaps.append(np.diff(np.asarray(shard["tick_time"][a:b]), prepend=0.0))
    return float(np.median(np.concatenate(gaps)))


def main() -> None:
    p = argparse.ArgumentParser(description="Export a trained system as a bundle of ONNX graphs.")
    p.add_argument("run", type=Path, help="folder of the training, as in RUNS/porto-x8/mtrajrec-1")
    p.add_argument("bundle", type=Path)
    p.add_argument("--sets", type=Path, required=True, help="folder of the data sets")
    args = p.parse_args()
    torch.set_num_threads(1)
    manifest = export(args.run, args.bundle, args.sets)
    for e in manifest["graphs"]:
        print(e["file"], (args.bundle / e["file"]).stat().st_size, e["sha256"])


if __name__ == "__main__":
    main()
