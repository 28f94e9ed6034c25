"""Writes docs/results.md and its plots from committed logs alone: python -m rntrajrec.systems.page

No figure is written by hand: a row without a log is told as not run. The paper's figures come from
configs/systems-paper.toml.
"""

import argparse
import json
import tomllib
from pathlib import Path

from rntrajrec.ablate import spread
from rntrajrec.card import table as lines_of
from rntrajrec.pipeline import write
from rntrajrec.systems import plots
from rntrajrec.systems import table as table_
from rntrajrec.systems.logs import Logs
from rntrajrec.systems.table import Bench, Group, Table

FIGURES = {"recall": 3, "precision": 3, "F1": 3, "accuracy": 3, "MAE": 1, "RMSE": 1}
PAPER = tuple(FIGURES)
BESIDE = ("F1", "accuracy", "MAE", "RMSE")
SR = ("SR%90", "SR%80", "SR%70", "SR%60", "SR%50")
NOT_RUN = "not run"
CANNOT = "cannot"
OURS = ("universal", "ticks", "routes", "builtin")  # systems whose weights hold in any city


def page(table: Table, logs: Logs, paper: dict, efficiency: dict | None, drawn: dict | None) -> str:
    parts = [top(table, logs)]
    for group in table.groups:
        parts.append(f"## {group.name}\n\n" + (f"{group.about}\n\n" if group.about else ""))
        parts += [section(table, logs, paper, group, table.bench(name)) for name in group.benches]
    parts.append(robustness(table, logs, paper))
    parts.append(costs(table, efficiency))
    parts.append(curves(logs))
    parts.append(case(drawn))
    return "\n".join(parts)


def top(table: Table, logs: Logs) -> str:
    wanted = {
        (b, r)
        for g in table.groups
        for b in g.benches
        for r in g.rows
        if table.can(table.row(r), table.bench(b))
    }
    s, b = table.sizes, table.budget
    machines = sorted({log.head["hardware"] for found in logs.found.values() for log in found})
    commits = sorted({log.head["commit"][:12] for found in logs.found.values() for log in found})
    run = [len(logs.of(bench, row)) for bench, row in wanted]
    once = sum(n > 0 for n in run)
    asked = [len(table.seeds_of(table.row(row))) for _, row in wanted]
    wholly = sum(n >= m for n, m in zip(run, asked, strict=True))
    return f"""# The paper's tables, made again

Made by `python -m rntrajrec.systems.page` from the logs in `training/results/systems`; nothing on this page
is written by hand. {once} of {len(wanted)} rows of these tables have been run, {wholly} of them with all seeds.
`make results` goes on with them, and training/README.md says how to train any one row.

Small, and the same for all rows that learn: states of {s.d} (the paper: 512), {b.steps} steps of {b.batch} trips with Adam,
whose rate rises to {b.rate:g} and falls along a cosine, stopped early after {b.patience} validations without a better one,
{b.every} steps apart; sub-graphs of the {s.sub} nearest segments in the paper's form, and of 64 in the application's. So the
figures say how the systems stand to each other on little data and little time; they do not say how they would
stand with the paper's 105,000 trips and 512 states. Tables with a row for each segment learn slowly from few trips.

Figures are those of the paper's text (docs/evaluation.md has both readings), over all ticks of the test trips, means
over seeds ± standard deviation; the accuracy where hidden is over ticks without a sample alone, the others are
mostly told by the mask. Scored by `tools/systems`, which knows nothing of how a row was recovered.
{f"Run on {'; '.join(machines)}; commits {', '.join(f'`{c}`' for c in commits)}." if machines else ""}

RNTrajRec's city form is the paper's: it has a row for each segment in its tables, and like all systems with the
paper's decoder it leaves every segment open at a tick without a sample. Its universal form has no table of the city:
a segment is scored by X_road and by how it is reached, over what the generalised mask leaves (`--decoder ticks`),
and the search keeps beams. The row with routes has the same encoder under the decoder that the application prefers.
Both are trained by `rntrajrec.train` on as many trips, and recovered by the application. Those that learn elsewhere
too take, within the same steps, two trips of three from 23 other networks, none of which is on this page: simulated ones,
most of them cut at random so that they begin and end in mid drive, half of them by drivers steadier than taxis.
Map matching and the model of Retrace are the application as it comes; the model was trained on many more trips, of
Porto among others, and never saw the other cities of this page. The truth of Porto is the map matching of the dense
trips, so it shares the habits of map matching where samples lie between two roads. A row that cannot be run on a place
has tables that belong to another.

The paper's own data cannot be had, nor more real trips of Porto with a licence than the 13,490 that are used here.
"""


