#!/bin/sh
# Writes the large data sets, all of Porto's training trips and 100,000 simulated
# ones, and docs/datasets.md, which tells their time and size.
# usage: datasets.sh RETRACE DATA OUT
set -eu
retrace=$1
data=$2
out=$3
mkdir -p "$out" docs

# written TITLE FOLDER ARGUMENTS...: a part of the page, with the command that made it.
written() {
  title=$1
  folder=$2
  shift 2
  echo
  echo "## $title"
  echo
  echo "    retrace dataset $* -o $folder" | sed "s|$data/||g" | fold -s -w 110 | sed '2,$s/^/      /'
  echo
  start=$(date +%s)
  "$retrace" --quiet dataset "$@" -o "$out/$folder" | sed "s|$out/||" | sed 's/^/    /'
  seconds=$(($(date +%s) - start))
  echo
  echo "In $((seconds / 60)) min $((seconds % 60)) s on $(nproc) cores; $(du -sm "$out/$folder" | cut -f1) MB."
}

# Every extract but those that nothing is trained or chosen on.
networks() {
  for f in "$data"/osm/*.osm.*; do
    case $(basename "$f") in
    taipei* | milan* | helsinki* | columbus* | yokohama* | porto.*) ;;
    *) printf ' --network %s' "$f" ;;
    esac
  done
}

{
  echo "# Data sets"
  echo
  echo "Made by \`scripts/datasets.sh\`; nothing on this page is written by hand. Other programs may have used"
  echo "the cores at the same time."
  written "Porto's training trips, each thinned three times" porto-train "$data/trajectories/porto_trips.csv.gz" \
    --network "$data/osm/porto.osm.pbf" --split training --keep 1/8,1/16,30s-300s --candidates 8 --gather
  # shellcheck disable=SC2046 # one word for each network
  written "Simulated trips" simulated $(networks) --simulate 4600 --seed 5 --keep 30s-300s --candidates 8
} >docs/datasets.md.part
mv docs/datasets.md.part docs/datasets.md
