#!/bin/sh
# Scores recovery on the shared data with the shared scoring programs, which know
# nothing of Retrace. usage: score.sh RETRACE DATA [FLAGS OF recover]
# DATA is the folder that holds bench/ and data/. Needs python3 and osmium.
set -eu
retrace=$1 data=$2
shift 2
if [ ! -d "$data/data/worldwide" ]; then
  echo "score: there is no shared data in $data; name its folder in RETRACE_DATA" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# recovered time -> epoch seconds, as worldwide_score.py wants them
seconds='import csv, datetime, sys
out = csv.writer(sys.stdout)
out.writerow(["t", "lon", "lat"])
for r in csv.DictReader(sys.stdin):
    out.writerow([datetime.datetime.fromisoformat(r["time"].replace("Z", "+00:00")).timestamp(), r["lon"], r["lat"]])'

for gap in 060 120 240; do
  for place in "$data"/data/worldwide/*/; do
    name=$(basename "$place")
    mkdir -p "$work/$gap/$name"
    "$retrace" --quiet recover "$place/input_$gap.csv" --network "$place/network.osm.pbf" \
      -o "$work/points.csv" --path "$work/$gap/$name/path.csv" "$@" || { rm -f "$work/points.csv"; continue; }
    python3 -c "$seconds" <"$work/points.csv" >"$work/$gap/$name/points.csv"
  done
  printf 'worldwide, %s s: ' "$gap"
  python3 "$data/bench/worldwide_score.py" "$data/data/worldwide" "$work/$gap" --gap "${gap#0}" | tail -n 2 | tr '\n' ' '
  echo
done
echo '(columns: recall precision f1 mae rmse hit25 parts instants)'

"$retrace" --quiet --workspace "$work/ws.retrace" import "$data/data/osm/porto.osm.pbf" >/dev/null
for keep in x8 x16; do
  "$retrace" --quiet --workspace "$work/ws.retrace" recover "$data/data/porto_sparse/$keep/input.csv" --network porto -o "$work/porto.csv" "$@"
  printf 'Porto, %s: ' "$keep"
  python3 "$data/bench/dense_score.py" "$data/data/porto_sparse/$keep/truth.csv" "$work/porto.csv"
done