def section(table: Table, logs: Logs, paper: dict, group: Group, bench: Bench) -> str:
    told = f"### {group.name}: {bench.name}\n\n{bench.differs}\n\n"
    reference = paper.get(bench.paper + (" ablations" if group.name == "Ablations" else ""), {})
    names = [
        "row",
        "seeds",
        *FIGURES,
        "accuracy where hidden",
        "weights",
        *(f"paper: {f}" for f in BESIDE if reference),
    ]
    lines = []
    for name in group.rows:
        row = table.row(name)
        found = logs.of(bench.name, name)
        line = [name, str(len(found)) if found else NOT_RUN if table.can(row, bench) else CANNOT]
        for figure, digits in FIGURES.items():
            line.append(spread(logs.figures(bench.name, name, "paper", figure), digits))
        line.append(spread(logs.figures(bench.name, name, "hidden", "accuracy"), 3))
        line.append(f"{found[0].head['weights']:,}" if found and found[0].head["weights"] else "")
        if reference:
            printed = dict(zip(PAPER, reference.get(row.paper, ()), strict=False))
            line += [f"{printed[f]:.{FIGURES[f]}f}" if printed else "" for f in BESIDE]
        lines.append(line)
    text = (
        behind(table, logs, group, bench)
        if group.name.startswith("Systems")
        else apart(table, logs, reference, group, bench)
    )
    return told + lines_of(names, lines) + text + "\n"


def apart(table: Table, logs: Logs, reference: dict, group: Group, bench: Bench) -> str:
    """By how much each row differs from the first, and by how much it does in the paper."""
    text, first = "", group.rows[0]
    for name in group.rows[1:]:
        differences = []
        for figure in ("F1", "accuracy", "MAE"):
            own, base = (logs.mean(bench.name, n, "paper", figure) for n in (name, first))
            if own is None or base is None:
                continue
            told = f"{figure} {own - base:+.{FIGURES[figure]}f}"
            printed = [reference.get(table.row(n).paper) for n in (name, first)]
            if all(printed):
                of_paper = printed[0][PAPER.index(figure)] - printed[1][PAPER.index(figure)]
                told += f" (the paper: {of_paper:+.{FIGURES[figure]}f})"
            differences.append(told)
        if differences:
            text += f"- **{name}** beside {first}: {', '.join(differences)}.\n"
    if text and len(logs.of(bench.name, first)) == 1:
        text += "- With one seed, differences as small as those between seeds mean nothing.\n"
    return "\n" + text if text else ""


def behind(table: Table, logs: Logs, group: Group, bench: Bench) -> str:
    """Where the forms that run in any city are behind another row, and where not; and which rows needed more steps."""
    text = ""
    others = [n for n in group.rows if table.row(n).system not in OURS]
    for name in group.rows:
        if table.row(name).system not in OURS or not logs.of(bench.name, name):
            continue
        for figure, least in (("F1", False), ("accuracy", False), ("MAE", True)):
            own = logs.mean(bench.name, name, "paper", figure)
            rest = {n: logs.mean(bench.name, n, "paper", figure) for n in others}
            rest = {n: v for n, v in rest.items() if v is not None}
            ahead = [n for n, v in rest.items() if (v < own if least else v > own)]
            if not rest:
                continue
            told = f"behind {', '.join(ahead)}"
            if not ahead:
                best = (min if least else max)(rest, key=rest.get)
                by = f"{abs(own - rest[best]):.{FIGURES[figure] + 1}f}"
                told = f"ahead of all {len(rest)} other rows that were run, of {best} by {by}"
            text += f"- **{name}**, {figure}: {told}.\n"
    unfinished = [n for n in group.rows if any(log.unfinished() for log in logs.of(bench.name, n))]
    if unfinished:
        text += (
            f"- Still getting better on validation trips when their steps ended: {', '.join(unfinished)}.\n"
        )
    return "\n" + text if text else ""


