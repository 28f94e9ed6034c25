#!/bin/sh
# Trains the models of training/configs/data.toml, or tests the training.
# usage: train.sh test|train PROGRAM [DATA [small]]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mode=${1:-}
program=${2:-}
case "$mode" in test | train) ;; *) echo "usage: $0 test|train PROGRAM [DATA [small]]" >&2; exit 2 ;; esac

# A virtual environment, or PyTorch from elsewhere, is as good as Debian's packages.
scripts/python.sh -c "" 2>/dev/null || scripts/setup.sh training

if [ "$mode" = test ]; then
  if ! scripts/python.sh -c ""; then
    echo "The tests of training are skipped."
    exit 0
  fi
  cd training
  RETRACE=$root/$program exec ../scripts/python.sh -m pytest -q -p no:cacheprovider
fi

data=$3/data
if [ ! -d "$data/osm" ]; then
  echo "There are no extracts in $data/osm: set RETRACE_DATA to the folder whose data/ holds extracts and trips." >&2
  exit 1
fi
out=.cache/training${4:+-$4}
# Nothing else should wait for a training.
exec nice -n 5 scripts/python.sh -m rntrajrec.pipeline training/configs/data.toml "$out" \
  --retrace "$root/$program" --data "$data" ${4:+--"$4"}
