"""Recovery of frames."""

import pickle

import pyarrow as pa
import pytest
from conftest import key

import retrace


def test_tables(city):
    points = retrace.recover(city.trips, city.network, method="hmm")
    assert isinstance(points, pa.Table)
    assert sorted(map(key, points.to_pylist())) == sorted(map(key, city.plain()))
    assert set(points["method"].to_pylist()) == {"hmm"}


def test_pandas(city):
    pandas = pytest.importorskip("pandas")
    points = retrace.recover(city.trips.to_pandas().sample(frac=1, random_state=1), city.network, method="hmm")
    assert isinstance(points, pandas.DataFrame)
    assert sorted(map(key, points.to_dict("records"))) == sorted(map(key, city.plain()))


def test_polars(city):
    polars = pytest.importorskip("polars")
    points = retrace.recover(polars.from_arrow(city.trips).lazy(), city.network, method="hmm")
    assert isinstance(points, polars.DataFrame) and points.height == len(city.plain())


def test_geopandas_in_metres(city):
    geopandas = pytest.importorskip("geopandas")
    frame = city.trips.to_pandas()
    frame = geopandas.GeoDataFrame(frame[["id", "time"]], geometry=geopandas.points_from_xy(frame["lon"], frame["lat"]), crs=4326).to_crs(3857)
    points = retrace.recover(frame, city.network, method="hmm")
    assert points.crs.to_epsg() == 4326 and len(points) == len(city.plain())


def test_layers_as_lists(city):
    trips = retrace.recover(city.trips, city.network.path, method="hmm", layer=["points", "path", "spans", "gaps", "links"])
    assert trips.num_rows == len(set(city.trips["id"].to_pylist()))
    assert sum(len(p) for p in trips["points"].to_pylist()) == len(city.plain())


def test_links_are_those_of_the_plain_program(city):
    got = {r["segment"]: r for r in retrace.links(city.trips, city.network, method="hmm").to_pylist()}
    want = city.plain("links.csv")
    assert len(got) == len(want)
    for row in want:
        mine = got[int(row["segment"])]
        assert mine["trips"] == int(row["trips"])
        for column in ("mean_speed_kmh", "p15_speed_kmh", "p85_speed_kmh"):
            assert (mine[column] is None) == (row[column] == "")
            assert row[column] == "" or abs(mine[column] - float(row[column])) <= 0.0501


def test_a_bad_trip_is_named(city):
    bad = pa.table({"id": ["far", "far"], "time": pa.array([0, 60_000], pa.int64()), "lon": [100.0, 100.1], "lat": [60.0, 60.0]})
    with pytest.raises(retrace.TripError) as caught:
        retrace.recover(bad, city.network, method="hmm")
    assert caught.value.trip == "far" and "no path" in caught.value.reason
    assert pickle.loads(pickle.dumps(caught.value)).trip == "far"
    row = retrace.recover(bad, city.network, method="hmm", errors="report").to_pylist()[0]
    assert row["status"] == "refused" and row["segment"] is None


def test_columns_are_asked_for(city):
    with pytest.raises(retrace.RetraceError, match="there is no column 'id'; there are"):
        retrace.recover(city.trips.rename_columns(["a", *city.trips.column_names[1:]]), city.network, method="hmm")
    with pytest.raises(retrace.RetraceError, match="want pandas"):
        retrace.recover([1, 2], city.network)


def test_networks(city, tmp_path):
    n = retrace.Network(city.network.path)
    assert n.fingerprint == city.network.fingerprint and n.segments > 1000 and not n.has_model
    west, south, east, north = n.bounds
    assert west < east and south < north
    with pytest.raises(retrace.RetraceError, match="there is no file"):
        retrace.Network(tmp_path / "none.network")
    (tmp_path / "text").write_text("no network")
    with pytest.raises(retrace.RetraceError):
        retrace.Network(tmp_path / "text")
