#!/bin/sh
# Runs every fuzz target for a while. usage: fuzz.sh [TIME], e.g. 30s
set -eu
time=${1:-30s}
grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u | while read -r dir; do
  grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | while read -r target; do
    echo "$dir $target"
    go test -tags ci -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x "$dir"
  done
done
