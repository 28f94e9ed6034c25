"""Checkpoints: the weights of a model with all that must be known of how they came about."""

import json
import os
import platform
import subprocess
from dataclasses import replace
from pathlib import Path

import torch

from rntrajrec import settings
from rntrajrec.data import DataSet
from rntrajrec.model import Model
from rntrajrec.schema import Schema
from rntrajrec.settings import Settings

# The reader of PyTorch before 2.0 that takes nothing but weights cannot read numbers.
SAFELY = {"weights_only": True} if int(torch.__version__.split(".")[0]) >= 2 else {}


def save(state: dict, path: Path) -> None:
    """Writes a checkpoint; it stands under its name only when it is complete."""
    part = path.with_name(path.name + ".part")
    torch.save(state, part)
    part.replace(path)


def read(path: Path, device: str | torch.device = "cpu") -> dict:
    """Reads a checkpoint."""
    return torch.load(path, map_location=device, **SAFELY)


def check(state: dict, known: Schema, s: Settings) -> None:
    """Refuses a checkpoint of other features, of another model or of another training."""
    if state["schema_hash"] != known.hash:
        raise ValueError("the checkpoint was trained on features of another schema")
    if settings.from_dict(state["settings"]).model != s.model:
        raise ValueError("the checkpoint holds a model of other settings")


def columns_of(known: Schema) -> dict[str, list[str]]:
    """The columns of the tensors of a schema, by name."""
    return {name: list(t.columns) for name, t in known.tensors.items() if t.columns}


# The layers that columns go into.
ENTRANCES = {
    "routes.candidate.0.weight": "candidates",
    "routes.option.0.weight": "routes",
    "routes_alone.candidate.0.weight": "candidates",
    "routes_alone.option.0.weight": "routes",
    "time.enter.weight": "pieces",
    "time_alone.enter.weight": "pieces",
}


# What an encoder may begin to tell the decoders, or tell them no more.
CONTEXTS = ("routes_context", "time_context")

# The parts of a model, each with the settings that mean nothing without it.
OF_PARTS = {
    "encoder": (
        "d", "heads", "road_layers", "blocks", "graph_layers", "route_context", "grid", "pairs", "road_gat", "grl", "gf",
        "gat", "gn", "gcl", "environment",
    ),
    "routes": ("route_context",),
    "time": ("time_hidden", "time_blocks"),
    "routes_alone": (),
    "time_alone": (),
    "ticks": (),
}  # fmt: skip


def adopt(state: dict, known: Schema, s: Settings) -> dict:
    """The weights of a checkpoint for another schema than its own: columns are told by name, a new one has no weight
    yet, and those of one that is no more are left out. Only the columns of the decoders of routes and of time may
    differ. A part that either lacks, encoder or decoder, gets no weights, nor does what decoders see of an encoder
    that they did not look at before, nor what tells simulated trips apart where the checkpoint does not."""
    old = settings.from_dict(state["settings"]).model
    free = list(CONTEXTS)
    for part, names in OF_PARTS.items():
        if not has_both(old, s.model, part):
            free += part, *names
    if not has_both(old, s.model, "routes") and not has_both(old, s.model, "ticks"):
        free.append("hidden")
    old = replace(old, **{name: getattr(s.model, name) for name in free})
    if not old.apart:
        old = replace(old, apart=s.model.apart)
    if old != s.model:
        raise ValueError("the checkpoint holds a model of other settings")
    if state["schema_hash"] == known.hash:
        return state["model"]
    if "columns" not in state:
        raise ValueError("the checkpoint was trained on features of another schema, and does not name them")
    old, new, weights = state["columns"], columns_of(known), dict(state["model"])
    differ = {name for name in old.keys() & new.keys() if old[name] != new[name]}
    if differ - set(ENTRANCES.values()) or ("candidates" in differ and s.model.ticks):
        raise ValueError(f"the checkpoint was trained on other {', '.join(sorted(differ))}")
    for layer, tensor in ENTRANCES.items():
        if tensor in differ and layer in weights:
            weights[layer] = _by_name(weights[layer], old[tensor], new[tensor])
    return weights


