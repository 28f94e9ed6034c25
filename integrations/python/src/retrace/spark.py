"""Recovery on Spark: one long-lived process of Retrace for each task.

    import retrace.spark
    points = retrace.spark.recover(trips, "porto.network")

The rows of a trip are brought together (by a shuffle, or not at all where a trip is one row
with lists), go through mapInArrow to a process on the same machine, and come back as rows.
Nothing but the network is shipped; the program is in the package, or RETRACE_BINARY names
it on the workers."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import SparkFiles
from pyspark.accumulators import Accumulator
from pyspark.sql import DataFrame, SparkSession, functions as F
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import ArrayType

from ._network import Network, network_of
from ._stream import INPUT, Options, Stream, schema_of
from .errors import Refused, RetraceError, TripError


class Counts:
    """What tasks have done so far: trips, refused trips and seconds beside the program.

    They grow while a job runs. Spark adds those of a task once where the recovery is read by an
    action, and again where it is read again or a task is run twice: look at them, count by the
    rows."""

    def __init__(self, spark: SparkSession) -> None:
        zero = spark.sparkContext.accumulator
        self.trips: Accumulator[int] = zero(0)
        self.refused: Accumulator[int] = zero(0)
        self.seconds: Accumulator[float] = zero(0.0)

    def __repr__(self) -> str:
        return f"{self.trips.value} trips, {self.refused.value} refused, {self.seconds.value:.1f} s"


def recover(
    frame: DataFrame,
    network: Network | str | os.PathLike[str],
    *,
    id: str = "id",
    time: str = "time",
    lon: str = "lon",
    lat: str = "lat",
    method: str = "rntrajrec",
    layer: str | Sequence[str] = "points",
    tick: float = 15.0,
    threads: int = 1,
    errors: str = "report",
    partitions: int | None = None,
    batch_bytes: int = 4 << 20,
    counts: Counts | None = None,
    **options: Any,
) -> DataFrame:
    """Recovers the trips of a data frame; see retrace.recover for rows, columns, layers and
    methods. `threads` are those of each task.

    The network goes to the workers by SparkContext.addFile; each task checks that it has the
    fingerprint of the driver's. The program, the method and the model are tried on the driver
    before the job begins. `partitions` is how many the shuffle makes (else as Spark is set):
    some thousand trips in each, as the model warms up over the first hundreds. `batch_bytes`
    is about how much goes to the process at once.

    With `errors="report"` a trip that cannot be recovered is a row whose status is refused; with
    `"raise"` it fails its task. A process that ends fails its task, which Spark tries again. Tasks
    that run twice give the same rows: trips come in the order of their id, points in that of their
    time and place."""
    spark = frame.sparkSession
    net = network_of(network)
    flat = isinstance(layer, str)
    given = Options(network=net.path, method=method, tick=tick, threads=threads, table=layer if flat else "", layers=() if flat else tuple(layer), **options)
    schema = schema_of(given)
    if schema.metadata[b"retrace:network_fingerprint"].decode() != net.fingerprint:
        raise RetraceError(f"{net.path} was changed while it was looked at")
    shipped = f"{net.fingerprint[:16]}-{Path(net.path).name}"
    _ship(spark, net.path, shipped)
    task = _Task(given, shipped, net.fingerprint, errors == "raise", batch_bytes, counts)
    rows = _together(frame, (id, time, lon, lat), partitions)
    return rows.mapInArrow(task, from_arrow_schema(_plain(schema)))


def _plain(schema: pa.Schema) -> pa.Schema:
    """A schema without its metadata, which rows do not carry."""
    return schema.remove_metadata()


def _ship(spark: SparkSession, path: str, name: str) -> None:
    """Sends a file to all workers, once, under a name that tells its content."""
    import shutil
    import tempfile

    if any(os.path.basename(p) == name for p in spark.sparkContext.listFiles):
        return
    folder = tempfile.mkdtemp(prefix="retrace-ship-")
    try:
        os.link(path, os.path.join(folder, name))
    except OSError:
        shutil.copyfile(path, os.path.join(folder, name))
    spark.sparkContext.addFile(os.path.join(folder, name))


def _together(frame: DataFrame, columns: Sequence[str], partitions: int | None) -> DataFrame:
    """The four columns, with the rows of each trip together and in one order."""
    if missing := [c for c in columns if c not in frame.columns]:
        raise RetraceError(f"there is no column {missing[0]!r}; there are {', '.join(frame.columns)}. Name yours by id=, time=, lon= and lat=")
    rows = frame.select([F.col(c).alias(name) for c, name in zip(columns, INPUT)])
    if isinstance(rows.schema["time"].dataType, ArrayType):
        return rows if partitions is None else rows.repartition(partitions)
    by = [F.col("trajectory")]
    rows = rows.repartition(*([partitions, *by] if partitions else by))
    return rows.sortWithinPartitions(*[F.col(c) for c in INPUT])


class _Task:
    """What a task does with its batches. It travels to the workers."""

    def __init__(self, options: Options, shipped: str, fingerprint: str, strict: bool, batch_bytes: int, counts: Counts | None) -> None:
        self.options, self.shipped, self.fingerprint = options, shipped, fingerprint
        self.strict, self.batch_bytes = strict, batch_bytes
        self.counts = (counts.trips, counts.refused, counts.seconds) if counts else None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        first = next(batches, None)
        if first is None:  # an empty partition needs no process
            return
        network = Network(SparkFiles.get(self.shipped))
        if network.fingerprint != self.fingerprint:
            raise RetraceError(f"the network on this worker is {network.fingerprint}, the driver's is {self.fingerprint}")
        began = clock.monotonic()
        options = Options(**{**self.options.__dict__, "network": network.path})
        with Stream(options) as stream:
            schema = _plain(stream.schema)
            for answer in stream.answer(sized(_chain(first, batches), self.batch_bytes)):
                self._look(answer)
                yield pa.RecordBatch.from_arrays(answer.columns, schema=schema)
        if self.counts:
            self.counts[2].add(clock.monotonic() - began)

    def _look(self, answer: pa.RecordBatch) -> None:
        """Counts trips, and raises the refused ones where that is wanted."""
        bad = answer.filter(pc.equal(answer["status"], "refused"))
        if bad.num_rows and self.strict:
            raise TripError([Refused(str(t), r) for t, r in zip(bad["input"].to_pylist(), bad["reason"].to_pylist())])
        if self.counts:
            self.counts[0].add(len(pc.unique(answer["trajectory"])))
            self.counts[1].add(bad.num_rows)


def _chain(first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield first
    yield from rest


def sized(batches: Iterator[pa.RecordBatch], most: int) -> Iterator[pa.RecordBatch]:
    """Cuts batches that take more bytes into smaller ones."""
    for batch in batches:
        rows = max(1, batch.num_rows * most // max(1, batch.nbytes))
        for at in range(0, max(1, batch.num_rows), rows):
            yield batch.slice(at, rows)


def links(drives: DataFrame) -> DataFrame:
    """Counts and speeds by road segment of drives (`layer="links"`): the columns of
    `retrace recover --links`. Speeds are empty where no drive tells one."""
    timed = F.col("speed_kmh").isNotNull()
    return (
        drives.where(F.col("segment").isNotNull())
        .groupBy("segment")
        .agg(
            F.first("way").alias("way"), F.first("from_node").alias("from_node"), F.first("to_node").alias("to_node"),
            F.countDistinct("trajectory").alias("trips"),
            (F.sum(F.when(timed, F.col("driven_m"))) / F.sum(F.when(timed, F.col("millis"))) * 3600).alias("mean_speed_kmh"),
            F.percentile("speed_kmh", 0.15).alias("p15_speed_kmh"), F.percentile("speed_kmh", 0.85).alias("p85_speed_kmh"),
        )
    )
