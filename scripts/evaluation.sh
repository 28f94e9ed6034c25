#!/bin/sh
# Measures recovery by the bundled model and by map matching, and writes
# docs/evaluation.md. It takes hours, may be stopped and goes on: what this program and
# source measured lies under .cache/evaluation. usage: evaluation.sh RETRACE DATA
set -eu
retrace=$1
data=$2
trips=$data/trajectories/porto_trips.csv.gz
osm=$data/osm
cache=.cache/evaluation/$(cat "$retrace" go.sum tools/tune/*.go tools/score/*.go tools/trial/*.go | sha256sum | cut -c1-16)
mkdir -p "$cache"

# once COMMAND...: what it prints, run or as it was printed before. It may fail where a
# figure is missed, which what it prints says.
once() {
  kept=$cache/$(echo "$*" | sha256sum | cut -c1-16)
  if [ ! -s "$kept" ]; then
    "$@" >"$kept.part" || [ "$1" = go ]
    mv "$kept.part" "$kept"
  fi
  cat "$kept"
}

# measured TITLE ARGUMENTS...: a part of the page, with the command that made it.
measured() {
  echo
  echo "## $1"
  shift
  echo
  echo "    retrace evaluate $*" | sed "s|$data/||g"
  echo
  once "$retrace" --quiet evaluate "$@" --format markdown
}

# yardstick TITLE ARGUMENTS...: the same beside the true path at an even pace, in both readings alone.
yardstick() {
  figures=$(measured "$@" --against truth)
  echo "$figures" | sed '/^### Hidden ticks/,$d'
}

# risks TITLE ARGUMENTS...: how well risks tell which trips and gaps are wrong, alone.
risks() {
  measured "$@" --draws 200 | awk 'BEGIN { show = 1 } /^### / { show = /^### How well/ } show'
}

# tuned ARGUMENTS: settings compared by tools/tune, with the command.
tuned() {
  printf '\n    go run ./tools/tune %s\n\n' "$1"
  # shellcheck disable=SC2086 # options
  once go run -tags ci ./tools/tune -data "$data" $1 | sed 's/^/    /'
}

mkdir -p docs
{
  echo "# Evaluation"
  echo
  echo "Made by \`scripts/evaluation.sh\`; nothing on this page is written by hand. Each part names its command."
  echo "Each figure stands with the range in which it lies with 95 % confidence, by resampling trips 1,000 times."
  echo "The readings and what counts as missing are defined in \`engine/metrics\`. Both methods are decoded alike."
  echo "Nothing was trained or chosen on any of these trips: Porto's are those of the test split, whose truth is"
  echo "the match of the dense trip; nothing was trained on trips in Taipei, Milan or Helsinki, whose truth is exact."
  measured "Porto test trips" "$trips" --network "$osm/porto.osm.pbf" --split test --keep 1/8,1/16 --method rntrajrec --against hmm
  yardstick "Porto test trips, beside the true path at an even pace" "$trips" --network "$osm/porto.osm.pbf" --split test --keep 1/8,1/16 --method rntrajrec
  echo "How hard these trips are: what the true path at an even pace lacks is an error in time alone. Where the figures to be"
  echo "reached come from, it is 110.1 and 184 m off on other test trips of Porto, by great-circle distance."
  echo
  echo "## Which trips and gaps are wrong"
  echo
  echo "What is wrong is defined in \`engine/risk\`, whose coefficients tools/risk fits on other trips than these. To be reached:"
  echo "of the tenth of the trips with the largest error 70 % in the first fifth by risk (an AUC of 0.85), and calibration"
  echo "errors (ECE) of 0.05. Of 48 places the worst tenth is five drives."
  risks "Risks: Porto test trips" "$trips" --network "$osm/porto.osm.pbf" --split test --keep 1/8,1/16 --method rntrajrec --against hmm
  risks "Risks: drives of 48 places" --places "$data/worldwide" --keep 60s,120s,240s --method rntrajrec --against hmm
  measured "Porto test trips, each with what the others tell of the roads" "$trips" --network "$osm/porto.osm.pbf" --split test --keep 1/8,1/16 --method rntrajrec --against hmm --gather
  measured "Porto test trips, each with what all 13,490 trips, thinned alike, tell of the roads" "$trips" --network "$osm/porto.osm.pbf" --split test --keep 1/8,1/16 --method rntrajrec --gather --gather-from "$trips"
  measured "Simulated trips in Taipei, much of it elevated" --simulate 300 --network "$osm/taipei.osm.gz" --keep 1/8,1/16 --method rntrajrec --against hmm
  yardstick "Simulated trips in Taipei, beside the true path at an even pace" --simulate 300 --network "$osm/taipei.osm.gz" --keep 1/8,1/16 --method rntrajrec
  measured "Simulated trips in Milan" --simulate 300 --network "$osm/milan.osm.pbf" --keep 1/8,1/16 --method rntrajrec --against hmm
  measured "Simulated trips in Helsinki" --simulate 300 --network "$osm/helsinki.osm.pbf" --keep 1/8,1/16 --method rntrajrec --against hmm
  measured "The paper's decoder, tick by tick: Porto test trips" "$trips" --network "$osm/porto.osm.pbf" --split test --most 400 --keep 1/8,1/16 --method rntrajrec --decoder ticks --against hmm
  measured "The paper's decoder, tick by tick: simulated trips in Taipei" --simulate 200 --network "$osm/taipei.osm.gz" --keep 1/8,1/16 --method rntrajrec --decoder ticks --against hmm
  echo
  echo "## What is told of many possible paths"
  echo
  echo "The path that agrees most with what all possible ones say of each segment (the default of the model), and"
  echo "the most probable one (that of map matching, which its own choice suits better); and ticks that other"
  echo "ways through a gap than the one told draw to where these have the vehicle (the default of both), and"
  echo "ticks that they do not (Pace.Others=0): how figures differ from the default's, on trips of the validation"
  echo "split, and on trips simulated over Columbus and Yokohama, where nothing was trained. MAE and RMSE are along"
  echo "the network where they are not called great-circle ones."
  porto="-split validation -step 2 -trips 1000"
  for choice in "$porto -method rntrajrec Centroid=0 Pace.Others=0" "$porto -method hmm HMM.Centroid=0.5 Pace.Others=0" \
    "-simulate 300 -network osm/columbus.osm.pbf -method rntrajrec Centroid=0 Pace.Others=0" \
    "-simulate 300 -network osm/yokohama.osm.gz -method rntrajrec Centroid=0 Pace.Others=0"; do
    tuned "$choice"
  done
  echo
  echo "## Steady vehicles"
  echo
  echo "A gap amid gaps of about one pace is driven the more evenly (the default), or none is (Pace.Steady=0): how"
  echo "figures differ from the default's, on trips of the validation split, and on trips simulated over Columbus"
  echo "without tags, of drivers like taxis and of steadier ones (-steady 1)."
  for trips in "-split validation -step 2 -trips 1000" "-simulate 200 -network osm/columbus.osm.pbf -untagged -keep 30s,60s,120s" \
    "-simulate 200 -network osm/columbus.osm.pbf -untagged -keep 30s,60s,120s -steady 1"; do
    for method in rntrajrec hmm; do
      tuned "$trips -method $method Pace.Steady=0"
    done
  done
  echo
  echo "## Drives of 48 places and sparse trips of Porto, by programs of others"
  echo
  echo "\`go run ./tools/score\`: networks without tags, and points that were hidden. Each figure stands beside what"
  echo "is to be reached; MAE in metres; in brackets the range with 95 % confidence, by resampling places."
  echo "No weight and no setting was chosen on them; but that routes are sought"
  echo "farther where those of two gaps do not meet was found by looking at two of the 48 places, and that training"
  echo "needs drivers steadier than taxis, and times a look at how steady a vehicle is, by looking at how the times"
  echo "of earlier models were off at all of them; and that decoders without the encoder might help elsewhere, by how"
  echo "models before and after it stood here. Whether they do was settled in cities of training/results/README.md."
  echo
  echo "The edges that a drive begins and ends on count whole, as in the truth of the scoring program, so that a perfect"
  echo "path has an F1 of 1. How large an error of times is depends on the instants that are looked at: those of samples"
  echo "have nearly none. So the first tables are a yardstick, the true path at an even pace: where it is looked at every"
  echo "15 s from the start of a drive, the interval of recovery, its error rounds to the 25, 64 and 140 m that are told"
  echo "of it where the figures to be reached come from; every 10 s or every second it does not. So these are taken to be"
  echo "figures of every 15 s, which is inferred: nothing says so. The oftener it is looked, the larger the error is;"
  echo "the recoveries stand here at all three, and before the yardstick was laid on they were measured every second alone."
  # Each is a method and its options.
  for method in "truth -tick 1s" "truth -tick 10s" "truth -tick 15s" \
    "hmm -tick 15s" "rntrajrec -tick 15s" "rntrajrec -gather -tick 15s" \
    "hmm -tick 10s" "rntrajrec -tick 10s" "hmm -tick 1s" "rntrajrec -tick 1s"; do
    printf '\n    go run ./tools/score -method %s\n\n' "$method"
    # shellcheck disable=SC2086 # a method and its options
    once go run -tags ci ./tools/score -data "$data/.." -method $method | sed 's/^/    /'
  done
} >docs/evaluation.md.part
mv docs/evaluation.md.part docs/evaluation.md
