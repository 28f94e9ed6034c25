#!/bin/sh
# Runs the race detector on the packages that start goroutines, with the shorter
# form of their tests: what runs beside what is the same there. usage: race.sh GO
set -eu
go=${1:-go}
packages=$(find . -name '.?*' -prune -o -name '*.go' ! -name '*_test.go' -exec grep -lE '^[[:space:]]*go |\.Go\(|AfterFunc\(' {} + |
  xargs -n 1 dirname | sort -u)
echo "Looking for races in" $packages
# shellcheck disable=SC2086 # one word for each package
CGO_ENABLED=1 $go test -race -short -tags ci -timeout 20m $packages
