"""Tries Retrace on a standalone cluster of Spark, and writes docs/spark.md.

usage: cluster.py RETRACE DATA FOLDER PAGE [POINTS]; PAGE may be -

Trips of Porto as Parquet are recovered by a cluster of two workers of one core each, and by
the plain program; the rows must be the same. Then things go wrong: a worker and a process are
killed, trips are bad, memory runs out, the network is another one. Without POINTS it is a
million points. What was done is kept in FOLDER, and a run that was
stopped goes on behind it."""

import datetime
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
import json
from pathlib import Path

import numpy
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet as pq
import pyspark
from pyspark.sql import SparkSession
from processes import Cluster, Watch, peak, processor, streams

import retrace
import retrace.spark

RETRACE, DATA, FOLDER, PAGE = Path(sys.argv[1]).absolute(), Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4])
POINTS = int(sys.argv[5]) if len(sys.argv) > 5 else 1_000_000
ROW = ["trajectory", "time", "lon", "lat", "observed", "segment", "way", "from_node", "to_node", "ratio", "probability", "layer", "deck"]
figures: dict[str, object] = {}


def say(text: str) -> None:
    print(f"{datetime.datetime.now(datetime.timezone.utc):%H:%M:%S} {text}", flush=True)


def make_trips(folder: Path) -> int:
    """Writes trips as eight Parquet files, points of a trip scattered over them: trips of the
    file, and the same again a few metres away until there are enough."""
    import csv
    import gzip

    trips = []
    with gzip.open(DATA / "trajectories" / "porto_trips.csv.gz", "rt") as f:
        for r in csv.DictReader(f):
            line = json.loads(r["POLYLINE"])
            if len(line) > 1:
                trips.append((r["TRIP_ID"], int(r["TIMESTAMP"]), line))
    draw, ids, times, lons, lats, round_ = random.Random(1), [], [], [], [], 0
    count = 0
    while len(ids) < POINTS:
        for name, start, line in trips:
            dx, dy = (draw.gauss(0, 3e-5), draw.gauss(0, 3e-5)) if round_ else (0.0, 0.0)
            count += 1
            for k, (x, y) in enumerate(line):
                ids.append(f"{name}-{round_}")
                times.append((start + 15 * k) * 1000)
                lons.append(x + dx)
                lats.append(y + dy)
            if len(ids) >= POINTS:
                break
        round_ += 1
    table = pa.table({"id": ids, "time": pa.array(times, pa.timestamp("ms", "UTC")), "lon": lons, "lat": lats})
    folder.mkdir(parents=True)
    order = numpy.random.default_rng(2).permutation(table.num_rows)
    for i in range(8):
        pq.write_table(table.take(numpy.sort(order[i::8])), folder / f"part-{i}.parquet")
    pq.write_table(table, folder.parent / "whole.parquet")
    return count