def robustness(table: Table, logs: Logs, paper: dict) -> str:
    text = "## Robustness: stretches on or near elevated roads\n\nSR%k is the share of stretches whose F1 exceeds k %."
    text += " The paper has it of Chengdu x8.\n"
    reference = paper.get("Chengdu x8 SR", {})
    names = [n for g in table.groups[:1] for n in g.rows]
    for bench in table.benches:
        lines = []
        for name in names:
            found = [logs.figures(bench.name, name, "elevated", k) for k in SR]
            if not any(found):
                continue
            printed = reference.get(table.row(name).paper, [])
            lines.append([name, *(spread(v, 3) for v in found), *(f"{v:.3f}" for v in printed)])
        if lines:
            columns = ["row", *SR, *(f"paper: {k}" for k in SR)]
            lines = [line + [""] * (len(columns) - len(line)) for line in lines]
            text += f"\n### {bench.name}\n\n" + lines_of(columns, lines)
    return text


def costs(table: Table, efficiency: dict | None) -> str:
    text = "## Efficiency\n\nSeconds of one processor for a thousand trips of a test set, weights, and the most memory that"
    text += " the process held, in one run on one device; without what is made once for a city (X_road).\n\n"
    if efficiency is None:
        return text + f"{NOT_RUN.capitalize()}: `python -m rntrajrec.systems.efficiency`.\n"
    text += f"{efficiency['bench']}, {efficiency['hardware']}, commit `{efficiency['commit'][:12]}`.\n\n"
    lines = [
        [name, f"{r['seconds']:.1f}", f"{r['weights']:,}" if r["weights"] else "", f"{r['memory']:.0f}"]
        for name, r in ((n, efficiency["rows"].get(n)) for n in table.groups[0].rows)
        if r
    ]
    return text + lines_of(["row", "s for 1,000 trips", "weights", "memory, MB"], lines)


def curves(logs: Logs) -> str:
    if not logs.found:
        return ""
    return """## Plots

![F1 and accuracy of each row beside the paper's](results/systems.svg)

![The loss L_id on validation trips by step](results/curves.svg)
"""


def case(drawn: dict | None) -> str:
    text = "## Case study\n\n"
    if drawn is None:
        return text + f"{NOT_RUN.capitalize()}: `python -m rntrajrec.systems.case`.\n"
    text += (
        f"{drawn['bench']}, test trip {drawn['trip']}: the one with most ticks on elevated roads, drawn by"
    )
    text += f" `retrace render`. A point a tick; commit `{drawn['commit'][:12]}`.\n"
    return text + "".join(f"\n{n}:\n\n![{n}](results/case/{p}.png)\n" for p, n in drawn["pictures"].items())


def kept(logs: Path, name: str) -> dict | None:
    """What was measured once for all rows, if it was."""
    path = logs / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def main() -> None:
    p = argparse.ArgumentParser(description="Write the page of results from logs.")
    p.add_argument("--table", type=Path, default=Path("configs/systems.toml"))
    p.add_argument("--paper", type=Path, default=Path("configs/systems-paper.toml"))
    p.add_argument("--logs", type=Path, default=Path("results/systems"))
    p.add_argument("--page", type=Path, default=Path("../docs/results.md"))
    p.add_argument(
        "--no-plots", action="store_true", help="leave the plots as they are: they need matplotlib"
    )
    args = p.parse_args()
    table = table_.read(args.table)
    logs, paper = Logs(args.logs, table), tomllib.loads(args.paper.read_text())
    folder = args.page.parent / "results"
    if not args.no_plots and logs.found:
        plots.draw(table, logs, paper, folder)
    write(args.page, page(table, logs, paper, kept(args.logs, "efficiency"), kept(args.logs, "case")))


if __name__ == "__main__":
    main()
