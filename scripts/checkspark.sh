#!/bin/sh
# Tries a Spark cluster on this computer: a master and two workers of one core each, on
# loopback. usage: checkspark.sh RETRACE DATA [POINTS]; without POINTS: a million
set -eu
retrace=$1 data=$2
root=$(cd "$(dirname "$0")/.." && pwd)
home=$root/.cache/spark
want="pyarrow==26.0.1 pandas==3.1.1 numpy==2.4.6 pyspark==4.0.4"
command -v java >/dev/null || { echo "Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless" >&2; exit 1; }
[ -d "$data/data/osm" ] || { echo "The trips and extracts are not in $data" >&2; exit 1; }
if [ "$(cat "$home/.installed" 2>/dev/null)" != "$want" ]; then
  python3 -m venv "$home"
  # shellcheck disable=SC2086 # a list
  "$home/bin/pip" install -q $want
  echo "$want" >"$home/.installed"
fi
cd "$root"
# shellcheck disable=SC2086 # none or one
PYTHONPATH=$root/integrations/python/src PYTHONDONTWRITEBYTECODE=1 exec "$home/bin/python" integrations/python/check/cluster.py \
  "$retrace" "$data/data" "${RETRACE_FOLDER:-$root/.cache/spark-check}" docs/spark.md ${3:-}
