#!/bin/sh
# Measures bundles that differ by the seed of their training alone, and writes docs/seeds.md.
# training/results/README.md says how they are trained. usage: seeds.sh RETRACE DATA BUNDLE BUNDLE...
set -eu
retrace=$1
data=$2
shift 2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# reports NAME ARGUMENTS...: what evaluation says of each bundle, and the command for the page.
reports() {
  name=$1
  shift
  echo
  echo "    retrace evaluate $* --model BUNDLE" | sed "s|$data/||g"
  i=0
  for bundle in $bundles; do
    i=$((i + 1))
    "$retrace" --quiet --json evaluate "$@" --method rntrajrec --model "$bundle" >"$made/$name-$i.json"
  done
}

bundles=$*
mkdir -p docs
{
  echo "# Seeds"
  echo
  echo "Made by \`scripts/seeds.sh\`; nothing on this page is written by hand. The second decoders of routes and of time"
  echo "of the bundle (seed 1), and two more pairs of them in their place, trained alike with other seeds; the encoder and the"
  echo "decoders beside it are the same in all, so this is not what a seed of the whole training is worth:"
  echo "that is told by docs/ablations.md, on a smaller budget. Nothing was chosen by these figures."
  reports porto "$data/trajectories/porto_trips.csv.gz" --network "$data/osm/porto.osm.pbf" --split test --keep 1/8,1/16
  reports taipei --simulate 300 --network "$data/osm/taipei.osm.gz" --keep 1/8
  echo
  echo "    go run ./tools/score -method rntrajrec -model BUNDLE"
  echo
  i=0
  for bundle in $bundles; do
    i=$((i + 1))
    go run -tags ci ./tools/score -data "$data/.." -method rntrajrec -model "$bundle" -json >"$made/score-$i.json"
  done
  scripts/python.sh -m rntrajrec.seeds --of "Porto test" "$made"/porto-*.json --of "Taipei, simulated" "$made"/taipei-*.json \
    --of "by programs of others" "$made"/score-*.json
} >docs/seeds.md.part
mv docs/seeds.md.part docs/seeds.md
