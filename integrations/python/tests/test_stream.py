"""The stream with PyArrow as the other side."""

import io
import random
import subprocess
import time

import pyarrow as pa
import pytest
from conftest import key

import retrace
from retrace._recover import input_table
from retrace._stream import Options, Stream, schema_of

COLUMNS = ("id", "time", "lon", "lat")


def options(city, **more):
    return Options(**{"network": city.network.path, "method": "hmm", "table": "points", **more})


def answered(city, batches, **more):
    with Stream(options(city, **more)) as s:
        return pa.Table.from_batches(list(s.answer(batches)), s.schema)


def test_any_batch_sizes_give_what_the_plain_program_writes(city):
    want = sorted(map(key, city.plain()))
    rows = input_table(city.trips, COLUMNS)
    seed = time.time_ns()
    print("seed", seed)
    draw = random.Random(seed)
    for _ in range(3):
        batches, at = [], 0
        while at < rows.num_rows:
            n = draw.choice([0, 1, 2, 7, 100, 1000])
            batches += rows.slice(at, n).combine_chunks().to_batches() or [pa.RecordBatch.from_pylist([], rows.schema)]
            at += n
        assert sorted(map(key, answered(city, batches).to_pylist())) == want


def test_lists_give_the_same(city):
    rows = input_table(city.trips, COLUMNS)
    lists = rows.group_by("trajectory", use_threads=False).aggregate([("time", "list"), ("lon", "list"), ("lat", "list")])
    lists = lists.rename_columns([c.removesuffix("_list") for c in lists.column_names])
    assert sorted(map(key, answered(city, lists.to_batches(max_chunksize=3)).to_pylist())) == sorted(map(key, city.plain()))


def test_a_slow_reader_and_many_batches_do_not_block(city):
    rows = input_table(city.trips, COLUMNS).to_batches(max_chunksize=40)
    with Stream(options(city, layers=("points", "path", "links"), table="")) as s:
        count = 0
        for batch in s.answer(rows):
            count += batch.num_rows
            time.sleep(0.01)
    assert count == len(set(city.trips["id"].to_pylist()))


def test_a_reader_that_goes_leaves_no_process(city):
    rows = input_table(city.trips, COLUMNS).to_batches(max_chunksize=10)
    with Stream(options(city)) as s:
        next(s.answer(rows))
    assert s._process.poll() is not None


def test_a_killed_process_is_told(city):
    rows = input_table(city.trips, COLUMNS).to_batches(max_chunksize=10)
    with pytest.raises(retrace.StreamError) as caught, Stream(options(city)) as s:
        for i, _ in enumerate(s.answer(rows)):
            if i == 3:
                s._process.kill()
    assert caught.value.status == -9


def test_input_that_is_cut_has_a_status(city):
    rows = input_table(city.trips, COLUMNS)
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, rows.schema) as w:
        w.write_table(rows)
    whole = sink.getvalue()
    for cut in (0, 100, len(whole) // 2, len(whole) - 8):
        done = subprocess.run(options(city).command(), input=whole[:cut], capture_output=True)
        assert done.returncode == 3 and b"without its end mark" in done.stderr
        assert not done.stdout.endswith(b"\xff\xff\xff\xff\0\0\0\0")


def test_the_schema_tells_how(city):
    schema = schema_of(options(city))
    assert schema.metadata[b"retrace:schema_version"] == b"1"
    assert schema.metadata[b"retrace:network_fingerprint"].decode() == city.network.fingerprint
    assert schema_of(options(city)).equals(schema, check_metadata=True)


def test_what_cannot_be_is_said(city):
    with pytest.raises(retrace.StreamError, match="status 2"):
        schema_of(options(city, network="nowhere"))
    with pytest.raises(retrace.StreamError, match="layer"):
        schema_of(options(city, table="", layers=("roads",)))
