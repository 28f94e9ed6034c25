"""The card of a bundle: python -m rntrajrec.card BUNDLE --runs RUN [RUN ...] [--evaluations JSON ...] [--scores JSON]
[--table TABLE]

Writes MODEL_CARD.md into the bundle from its manifest, the folders of its trainings (one
for each seed), the reports of `retrace evaluate --json` and of `tools/score -json`, and the table of data sets. No
figure on it is written by hand.
"""

import argparse
import json
import math
from pathlib import Path

from rntrajrec import checkpoint, plan

# Figures of validation by name, with what they mean.
FIGURES = {
    "path_f1": "path F1 by length",
    "path_f1_ceiling": "path F1 of the best path among the options",
    "time_mae_hidden": "time on the true route, hidden ticks, m",
    "uniform_mae_hidden": "the same at an even pace, m",
    "tick_accuracy": "accuracy of the decoder of ticks",
    "loss_total": "loss",
}
FEW_NETWORKS = 3  # that a row of data sets names
FEW = 30  # ticks: a group of fewer says nothing
WORST = 6  # groups that are named


def card(
    manifest: dict,
    sizes: dict[str, int],
    runs: list[dict],
    reports: dict[str, dict],
    sources: dict[str, str],
    scores: dict | None = None,
) -> str:
    """The text of a card."""
    parts = [head(manifest), graphs(manifest, sizes), data(manifest, sources), training(manifest, runs)]
    if reports:
        parts.append(evaluations(reports))
    if scores:
        parts.append(scored(scores))
    if reports:
        parts.append(failures(reports))
    return "\n".join(parts)


def head(m: dict) -> str:
    model = m["model"]
    encoder = f"an encoder (GridGNN, GPSFormer) of width {model['d']} and " if model["encoder"] else ""
    decoders = [name for name in ("routes", "time", "ticks") if model.get(name)]
    alone = [name for name in ("routes", "time") if model.get(f"{name}_alone")]
    beside = f", and beside it second ones of {' and '.join(alone)}" if alone else ""
    return (
        f'# Model "{m["name"]}"\n\n'
        "Written by `python -m rntrajrec.card`; nothing on this page is written by hand.\n\n"
        f"RNTrajRec with {encoder}decoders of {' and '.join(decoders)}{beside}. "
        "No weight belongs to a place, so it runs on any network.\n\n"
        f"Trained at commit `{m['commit']}` on features of schema `{m['schema_hash'][:12]}`. "
        "The weights may be used under the licence of Retrace.\n"
    )


def graphs(m: dict, sizes: dict[str, int]) -> str:
    rows = [[g["name"], f"`{g['file']}`", f"{g['weights']:,}", f"{sizes[g['file']]:,}"] for g in m["graphs"]]
    total = sum(sizes.values())
    return (
        "## Files\n\n"
        + table(["graph", "file", "weights", "bytes"], rows)
        + f"\n{total / 1e6:.2f} MB in all, opset {m['opset']}.\n"
    )


def data(m: dict, sources: dict[str, str]) -> str:
    steps = [*(b["data"] for b in m.get("before", [])), m["data"]]
    used = [(str(i + 1), d) for i, sets in enumerate(steps) for d in sets]
    used += [("validation", d) for d in m["validation_data"]]
    uses: dict[str, list[str]] = {}
    for use, d in used:
        uses.setdefault(d["manifest_sha256"], []).append(use)
    once = {d["manifest_sha256"]: d for _, d in used}
    names = ["data set", "for training", "trips", "networks", "kept", "seed", "SHA-256 of its manifest"]
    told = sorted({sources[d["name"]] for d in m["data"] + m["validation_data"] if sources.get(d["name"])})
    lines = ["A trip counts once for each way of thinning.", all_networks(list(once.values()))]
    rows = [data_set(d, ", ".join(uses[digest])) for digest, d in once.items()]
    return "## Data\n\n" + table(names, rows) + "\n" + "\n".join([*lines, *told]) + "\n"


