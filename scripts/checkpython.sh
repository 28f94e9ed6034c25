#!/bin/sh
# Tests the Python package with pandas, Polars, GeoPandas and, with "spark", PySpark in
# .cache/python-package. usage: checkpython.sh RETRACE [spark]
set -eu
retrace=$1
root=$(cd "$(dirname "$0")/.." && pwd)
home=$root/.cache/python-package
want="pyarrow==26.0.1 pandas==3.1.1 polars==2.1.0 geopandas==1.2.0 pytest==9.2.0"
[ "${2:-}" = spark ] && want="$want pyspark==4.0.4"
if [ "$(cat "$home/.installed" 2>/dev/null)" != "$want" ]; then
  python3 -m venv "$home"
  # shellcheck disable=SC2086 # a list
  "$home/bin/pip" install -q $want
  echo "$want" >"$home/.installed"
fi
case "$retrace" in /*) ;; *) retrace=$root/$retrace ;; esac
cd "$root/integrations/python"
RETRACE_BINARY=$retrace PYTHONPATH=src PYTHONDONTWRITEBYTECODE=1 "$home/bin/python" -m pytest -q -rs -p no:cacheprovider