def _by_name(weight: torch.Tensor, old: list[str], new: list[str]) -> torch.Tensor:
    """[outputs][columns and a context] of the new columns and the same context."""
    named = weight.new_zeros(weight.shape[0], len(new))
    for i, name in enumerate(new):
        if name in old:
            named[:, i] = weight[:, old.index(name)]
    return torch.cat([named, weight[:, len(old) :]], 1)


def alone(state: dict, part: str) -> dict:
    """A checkpoint whose decoder, which looks at no encoder, is called as the one beside another is: routes_alone or
    time_alone."""
    if settings.from_dict(state["settings"]).model.encoder:
        raise ValueError(f"its decoder was trained beside an encoder, so it is no {part!r}")
    before, after = part.removesuffix("_alone") + ".", part + "."
    weights = {
        n.replace(before, after, 1) if n.startswith(before) else n: w for n, w in state["model"].items()
    }
    told = json.loads(json.dumps(state["settings"]))
    told["model"][part] = True
    return state | {"model": weights, "settings": told}


def has_both(old: settings.ModelSettings, new: settings.ModelSettings, part: str) -> bool:
    """Whether both models have a part."""
    return getattr(old, part) and getattr(new, part)


def fitted(weights: dict, wanted: dict) -> dict:
    """The weights of the parts that are wanted, whose entrances have as many columns as wanted: a context stands last,
    a new one has no weight yet, and one that is looked at no more is cut off."""
    out = {name: w for name, w in weights.items() if name in wanted}
    for layer in ENTRANCES.keys() & out.keys():
        more = wanted[layer].shape[1] - out[layer].shape[1]
        out[layer] = torch.nn.functional.pad(out[layer], (0, more))
    return out


def load(path: Path, data: DataSet) -> tuple[Model, dict]:
    """The model of a checkpoint, ready for inference. It refuses features of another schema."""
    state = read(path)
    if state["schema_hash"] != data.schema.hash:
        raise ValueError(f"{path} was trained on features of another schema than those of {data.folder}")
    model = Model(data.schema, settings.from_dict(state["settings"]).model)
    if model.settings.tables != "none" and networks_of([data.manifest]) != networks_of(state["data"]):
        raise ValueError(
            f"the tables of {path} belong to {', '.join(networks_of(state['data']).values())}, not to the network of {data.folder}"
        )
    model.load_state_dict(state["model"])
    return model.eval(), state


def history(state: dict) -> list[dict]:
    """How the weights of a checkpoint came about: the trainings one after another, its own last."""
    epochs, _, _, seconds = state["progress"]
    own = {
        "commit": state["commit"],
        "training": state["settings"]["training"],
        "epochs": epochs,
        "seconds": seconds,
    }
    return [*state.get("before", []), own | {"data": state["data"]}]


def kinds_of(manifest: dict) -> dict[str, int]:
    """How many trips are real (dense) and how many simulated; the names of shards begin with it."""
    counts: dict[str, int] = {}
    for shard in manifest["shards"]:
        kind = shard["name"].partition("-")[0]
        counts[kind] = counts.get(kind, 0) + shard["trips"]
    return counts


def networks_of(sets: list[dict]) -> dict[str, str]:
    """The names of the networks of data sets by fingerprint."""
    return {n["fingerprint"]: n["name"] for s in sets for n in s["networks"]}


def plain(s: Settings) -> dict:
    """Settings as JSON holds them."""
    return json.loads(json.dumps(s.as_dict()))


def origin(data: DataSet) -> dict:
    """What a data set was made from, for the manifest of a bundle."""
    networks = [{"name": n["name"], "fingerprint": n["fingerprint"]} for n in data.manifest["networks"]]
    return {
        "name": data.folder.name,
        "manifest_sha256": data.digest,
        "networks": networks,
        "trips": len(data.trips()),
        "kinds": kinds_of(data.manifest),
        "settings": data.manifest["settings"],
    }


def commit() -> str:
    """The commit of the program that trains, with "-dirty" where files differ from it; "unknown" outside a repository."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def hardware(device: torch.device, threads: int) -> str:
    """What a training runs on, in words."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else processor()
    return f"{name}, {threads} of {os.cpu_count()} cores, PyTorch {torch.__version__}"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