def data_set(d: dict, uses: str) -> list[str]:
    """The row of a data set that trainings used, by their numbers."""
    kinds = " and ".join(f"{n:,} {kind}" for kind, n in sorted(d["kinds"].items()))
    networks = ", ".join(n["name"] for n in d["networks"])
    if len(d["networks"]) > FEW_NETWORKS:
        networks = f"{len(d['networks'])} of those below"
    seed, digest = str(d["settings"].get("seed", "")), f"`{d['manifest_sha256'][:12]}`"
    return [d["name"], uses, kinds, networks, kept(d), seed, digest]


def all_networks(sets: list[dict]) -> str:
    """The networks of data sets with their fingerprints: some stand with tags and without."""
    prints: dict[str, list[str]] = {}
    for fingerprint, name in checkpoint.networks_of(sets).items():
        prints.setdefault(name, []).append(f"`{fingerprint[:8]}`")
    told = ", ".join(f"{name} ({', '.join(of)})" for name, of in sorted(prints.items()))
    return f"Networks, © OpenStreetMap contributors, ODbL 1.0, with and without tags: {told}."


def kept(d: dict) -> str:
    """How the trips of a data set were thinned."""
    ways = []
    for k in d["settings"].get("keep", []):
        low, high = (round(k.get(x, 0) / 1e9) for x in ("Min", "Max"))
        share = f"1/{1 / k['Ratio']:.3g}" if k.get("Ratio") else ""
        ways.append(share or (f"{low} s" if low == high else f"{low} to {high} s"))
    return ", ".join(ways)


def training(m: dict, runs: list[dict]) -> str:
    figures = [name for name in FIGURES if all(name in r["figures"] for r in runs)]
    rows = [
        [FIGURES[f], *[number(r["figures"][f]) for r in runs], spread([r["figures"][f] for r in runs])]
        for f in figures
    ]
    names = ["on validation trips", *[f"seed {r['seed']}" for r in runs], "mean ± standard deviation"]
    took = ", ".join(f"seed {r['seed']}: {r['epochs']} epochs, {r['seconds'] / 60:.0f} minutes" for r in runs)
    return (
        "## Training\n\n"
        f"{took}; on {m['hardware']}. The best epoch by loss on the validation trips is kept"
        f" (seed {m['training']['seed']}, epoch {m['trained_epochs']}). "
        f"Hidden in this share of batches: {', '.join(f'{k} {v:.0%}' for k, v in m['training']['drop'].items())}.\n"
        + earlier(m)
        + "\n"
        + table(names, rows)
    )


def earlier(m: dict) -> str:
    """The trainings that the weights were begun with, and what this one left as it was."""
    took = [
        f"{i}: {b['epochs']} epochs in {b['seconds'] / 60:.0f} minutes"
        for i, b in enumerate(m.get("before", []), 1)
    ]
    text = f"It is training {len(took) + 1}. Before it, {'; '.join(took)}.\n" if took else ""
    if kept := m["training"].get("frozen"):
        text += f"What stayed as those had left it: {', '.join(kept)}.\n"
    return text


def evaluations(reports: dict[str, dict]) -> str:
    text = "## Evaluation\n\nOf `retrace evaluate`, in the paper's reading, with 95 % ranges over trips"
    text += "; a difference is that of the two methods on the same trips.\n\n"
    rows = []
    for name, r in reports.items():
        for result in r["results"]:
            rows.append([name, result["method"], result["keep"], str(result["trips"]), *cells(result, "")])
        for d in r.get("differences", []):
            rows.append([name, f"{d['method']} less {d['against']}", d["keep"], "", *cells(d, "+")])
    return text + table(["set", "method", "kept", "trips", "F1", "accuracy", "MAE, m", "RMSE, m"], rows)


def scored(report: dict) -> str:
    """What programs of others say: of drives in places of all the world, and of points that were hidden."""
    text = (
        "Of `tools/score`, with 95 % ranges over places where these are told apart; MAE is great-circle.\n\n"
    )
    rows = []
    for result in report["results"]:
        found = {f["name"]: f for f in result["figures"]}
        cells = [plain(found[k]) if k in found else "" for k in ("F1", "great-circle MAE")]
        rows.append([result["keep"], str(result["trips"]), *cells])
    return "## Scored by programs of others\n\n" + text + table(["set", "trips", "F1", "MAE, m"], rows)


