"""Spark in this process; `make check-spark` tries a cluster."""

import sys

import pytest
from conftest import key

import retrace

pyspark = pytest.importorskip("pyspark")


@pytest.fixture(scope="session")
def spark():
    import os

    os.environ["PYSPARK_PYTHON"] = sys.executable
    try:
        session = (pyspark.sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", 3)
                   .config("spark.driver.host", "127.0.0.1").config("spark.sql.session.timeZone", "UTC").getOrCreate())
    except Exception as why:
        pytest.skip(f"Spark does not start (it needs Java): {why}")
    yield session
    session.stop()


def rows_of(frame):
    return sorted(key(r.asDict()) for r in frame.collect() if r.segment is not None)


def test_spark_gives_what_the_plain_program_writes(city, spark):
    import retrace.spark

    trips = spark.createDataFrame(city.trips.select(["id", "time", "lon", "lat"]).to_pandas()).repartition(5)
    counts = retrace.spark.Counts(spark)
    points = retrace.spark.recover(trips, city.network, method="hmm", counts=counts)
    assert rows_of(points) == sorted(map(key, city.plain()))
    assert counts.trips.value == len(set(city.trips["id"].to_pylist())) and counts.refused.value == 0 and counts.seconds.value > 0


def test_links_are_those_of_the_plain_program(city, spark):
    import retrace.spark

    trips = spark.createDataFrame(city.trips.select(["id", "time", "lon", "lat"]).to_pandas())
    got = {r.segment: r for r in retrace.spark.links(retrace.spark.recover(trips, city.network, method="hmm", layer="links")).collect()}
    want = city.plain("links.csv")
    assert len(got) == len(want)
    for row in want:
        mine = got[int(row["segment"])]
        assert mine.trips == int(row["trips"])
        assert row["p85_speed_kmh"] == "" or abs(mine.p85_speed_kmh - float(row["p85_speed_kmh"])) <= 0.0501
        assert row["mean_speed_kmh"] == "" or abs(mine.mean_speed_kmh - float(row["mean_speed_kmh"])) <= 0.0501


def test_a_bad_trip_costs_itself_or_its_job(city, spark):
    import retrace.spark

    bad = spark.createDataFrame([("far", 0, 100.0, 60.0), ("far", 60_000, 100.1, 60.0)], "id string, time long, lon double, lat double")
    row = retrace.spark.recover(bad, city.network, method="hmm").collect()[0]
    assert row.status == "refused" and "no path" in row.reason and row.method == "hmm"
    with pytest.raises(Exception, match="trip 'far' could not be recovered"):
        retrace.spark.recover(bad, city.network, method="hmm", errors="raise").collect()


def test_what_cannot_be_is_said_before_the_job(city, spark):
    import retrace.spark

    frame = spark.createDataFrame([("a", 0, 0.0, 0.0)], "trip string, time long, lon double, lat double")
    with pytest.raises(retrace.RetraceError, match="there is no column 'id'"):
        retrace.spark.recover(frame, city.network, method="hmm")
    with pytest.raises(retrace.StreamError):
        retrace.spark.recover(frame, city.network, id="trip", method="rntrajrec", model="nowhere")
