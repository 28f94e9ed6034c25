#!/bin/sh
# Trains and measures the rows of training/configs/systems.toml that have no log yet, one
# after another on one thread, and writes docs/results.md. It may be stopped and goes on.
# SETS names the data sets that are needed, if not all are.
# usage: results.sh PROGRAM DATA [ARGUMENTS of rntrajrec.systems.run...]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
program=$root/$1
given=$(cd "$2" && pwd)/data
shift 2

out=$root/.cache/systems
extracts=$out/data
mkdir -p "$extracts/pieces" "$extracts/stretches"
go build -tags ci -o "$out/tool" ./tools/systems

# The pieces of cities, and the stretches of trips within the middle of Porto's.
ln -sfn "$given/osm" "$extracts/osm"
cut() { [ -s "$extracts/$3" ] || "$out/tool" cut -area "$1" "$given/$2" "$extracts/$3"; }
cut -8.6216,41.1428,-8.6024,41.1572 trajectories/porto_trips.csv.gz stretches/porto.csv
cut -8.6263,41.1392,-8.5977,41.1608 osm/porto.osm.pbf pieces/porto.osm
cut 121.4873,25.0317,121.5171,25.0586 osm/taipei.osm.gz pieces/taipei.osm
cut 24.9200,60.1600,24.9560,60.1780 osm/helsinki.osm.pbf pieces/helsinki.osm

library=$(find "$root/.cache/onnxruntime" -maxdepth 1 -type f -name '*onnxruntime*' 2>/dev/null | head -n 1)
[ -z "$library" ] || export RETRACE_ONNXRUNTIME="${RETRACE_ONNXRUNTIME:-$library}"

cd training
sets=${SETS:-$(sed -n 's/^name = "\(.*\)"$/\1/p' configs/systems-data.toml)}
# shellcheck disable=SC2086 # names have no spaces
nice -n 5 ../scripts/python.sh -m rntrajrec.pipeline configs/systems-data.toml "$out" \
  --retrace "$program" --data "$extracts" --sets $sets
places="--sets $out/sets --out $out/runs --tool $out/tool --extracts $extracts"
# shellcheck disable=SC2086
nice -n 5 ../scripts/python.sh -m rntrajrec.systems.run "$@" $places
# shellcheck disable=SC2086
nice -n 5 ../scripts/python.sh -m rntrajrec.systems.efficiency --bench "Porto x8" $places
# shellcheck disable=SC2086
nice -n 5 ../scripts/python.sh -m rntrajrec.systems.case --bench "${CASE:-Dense city x8}" --retrace "$program" $places
../scripts/python.sh -m rntrajrec.systems.page
