#!/bin/sh
# Trains and measures the rows of training/configs/systems.toml that have no log yet, one
# after another on one thread, and writes docs/results.md. It may be stopped and goes on.
# usage: results.sh PROGRAM DATA [ARGUMENTS of rntrajrec.systems.run...]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
program=$root/$1
extracts=$(cd "$2" && pwd)/data
shift 2

out=$root/.cache/systems
mkdir -p "$out"
go build -tags ci -o "$out/tool" ./tools/systems
library=$(ls "$root"/.cache/onnxruntime/* 2>/dev/null | head -n 1 || true)
[ -z "$library" ] || export RETRACE_ONNXRUNTIME="${RETRACE_ONNXRUNTIME:-$library}"

cd training
sets=$(sed -n 's/^name = "\(.*\)"$/\1/p' configs/systems-data.toml)
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
