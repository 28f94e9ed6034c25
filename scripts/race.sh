#!/bin/sh
# Runs the race detector on the packages that start goroutines, with the shorter
# form of their tests: what runs beside what is the same there. The whole window
# (./ui) takes ten minutes more and is left out, unless asked for; the packages below
# it, which start its goroutines, are not. usage: race.sh GO [window]
set -eu
go=${1:-go}
[ "${2:-}" = window ] && left_out='^$' || left_out='^\./ui$'
packages=$(find . -name '.?*' -prune -o -name '*.go' ! -name '*_test.go' -exec grep -lE '^[[:space:]]*go |\.Go\(|AfterFunc\(' {} + |
  xargs -n 1 dirname | sort -u | grep -v "$left_out")
echo "Looking for races in" $packages
# shellcheck disable=SC2086 # one word for each package
CGO_ENABLED=1 $go test -race -short -tags ci -timeout 20m $packages