def plain(source: Path, out: Path, network: str) -> tuple[float, float, int]:
    """Runs the plain program by one thread: seconds, processor seconds, most memory."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([RETRACE, "--quiet", "--threads", "1", "recover", source, "--network", network, "--method", "hmm", "-o", out], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss * 1024


def rows_of(path: Path) -> pa.Table:
    """Recovered points in one order, with all that is told of them."""
    t = pa.dataset.dataset(path, format="parquet").to_table()
    if "geometry" in t.column_names:
        at = numpy.frombuffer(b"".join(g.as_py()[5:21] for g in t["geometry"]), "<f8").reshape(-1, 2)
        t = t.append_column("lon", pa.array(at[:, 0])).append_column("lat", pa.array(at[:, 1]))
    else:
        t = t.filter(pc.is_valid(t["segment"]))
    t = t.select(ROW)
    t = t.set_column(1, "time", t["time"].cast(pa.timestamp("ms", "UTC")))
    return t.sort_by([("trajectory", "ascending"), ("time", "ascending"), ("observed", "ascending"), ("segment", "ascending")]).combine_chunks()


def same(got: Path, want: Path) -> int:
    """Checks that rows are the same, bit by bit, and gives how many there are."""
    a, b = rows_of(got), rows_of(want)
    if a.num_rows != b.num_rows:
        raise SystemExit(f"{got} has {a.num_rows} rows, {want} has {b.num_rows}")
    for name in ROW:
        if not a[name].combine_chunks().equals(b[name].combine_chunks().cast(a[name].type)):
            at = next(i for i in range(a.num_rows) if a[name][i] != b[name][i])
            raise SystemExit(f"{got}: row {at}: {a.slice(at, 1).to_pylist()} is not {b.slice(at, 1).to_pylist()}")
    return a.num_rows


def session(cluster: Cluster, cores: int) -> SparkSession:
    """A session with so many of the cores of the cluster."""
    spark = (SparkSession.builder.master(cluster.url).appName("check-spark").config("spark.cores.max", cores).config("spark.executor.cores", 1)
             .config("spark.executor.memory", "1g").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
             .config("spark.sql.shuffle.partitions", 8).config("spark.sql.adaptive.enabled", "false").config("spark.sql.session.timeZone", "UTC")
             .config("spark.ui.showConsoleProgress", "false").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    while spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() < cores + 1:
        time.sleep(0.2)
    return spark


def job(spark: SparkSession, source: Path, out: Path, network: str, **options) -> None:
    """Recovers a folder of Parquet into another."""
    trips = spark.read.parquet(str(source))
    retrace.spark.recover(trips, network, method="hmm", **options).write.mode("overwrite").parquet(str(out))


def shuffled(spark: SparkSession) -> int:
    """Bytes that the stages have written for others, so far."""
    url = f"{spark.sparkContext.uiWebUrl}/api/v1/applications/{spark.sparkContext.applicationId}/stages"
    with urllib.request.urlopen(url) as answer:
        return sum(s["shuffleWriteBytes"] for s in json.load(answer))


def measure(cluster: Cluster, cores: int, source: Path, trips: int, network: str) -> dict[str, float]:
    """Runs the job with so many workers, the first trips beforehand so that all is warm."""
    spark = session(cluster, cores)
    watch = Watch(cluster.pids())
    watch.start()
    counts = retrace.spark.Counts(spark)
    before, began = sum(map(processor, cluster.pids())), time.monotonic()
    job(spark, source, FOLDER / f"spark{cores}", network, counts=counts)
    took, used = time.monotonic() - began, sum(map(processor, cluster.pids())) - before
    watch.stop.set()
    bytes_ = shuffled(spark)
    spark.stop()
    say(f"{cores} worker(s): {trips} trips, {took:.0f} s, {used:.0f} s of processor")
    return {"seconds": took, "processor": used, "retrace": watch.retrace, "python": watch.python, "java": watch.java, "shuffled": bytes_, "told": counts.trips.value}


def failing(what, *wanted: str) -> str:
    """Runs what must fail, and gives the line that says why."""
    try:
        what()
    except Exception as why:
        text = str(why)
        for word in wanted:
            if word not in text:
                raise SystemExit(f"{word!r} is not in {text}")
        return [line.strip() for line in text.splitlines() if wanted[0] in line and "raise " not in line][0][:300]
    raise SystemExit(f"nothing failed, though {wanted} was to")


def bad_trips(spark: SparkSession, source: Path, out: Path, network: str) -> list[str]:
    """Recovers trips with bad ones among them; why those were refused."""
    bad = FOLDER / "bad"
    shutil.rmtree(bad, ignore_errors=True)
    shutil.copytree(source, bad)
    far = [("far", 0, 100.0, 60.0), ("far", 60_000, 100.1, 60.0), ("two centuries", 0, -8.61, 41.15), ("two centuries", 6_800_000_000_000, -8.62, 41.16),
           ("no fix", 1, 0.0, 0.0), ("nowhere", 1, float("nan"), float("nan"))]
    ids, times, lons, lats = zip(*far)
    pq.write_table(pa.table({"id": pa.array(ids), "time": pa.array(times, pa.int64()).cast(pa.timestamp("ms", "UTC")), "lon": pa.array(lons), "lat": pa.array(lats)}), bad / "bad.parquet")
    job(spark, bad, out, network, flags=("--gap", "0s"))
    refused = pa.dataset.dataset(out, format="parquet").to_table().filter(pc.field("status") == "refused").select(["input", "reason"]).to_pylist()
    if sorted(r["input"] for r in refused) != sorted({i for i, *_ in far}):
        raise SystemExit(f"refused are {refused}")
    same(out, FOLDER / "part-nogap.parquet")
    said = [f"`{r['input']}`: {r['reason']}" for r in sorted(refused, key=lambda r: r["input"])]
    say(f"bad trips: {said}")
    return said


def keep(name: str, value: object) -> None:
    """Keeps a figure, so that it need not be found again."""
    figures[name] = value
    (FOLDER / "figures.json").write_text(json.dumps(figures, indent=1))


def gone_wrong(cluster: Cluster, source: Path, want: Path, network: str) -> None:
    """What goes wrong, on a part of the trips."""
    out = FOLDER / "wrong"
    spark = session(cluster, 2)
    broken: list[str] = []
    lines: list[str] = []

    def when_running(act) -> threading.Thread:
        def wait() -> None:
            for _ in range(600):
                if streams(cluster.pids()):
                    time.sleep(1)
                    broken.append(act() or "")
                    return
                time.sleep(0.1)
        t = threading.Thread(target=wait)
        t.start()
        return t

    def kill_process() -> str:
        pid = streams(cluster.pids())[0]
        os.kill(pid, 9)
        return "killed"

    for name, act in {"a process of Retrace": kill_process, "a worker with its executor and all below it": cluster.kill_worker}.items():
        if "killed" in figures:
            break
        t = when_running(act)
        job(spark, source, out, network)
        t.join()
        if not broken:
            raise SystemExit(f"{name}: the job ended before anything was killed")
        rows = same(out, want)
        lines.append(f"`kill -9` of {name} in the middle: the job ended right, {rows:,} rows, the plain program's, none twice and none missing")
        say(lines[-1])
        broken.clear()
    if lines:
        keep("killed", lines)
        cluster.add_worker()
    if "poison" not in figures:
        keep("poison", bad_trips(spark, source, out, network))
    wrapper = FOLDER / "small"
    wrapper.write_text(f"#!/bin/sh\nulimit -v {int(os.environ.get('RETRACE_SMALL', 2_100_000))}\nexec {RETRACE} \"$@\"\n")
    wrapper.chmod(0o755)
    huge = FOLDER / "huge"
    huge.mkdir(exist_ok=True)
    n = 1_000_000
    pq.write_table(pa.table({"id": pa.array(["huge"]), "time": pa.array([numpy.arange(n) * 1000], pa.list_(pa.int64())),
                             "lon": pa.array([-8.6 + numpy.arange(n) * 1e-9], pa.list_(pa.float64())), "lat": pa.array([41.15 + numpy.zeros(n)], pa.list_(pa.float64()))}), huge / "a.parquet")
    keep("memory", failing(lambda: job(spark, huge, out, network, binary=str(wrapper)), "retrace ended with status", "out of memory"))
    say(f"out of memory: {figures['memory']}")
    other = retrace.Network(DATA / "osm" / "monaco.osm.pbf", file=FOLDER / "monaco.network", model=False)
    keep("damaged", failing(lambda: job(spark, source, out, str(damaged(network))), "damaged"))
    spark.stop()
    spark = session(cluster, 2)
    net = retrace.Network(network)
    named = FOLDER / "named" / f"{net.fingerprint[:16]}-{Path(network).name}"
    named.parent.mkdir(exist_ok=True)
    shutil.copyfile(other.path, named)
    spark.sparkContext.addFile(str(named))
    keep("wrong", failing(lambda: job(spark, source, out, network), "the network on this worker is"))
    say(f"wrong network: {figures['wrong']}")
    spark.stop()


def damaged(network: str) -> Path:
    """A network file with a byte that is wrong."""
    path = FOLDER / "damaged.network"
    shutil.copyfile(network, path)
    with path.open("r+b") as f:
        f.seek(path.stat().st_size // 2)
        byte = f.read(1)
        f.seek(-1, 1)
        f.write(bytes([byte[0] ^ 1]))
    return path


def start_up(network: str) -> dict[str, tuple[float, float, int]]:
    """Seconds and processor seconds until a process has answered nothing, and its memory, by method."""
    found = {}
    for method in ("hmm", "rntrajrec"):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        options = retrace.Options(network=network, method=method, threads=1)
        with retrace.Stream(options) as s:
            ready, memory = time.monotonic() - began, peak(s._process.pid)
            list(s.answer([]))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found[method] = (ready, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, memory)
    return found


def prepare() -> None:
    """Makes trips and network, and runs the plain program over them."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    network = retrace.Network(DATA / "osm" / "porto.osm.pbf", file=FOLDER / "porto.network", model=True).path
    figures["trips"] = make_trips(FOLDER / "trips")
    few = pq.read_table(FOLDER / "whole.parquet")
    figures["points"] = few.num_rows
    few = few.slice(0, min(few.num_rows // 2, 60_000))
    few = few.filter(pc.not_equal(few["id"], few["id"][-1].as_py()))
    figures["some"] = len(pc.unique(few["id"]))
    (FOLDER / "part").mkdir()
    pq.write_table(few, FOLDER / "part" / "a.parquet")
    say(f"{figures['trips']} trips, {figures['points']} points; {figures['some']} of them to be broken")
    figures["start"] = start_up(network)
    figures["plain_part"] = plain(FOLDER / "part" / "a.parquet", FOLDER / "part.parquet", network)
    subprocess.run([RETRACE, "--quiet", "recover", FOLDER / "part" / "a.parquet", "--network", network, "--method", "hmm", "--gap", "0s", "-o", FOLDER / "part-nogap.parquet"], check=True, stderr=subprocess.DEVNULL)
    figures["network"] = Path(network).stat().st_size
    figures["wanted"] = POINTS
    keep("plain", plain(FOLDER / "whole.parquet", FOLDER / "plain.parquet", network))
    say(f"the plain program: {figures['plain'][0]:.0f} s, {figures['plain'][1]:.0f} s of processor")


def main() -> None:
    os.environ.update(RETRACE_BINARY=str(RETRACE), PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    before = FOLDER / "figures.json"
    if before.exists() and (known := json.loads(before.read_text())).get("wanted") == POINTS and "rows" not in known:
        figures.update(known)
        say("going on behind: " + ", ".join(known))
    else:
        prepare()
    network = str((FOLDER / "porto.network").absolute())
    cluster = Cluster(Path(pyspark.__file__).parent, FOLDER, {"RETRACE_BINARY": str(RETRACE), "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.environ.get("PYTHONPATH", "")})
    try:
        cluster.add_worker()
        cluster.add_worker()
        if "one" not in figures:
            keep("one", measure(cluster, 1, FOLDER / "part", figures["some"], network))
        same(FOLDER / "spark1", FOLDER / "part.parquet")
        if "two" not in figures:
            keep("two", measure(cluster, 2, FOLDER / "trips", figures["trips"], network))
        rows = same(FOLDER / "spark2", FOLDER / "plain.parquet")
        say(f"{rows} rows are the plain program's, bit by bit")
        if "wrong" not in figures:
            gone_wrong(cluster, FOLDER / "part", FOLDER / "part.parquet", network)
    finally:
        cluster.close()
    figures.update(retrace=subprocess.run([RETRACE, "--version"], capture_output=True, text=True).stdout.strip(), java=java_version(),
                   spark=pyspark.__version__, python=platform.python_version(), day=f"{datetime.date.today():%d %B %Y}", load=os.getloadavg()[2])
    keep("rows", rows)
    if PAGE.name != "-":
        import page

        PAGE.write_text(page.text(figures))
        say(f"{PAGE} is written")


def java_version() -> str:
    """The first line of what Java says of itself."""
    return subprocess.run(["java", "-version"], capture_output=True, text=True).stderr.splitlines()[0]


main()