def plain(f: dict) -> str:
    """A figure with its range, where there is one."""
    return ranged(f) if f["low"] < f["high"] else number(f["value"])


def cells(result: dict, sign: str) -> list[str]:
    found = {f["name"]: f for f in result["figures"] if f["section"] == "paper"}
    return [ranged(found[k], sign) for k in ("F1", "accuracy", "MAE", "RMSE")]


def failures(reports: dict[str, dict]) -> str:
    """The groups of hidden ticks with the largest errors, and the stretches near elevated roads."""
    worst, elevated = [], []
    for name, r in reports.items():
        for result in (x for x in r["results"] if x["method"] != "hmm"):
            for f in result["figures"]:
                if f["section"] in ("gap", "class") and f["name"] == "MAE" and f["n"] >= FEW:
                    worst.append((f["value"], [name, result["keep"], f["group"], f"{f['n']:,}", ranged(f)]))
            found = {f["name"]: f for f in result["figures"] if f["section"] == "elevated"}
            if "SR%80" in found:
                row = [ranged(found[k]) if k in found else "" for k in ("SR%80", "SR%80 of the path driven")]
                elevated.append([name, result["keep"], str(found["SR%80"]["n"]), *row])
    worst.sort(key=lambda w: -w[0])
    text = "## Where it fails\n\nThe groups of ticks with the largest errors:\n\n"
    text += table(["set", "kept", "gap or class", "ticks", "MAE, m"], [w[1] for w in worst[:WORST]])
    if elevated:
        text += "\nStretches on or near elevated roads of which 80 % are right, by the segments at their ticks as in the paper,"
        text += " and by the path driven on them, at whatever time:\n\n"
        text += table(["set", "kept", "stretches", "SR%80", "of the path driven"], elevated)
    return text


def ranged(f: dict, sign: str = "") -> str:
    form = f"{sign}.{1 if f['unit'] == 'm' else 3}f"
    return f"{f['value']:{form}} ({f['low']:{form}} to {f['high']:{form}})"


def number(x: float) -> str:
    return f"{x:.1f}" if abs(x) >= 10 else f"{x:.3f}"


def spread(values: list[float]) -> str:
    """The mean of runs and, where there are several, their standard deviation."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return f"{number(mean)} (one seed)"
    return f"{number(mean)} ± {math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)):.3f}"


def table(names: list[str], rows: list[list[str]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def of_run(folder: Path) -> dict:
    """What the best checkpoint and the log of a training say."""
    state = checkpoint.read(folder / "best.pt")
    epochs = [
        line
        for line in map(json.loads, (folder / "log.jsonl").read_text().splitlines())
        if "validation" in line
    ]
    return {
        "seed": state["settings"]["training"]["seed"],
        "figures": state["figures"],
        "epochs": epochs[-1]["epoch"],
        "seconds": epochs[-1]["seconds"],
    }


def main() -> None:
    p = argparse.ArgumentParser(description="Write the card of a bundle.")
    p.add_argument("bundle", type=Path)
    p.add_argument("--runs", type=Path, nargs="+", required=True, help="folders of trainings, one a seed")
    p.add_argument(
        "--evaluations", type=Path, nargs="*", default=[], help="reports of retrace evaluate --json"
    )
    p.add_argument("--scores", type=Path, help="report of tools/score -json")
    p.add_argument("--table", type=Path, help="table of data sets, which tells their sources")
    args = p.parse_args()
    manifest = json.loads((args.bundle / "manifest.json").read_text())
    sizes = {g["file"]: (args.bundle / g["file"]).stat().st_size for g in manifest["graphs"]}
    reports = {r.stem: json.loads(r.read_text()) for r in args.evaluations}
    sources = {d.name: d.source for d in plan.read(args.table).sets} if args.table else {}
    scores = json.loads(args.scores.read_text()) if args.scores else None
    text = card(manifest, sizes, [of_run(r) for r in args.runs], reports, sources, scores)
    (args.bundle / "MODEL_CARD.md").write_text(text)


if __name__ == "__main__":
    main()
