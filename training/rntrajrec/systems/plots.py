"""The plots of docs/results.md, as SVG. The same logs make the same bytes."""

from pathlib import Path

from rntrajrec.systems.logs import Logs
from rntrajrec.systems.table import Bench, Table


def draw(table: Table, logs: Logs, paper: dict, folder: Path) -> None:
    """Writes systems.svg and curves.svg."""
    import matplotlib  # of this command only: training does without it

    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "retrace",
            "svg.fonttype": "none",
            "font.size": 8,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    benches = [b for b in table.benches if any(bench == b.name for bench, _ in logs.found)]
    save(systems(pyplot, table, logs, paper, benches), folder / "systems.svg")
    save(curves(pyplot, logs, benches), folder / "curves.svg")
    pyplot.close("all")


def save(figure, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")


def systems(pyplot, table: Table, logs: Logs, paper: dict, benches: list[Bench]):
    """F1 and accuracy of each row, ours as bars and the paper's as dots."""
    names = [n for n in table.groups[0].rows if any(logs.of(b.name, n) for b in benches)]
    figure, axes = pyplot.subplots(
        len(benches), 2, figsize=(9, 0.6 + 0.27 * len(names) * len(benches)), squeeze=False
    )
    for line, bench in zip(axes, benches, strict=True):
        for axis, name, column in zip(line, ("F1", "accuracy"), (2, 3), strict=True):
            means = [logs.mean(bench.name, n, "paper", name) for n in names]
            values = [float("nan") if m is None else m for m in means]
            axis.barh(range(len(names)), values, color="#4c78a8", height=0.6)
            printed = [paper.get(bench.paper, {}).get(table.row(n).paper) for n in names]
            dots = [(p[column], i) for i, p in enumerate(printed) if p]
            axis.plot([d[0] for d in dots], [d[1] for d in dots], "o", color="#f58518", label="paper")
            axis.set_yticks(range(len(names)), names if name == "F1" else [""] * len(names))
            axis.invert_yaxis()
            axis.set_xlim(0, 1)
            axis.set_title(f"{bench.name}: {name}")
            if dots:
                axis.legend(frameon=False, loc="lower right")
    figure.tight_layout()
    return figure


def curves(pyplot, logs: Logs, benches: list[Bench]):
    """L_id on validation trips by step of each row that has the paper's loss."""
    figure, axes = pyplot.subplots(1, len(benches), figsize=(4.5 * len(benches) + 2, 3.2), squeeze=False)
    for axis, bench in zip(axes[0], benches, strict=True):
        for (where, name), found in logs.found.items():
            points = [(v["step"], v["validation"]["id"]) for v in found[0].validations if "step" in v]
            if where == bench.name and points and found[0].head["system"] != "dhtr":
                axis.plot(*zip(*points, strict=True), label=name, linewidth=1)
        axis.set_title(f"{bench.name}: L_id on validation trips")
        axis.set_xlabel("step")
    if axes[0][-1].lines:
        axes[0][-1].legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return figure
