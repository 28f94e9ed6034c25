"""Recovery of whole frames."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from ._frames import to_arrow
from ._network import Network, network_of
from ._stream import INPUT, Options, Stream
from .errors import Refused, RetraceError, TripError

Errors = Literal["raise", "report"]


def recover(
    frame: Any,
    network: Network | str | os.PathLike[str],
    *,
    id: str = "id",
    time: str = "time",
    lon: str = "lon",
    lat: str = "lat",
    method: str = "rntrajrec",
    layer: str | Sequence[str] = "points",
    tick: float = 15.0,
    threads: int = 0,
    errors: Errors = "raise",
    batch_rows: int = 20_000,
    **options: Any,
) -> Any:
    """Recovers the trips of a frame: pandas, Polars, PyArrow or GeoPandas, and gives one of
    the same kind.

    The frame has one row a point, in any order, or one row a trip with lists. Times are
    timestamps (without a zone: UTC) or whole milliseconds since 1970. `layer` is what is
    wanted, as one table: points, path, spans, gaps or links; or several of them, which come
    as lists with one row a trip. `method` is rntrajrec (the model) or hmm; nothing is
    chosen silently, and each row says it. `tick` is in seconds, `threads` 0 is one a core.

    Where trips cannot be recovered, `errors="raise"` raises TripError, which names them;
    `errors="report"` has a row for each whose `status` is refused, with the `reason`.
    StreamError says that the program ended. Further options are those of Options."""
    table, back = to_arrow(frame, lon, lat)
    flat = isinstance(layer, str)
    given = Options(network=network_of(network).path, method=method, tick=tick, threads=threads, table=layer if flat else "", layers=() if flat else tuple(layer), **options)
    rows = input_table(table, (id, time, lon, lat))
    with Stream(given) as stream:
        answers = pa.Table.from_batches(list(stream.answer(rows.to_batches(max_chunksize=batch_rows))), stream.schema)
    if errors == "raise" and (refused := refused_of(answers)):
        raise TripError(refused)
    return back(answers)


def input_table(table: pa.Table, columns: Sequence[str]) -> pa.Table:
    """The columns that the program looks at, the rows of a trip together."""
    if missing := [c for c in columns if c not in table.column_names]:
        raise RetraceError(f"there is no column {missing[0]!r}; there are {', '.join(table.column_names)}. Name yours by id=, time=, lon= and lat=")
    table = table.select(list(columns)).rename_columns(list(INPUT))
    if not is_list(table.schema.field("time").type):
        table = table.sort_by([("trajectory", "ascending"), ("time", "ascending")])
    return table.replace_schema_metadata(None)


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is one of lists."""
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def refused_of(answers: pa.Table) -> list[Refused]:
    """The trips that were refused."""
    bad = answers.filter(pc.equal(answers["status"], "refused"))
    return [Refused(str(trip), reason) for trip, reason in zip(bad["input"].to_pylist(), bad["reason"].to_pylist())]


def links(frame: Any, network: Network | str | os.PathLike[str], *, lon: str = "lon", lat: str = "lat", **options: Any) -> Any:
    """Counts and speeds by road segment, as `retrace recover --links` writes them. It takes what
    recover takes, and gives a frame of the same kind."""
    table, back = to_arrow(frame, lon, lat)
    drives = recover(table, network, lon=lon, lat=lat, layer="links", **options)
    return back(pa.Table.from_pylist(list(_sums(drives)), schema=_LINKS))


_LINKS = pa.schema([("segment", pa.int64()), ("way", pa.int64()), ("from_node", pa.int64()), ("to_node", pa.int64()), ("trips", pa.int64()),
                    ("mean_speed_kmh", pa.float64()), ("p15_speed_kmh", pa.float64()), ("p85_speed_kmh", pa.float64())])


def _sums(drives: pa.Table) -> Iterator[dict[str, Any]]:
    """Sums up the drives over each segment."""
    drives = drives.filter(pc.is_valid(drives["segment"])).sort_by("segment")
    columns = [drives[c].to_pylist() for c in ("segment", "way", "from_node", "to_node", "trajectory", "driven_m", "millis", "speed_kmh")]
    rows = list(zip(*columns))
    begin = 0
    for i in range(len(rows) + 1):
        if i < len(rows) and rows[i][0] == rows[begin][0] or i == begin:
            continue
        timed = [r for r in rows[begin:i] if r[7] is not None]
        speeds = sorted(r[7] for r in timed)
        yield {
            "segment": rows[begin][0], "way": rows[begin][1], "from_node": rows[begin][2], "to_node": rows[begin][3],
            "trips": len({r[4] for r in rows[begin:i]}),
            "mean_speed_kmh": sum(r[5] for r in timed) / sum(r[6] for r in timed) * 3600 if timed else None,
            "p15_speed_kmh": _quantile(speeds, 0.15), "p85_speed_kmh": _quantile(speeds, 0.85),
        }
        begin = i


def _quantile(values: list[float], share: float) -> float | None:
    """The value at a share of sorted ones, between neighbours."""
    if not values:
        return None
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])
