"""Runs the first lines of the README, as they stand, on the sample that the program writes."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from retrace._program import program

text = Path(sys.argv[1]).read_text()
lines = re.search(r"```python\n(.*?)```", text, re.S).group(1)
with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program(), "--quiet", "sample", folder], check=True, capture_output=True)
    os.chdir(folder)
    os.rename("sample.osm.gz", "city.osm.gz")
    trips = Path("trips.csv").read_text().split("\n", 1)
    Path("trips.csv").write_text(trips[0].replace("trajectory", "id") + "\n" + trips[1])
    names: dict = {}
    exec(compile(lines.replace("city.osm.pbf", "city.osm.gz"), "README.md", "exec"), names)
    points, links = names["points"], names["links"]
    assert set(points["method"]) == {"rntrajrec"} and len(links) > 0, points
    print(f"README.md: {len(points)} points by the model, {len(links)} links, by {program()}")
    os.chdir("/")
