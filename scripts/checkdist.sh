#!/bin/sh
# Tries the packages in dist/ as a user would: the .deb in fresh Debian systems without a
# network, the Windows setup under wine. As root, on Debian. Pictures of the windows and
# what was said are left in .cache/check-dist. usage: checkdist.sh [bullseye|bookworm|trixie|wine]...
set -eu
cd "$(dirname "$(realpath "$0")")/.."
version=$(cat VERSION)
at=$PWD/.cache/check-dist
mkdir -p "$at"
# One system a process, so that the first fault ends it and no other.
if [ $# != 1 ]; then
  failed=""
  for system in ${*:-bullseye bookworm trixie wine}; do
    echo "== $system"
    sh scripts/checkdist.sh "$system" || failed="$failed $system"
  done
  [ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
  exit
fi
missing=""
for p in debootstrap wine64 wine xvfb openbox xdotool python3-xlib imagemagick gcc-mingw-w64-x86-64 rpm2cpio cpio; do
  dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null | grep -q '^installed' || missing="$missing $p"
done
if [ -n "$missing" ]; then
  echo "Installing:$missing"
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
fi

# A display of our own. Xvfb chooses the number and says it.
rm -f "$at/display-$1"
Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$at/display-$1" 2>/dev/null &
screen=$!
manager="" window="" mounted=""
finish() {
  for p in $window $manager $screen; do kill "$p" 2>/dev/null || true; done
  for m in $mounted; do umount -l "$m" 2>/dev/null || true; done
}
trap finish EXIT
for _ in $(seq 60); do [ -s "$at/display-$1" ] && break; sleep 1; done
DISPLAY=:$(cat "$at/display-$1")
export DISPLAY
openbox >/dev/null 2>&1 &
manager=$!

fail() {
  import -window root "$at/$system-screen.png"
  echo "$system: $*; see $at/$system*" >&2
  exit 1
}

# Tries a command for at most five minutes: the machine may be busy.
until_works() { # what it is, command...
  what=$1
  shift
  for _ in $(seq 150); do
    "$@" >/dev/null 2>&1 && return
    kill -0 "$window" 2>/dev/null || fail "waited in vain: $what; the program has ended"
    sleep 2
  done
  fail "waited in vain: $what"
}

# How much two pictures differ: 0 not at all, 1 as black from white.
differ() { compare -metric RMSE "$1" "$2" null: 2>&1 | sed 's/.*(\(.*\))/\1/'; }
below() { awk "BEGIN { exit !($1 < $2) }"; }

# Waits until the window looks as in the picture that is kept: its messages go after a
# while. Other drivers draw a little differently; a map that is not drawn makes 0.04.
tolerance=0.02
looks_right() {
  shown=$(xdotool search --name '^sample ' | tail -n 1)
  for _ in $(seq 60); do
    import -window "$shown" "$at/$system.png"
    convert "$at/$system.png" -resize 400x250! -colors 64 "PNG8:$at/$system-small.png"
    off=$(differ packaging/window.png "$at/$system-small.png")
    if below "$off" $tolerance; then
      echo "$system: the window differs by $off from packaging/window.png"
      return
    fi
    sleep 3
  done
  fail "the window differs by $off from packaging/window.png"
}

# Drops the sample's extract on a window that shows another network.
drop_extract() {
  until_works "the window opens an extract" xdotool search --name '^cross '
  until_works "the drop is taken" /usr/bin/python3 ui/xtest/xdnd.py Retrace "$1"
  until_works "the extract is shown" xdotool search --name '^sample '
}

# An extract of two streets that cross.
cross='<?xml version="1.0"?><osm version="0.6">
<node id="1" version="1" lat="30.000" lon="-20.002"/><node id="2" version="1" lat="30.000" lon="-20.000"/>
<node id="3" version="1" lat="30.000" lon="-19.998"/><node id="4" version="1" lat="30.002" lon="-20.000"/>
<node id="5" version="1" lat="29.998" lon="-20.000"/>
<way id="1" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
<way id="2" version="1"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="residential"/></way>
</osm>'

# Closes the window as its user would; what it leaves then is its own fault.
close_window() {
  xdotool search --name '^sample ' windowactivate --sync
  xdotool key alt+F4
  for _ in $(seq 60); do kill -0 "$window" 2>/dev/null || return 0; sleep 1; done
  fail "the program does not end when its window is closed"
}

fresh_debian() { # suite, folder
  # Releases that are past their support move to the archive.
  [ -f "$at/base-$1/done" ] || {
    rm -rf "$at/base-$1"
    debootstrap --variant=minbase "$1" "$at/base-$1" >"$at/$1.log" ||
      { rm -rf "$at/base-$1"; debootstrap --variant=minbase "$1" "$at/base-$1" http://archive.debian.org/debian >"$at/$1.log"; }
    touch "$at/base-$1/done"
  }
  rm -rf "$2" && cp -a "$at/base-$1" "$2"
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  mount --bind /proc "$2/proc"
  mkdir -p "$2/tmp/.X11-unix"
  mount --bind /tmp/.X11-unix "$2/tmp/.X11-unix"
  mounted="$mounted $2/proc $2/tmp/.X11-unix"
}

debian() {
  root=$at/$system
  log=$at/$system.log
  fresh_debian "$system" "$root"
  cp "dist/retrace-$version-linux-amd64.deb" "$root/root/retrace.deb"
  # Dependencies come over the network; nothing after that does.
  chroot "$root" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends /root/retrace.deb' >>"$log" 2>&1 ||
    fail "the .deb cannot be installed"
  alone="unshare -n chroot $root env HOME=/root LANG=C.UTF-8 DISPLAY=$DISPLAY"
  $alone retrace --version
  $alone retrace --quiet sample /root/out --recover --method rntrajrec >"$at/$system-recovered.txt" 2>&1 || fail "the sample is not recovered by the model"
  $alone retrace doctor >"$at/$system-doctor.txt" 2>&1 || fail "doctor finds no end"
  if [ "$system" != bullseye ]; then # its Wayland library is too old for the window
    echo "$cross" >"$root/root/cross.osm"
    $alone retrace --workspace /root/w.retrace /root/cross.osm >"$at/$system-window.txt" 2>&1 &
    window=$!
    drop_extract /root/out/sample.osm.gz
    looks_right
    close_window
    [ -s "$root/root/w.retrace" ] || fail "there is no workspace"
    left=$(find "$root/root" -name 'w.retrace.*')
    [ -z "$left" ] || fail "closing leaves $left"
  fi
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get purge -y -q retrace >>"$log" 2>&1
  left=$(find "$root/usr" "$root/etc" "$root/var" -iname '*retrace*' ! -path '*/var/lib/apt/*' ! -path '*/var/log/*')
  [ -z "$left" ] || fail "uninstalling leaves $left"
  [ -s "$root/root/out/recovery.csv" ] || fail "the user's files are gone"
  # The .rpm holds the same files; Debian cannot install it.
  rpm2cpio "dist/retrace-$version-linux-amd64.rpm" | (cd "$root" && cpio -idm --quiet --no-absolute-filenames)
  $alone retrace --quiet sample /root/rpm --recover --method rntrajrec >"$at/$system-rpm.txt" 2>&1 || fail "what the .rpm holds does not recover"
  cmp "$root/root/out/recovery.csv" "$root/root/rpm/recovery.csv"
  echo "$system: .deb installed, recovered by the model$([ "$system" = bullseye ] || echo ", window opened, extract dropped"), uninstalled; .rpm unpacked, recovered"
}

# Tests of what differs on Windows: what is open, locks, long names. Wine 8 lacks the way
# in which Go's tests remove their folders, so they are built with the older one, which
# Go has too; and it makes no symbolic links.
tests_under_wine() {
  std=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
  sed 's/^var TestDeleteatFallback bool/var TestDeleteatFallback = true/' "$std" >"$at/at_windows.go"
  printf '{"Replace": {"%s": "%s"}}\n' "$std" "$at/at_windows.go" >"$at/overlay.json"
  for room in internal/scratch internal/atomicfile storage; do
    GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go test -c -overlay "$at/overlay.json" -tags ci -o "$at/test.exe" "./$room"
    case $room in storage) only="Golden|Locked|Killed|Leftover|AnotherProgram" ;; *) only=. ;; esac
    (cd "$room" && wine "$at/test.exe" -test.run "$only" -test.skip Link) >"$at/wine-tests.txt" 2>&1 || fail "tests of $room"
  done
  rm "$at/test.exe"
}

windows() {
  export WINEPREFIX="$at/wine-prefix" WINEDEBUG=-all WINEARCH=win64
  log=$at/wine.log
  rm -rf "$WINEPREFIX"
  wine wineboot -i >"$log" 2>&1
  # Every Go program asks Windows for random numbers by a library that wine 8 lacks.
  printf '%s\n' '#include <windows.h>' '#include <ntsecapi.h>' \
    '__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return RtlGenRandom(p, n); }' >"$at/prng.c"
  system32=$WINEPREFIX/drive_c/windows/system32
  [ -e "$system32/bcryptprimitives.dll" ] || x86_64-w64-mingw32-gcc -shared -o "$system32/bcryptprimitives.dll" "$at/prng.c" -ladvapi32
  tests_under_wine
  wine "dist/retrace-$version-windows-amd64-setup.exe" /S >>"$log" 2>&1
  program=$(find "$WINEPREFIX/drive_c/users" -name retrace.exe)
  [ -n "$program" ] || fail "the setup installs nothing"
  wine "$program" --version | tr -d '\r'
  out=$at/wine-out
  rm -rf "$out" && mkdir "$out"
  # A folder as users have them: with letters of other languages, and deep.
  deep="$out/Müller & Söhne 北京"
  for _ in 1 2 3 4 5 6; do deep="$deep/Fahrten im Straßenverkehr einer großen Stadt"; done
  mkdir -p "$deep"
  echo "$cross" >"$out/cross.osm"
  wine "$program" --quiet sample "$out/sample" --recover --method rntrajrec >"$at/wine-recovered.txt" 2>&1 || fail "the sample is not recovered by the model"
  wine "$program" doctor >"$at/wine-doctor.txt" 2>&1 || fail "doctor finds no end"
  grep -q '^device cpu *works' "$at/wine-doctor.txt" || fail "the model does not run on the CPU"
  wine "$program" --quiet recover "$out/sample/trips.csv" --network "$out/sample/sample.osm.gz" -o - 2>"$at/wine-pipe.txt" | head -n 2 | tr -d '\r' >"$at/wine.csv"
  grep -q '^trajectory,time,lon,lat' "$at/wine.csv" || fail "no CSV comes through a pipe"
  wine "$program" --quiet recover "$out/sample/trips.csv" --network "$out/sample/sample.osm.gz" -o "$deep/Übersicht.csv" >"$at/wine-deep.txt" 2>&1 || fail "nothing is written to $deep"
  [ -s "$deep/Übersicht.csv" ] || fail "nothing is written to $deep"
  wine "$(dirname "$program")/retracew.exe" --workspace "$out/w.retrace" "$out/cross.osm" >"$at/wine-window.txt" 2>&1 &
  window=$!
  drop_extract "$out/sample/sample.osm.gz"
  looks_right
  close_window
  [ -s "$out/w.retrace" ] || fail "there is no workspace"
  left=$(find "$out" -name 'w.retrace.*')
  [ -z "$left" ] || fail "closing leaves $left"
  wine "$(dirname "$program")/uninstall.exe" /S >>"$log" 2>&1
  for _ in $(seq 60); do [ -e "$program" ] || break; sleep 1; done
  left=$(find "$(dirname "$program")" 2>/dev/null || true)
  [ -z "$left" ] || fail "uninstalling leaves $left"
  [ -s "$out/w.retrace" ] || fail "the user's workspace is gone"
  echo "wine: installed, recovered by the model, wrote CSV into a pipe, window opened an extract, uninstalled"
}

system=$1
case "$system" in
wine) windows ;;
bullseye | bookworm | trixie) debian ;;
*) echo "usage: checkdist.sh [bullseye|bookworm|trixie|wine]..." >&2; exit 2 ;;
esac
