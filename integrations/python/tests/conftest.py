"""A small city for all tests. They need the program: RETRACE_BINARY names it."""

import csv
import subprocess

import pyarrow as pa
import pyarrow.csv
import pytest

import retrace
from retrace._program import program


@pytest.fixture(scope="session")
def city(tmp_path_factory):
    """The sample: a network file, a table of trips and what the plain program makes of them."""
    try:
        binary = program()
    except retrace.RetraceError as why:
        pytest.skip(str(why))
    folder = tmp_path_factory.mktemp("city")
    subprocess.run([binary, "--quiet", "sample", str(folder)], check=True, capture_output=True)
    network = retrace.Network(folder / "sample.osm.gz", file=folder / "sample.network", model=False)
    subprocess.run([binary, "--quiet", "recover", str(folder / "trips.csv"), "--network", network.path, "--method", "hmm",
                    "-o", str(folder / "plain.csv"), "--links", str(folder / "links.csv")], check=True, capture_output=True)
    trips = pa.csv.read_csv(folder / "trips.csv")
    names = {"trajectory": "id", "longitude": "lon", "latitude": "lat"}
    return City(folder, network, trips.rename_columns([names.get(c, c) for c in trips.column_names]))


class City:
    def __init__(self, folder, network, trips):
        self.folder, self.network, self.trips = folder, network, trips

    def plain(self, name="plain.csv"):
        """The rows of a table that the plain program wrote."""
        with open(self.folder / name) as f:
            return list(csv.DictReader(f))


def key(row):
    """A recovered point as it is compared: the plain program writes six digits."""
    return (str(row["trajectory"]), int(row["segment"]), f"{float(row['ratio']):.6f}", f"{float(row['probability']):.6f}", row["deck"])
