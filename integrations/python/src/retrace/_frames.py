"""Data frames of several libraries as Arrow tables, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from .errors import RetraceError

Back = Callable[[pa.Table], Any]


def to_arrow(frame: Any, lon: str, lat: str) -> tuple[pa.Table, Back]:
    """A frame as a table, and what makes such a frame of a table."""
    if isinstance(frame, pa.Table):
        return frame, lambda t: t
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]), lambda t: t
    module = type(frame).__module__.split(".")[0]
    if module == "geopandas":
        return _geopandas(frame, lon, lat)
    if module == "pandas":
        return pa.Table.from_pandas(frame, preserve_index=False), lambda t: t.to_pandas()
    if module == "polars":
        import polars

        if isinstance(frame, polars.LazyFrame):
            frame = frame.collect()
        return frame.to_arrow(), polars.from_arrow
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.table(frame), lambda t: t
    raise RetraceError(f"a {type(frame).__name__} is no frame that can be read: want pandas, Polars, PyArrow or GeoPandas")


def _geopandas(frame: Any, lon: str, lat: str) -> tuple[pa.Table, Back]:
    """Points as longitudes and latitudes, and back. A frame without a coordinate system is WGS 84."""
    import geopandas

    points = frame.geometry
    if frame.crs is not None:
        points = points.to_crs(4326)
    plain = frame.drop(columns=frame.geometry.name).assign(**{lon: points.x, lat: points.y})

    def back(t: pa.Table) -> Any:
        out = t.to_pandas()
        if "lon" not in out:
            return out
        return geopandas.GeoDataFrame(out.drop(columns=["lon", "lat"]), geometry=geopandas.points_from_xy(out["lon"], out["lat"]), crs=4326)

    return pa.Table.from_pandas(plain, preserve_index=False), back
