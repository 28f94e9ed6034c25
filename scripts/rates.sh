#!/bin/sh
# Measures recovery at sampling rates from a second to minutes and writes docs/rates.md.
# What was measured lies under .cache/rates and is not measured again: remove it after a
# change. Without "places" simulated trips alone. usage: rates.sh DATA [places]
set -eu
data=$1
cache=.cache/rates
mkdir -p docs "$cache"

# measured PROGRAM ARGUMENTS: a command and its table.
measured() {
  printf '\n    go run ./tools/%s %s\n\n' "$1" "$2"
  file="$cache/$(echo "$1 $2" | tr ' /' '__').txt"
  if [ ! -s "$file" ]; then
    case $1 in score) folder=$data/.. ;; *) folder=$data ;; esac
    # It fails where a figure is missed, which the table says.
    # shellcheck disable=SC2086 # options
    go run -tags ci "./tools/$1" -data "$folder" $2 >"$file.part" || true
    mv "$file.part" "$file"
  fi
  sed 's/^/    /; s/ *$//' "$file"
}

{
  echo "# Points at every rate"
  echo
  echo "Made by \`scripts/rates.sh\`; nothing on this page is written by hand."
  echo
  echo "A hop from one point to the next is impossible where the path between them is longer than 100 m and 50 m for each"
  echo "second, and than twice the straight line. Recovery may tell of it as such, or not."
  echo
  echo "## Simulated trips"
  echo
  echo "Over Columbus and Yokohama without tags. Settings were chosen on these; News=0 asks every point, and"
  echo "Blend.Short=0+Blend.Long=0 asks the model of every gap."
  measured rates "-trips 20 -method hmm News=0"
  measured rates "-trips 20 -method rntrajrec News=0+Blend.Short=0+Blend.Long=0"
  if [ "${2:-}" = places ]; then
    echo
    echo "## Drives of 48 places and sparse trips of Porto"
    echo
    echo "Nothing was trained or chosen on these."
    measured score "-method hmm -tick 15s"
    measured score "-method rntrajrec -tick 15s"
  else
    echo
    echo "What is reached on real drives: \`scripts/rates.sh DATA places\`."
  fi
} >docs/rates.md.part
mv docs/rates.md.part docs/rates.md
