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
for p in debootstrap wine64 wine xvfb imagemagick gcc-mingw-w64-x86-64 rpm2cpio cpio; do
  dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null | grep -q '^installed' || missing="$missing $p"
done
if [ -n "$missing" ]; then
  echo "Installing:$missing"
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
fi

# A display of our own. Xvfb chooses the number and says it.
Xvfb -displayfd 3 -screen 0 1600x1000x24 3>"$at/display" 2>/dev/null &
screen=$!
mounted=""
finish() {
  kill "$screen" 2>/dev/null || true
  for m in $mounted; do umount -l "$m" 2>/dev/null || true; done
}
trap finish EXIT
for _ in $(seq 60); do [ -s "$at/display" ] && break; sleep 1; done
DISPLAY=:$(cat "$at/display")
export DISPLAY

# A window is there when the screen shows many colours, for at most five minutes.
looked_at() {
  for _ in $(seq 60); do
    sleep 5
    import -window root "$at/$1.png"
    [ "$(identify -format %k "$at/$1.png")" -gt 500 ] && return
  done
  echo "$1: no window came up; see $at/$1.png" >&2
  return 1
}

debian() {
  suite=$1
  base=$at/base-$suite
  root=$at/$suite
  # Releases that are past their support move to the archive.
  [ -f "$base/done" ] || {
    rm -rf "$base"
    debootstrap --variant=minbase "$suite" "$base" http://deb.debian.org/debian >"$at/$suite.log" ||
      { rm -rf "$base"; debootstrap --variant=minbase "$suite" "$base" http://archive.debian.org/debian >"$at/$suite.log"; }
    touch "$base/done"
  }
  rm -rf "$root" && cp -a "$base" "$root"
  cp "dist/retrace-$version-linux-amd64.deb" "$root/root/retrace.deb"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  mount --bind /proc "$root/proc"
  mkdir -p "$root/tmp/.X11-unix"
  mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
  mounted="$mounted $root/proc $root/tmp/.X11-unix"
  chroot "$root" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends /root/retrace.deb' >>"$at/$suite.log" 2>&1
  alone="unshare -n chroot $root env HOME=/root DISPLAY=$DISPLAY"
  $alone retrace --version
  $alone retrace --quiet sample /root/out --recover --method rntrajrec
  $alone retrace --workspace /root/w.retrace /root/out/sample.osm.gz >"$at/$suite-window.log" 2>&1 &
  window=$!
  looked_at "$suite" || { cat "$at/$suite-window.log"; return 1; }
  kill "$window"
  wait "$window" || true
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get purge -y -q retrace >>"$at/$suite.log" 2>&1
  left=$(find "$root/usr" "$root/etc" "$root/var" -iname '*retrace*' ! -path '*/var/lib/apt/*' ! -path '*/var/log/*')
  [ -z "$left" ] || { echo "$suite: left behind: $left" >&2; return 1; }
  [ -s "$root/root/w.retrace" ] || { echo "$suite: the user's workspace is gone" >&2; return 1; }
  # The .rpm holds the same files; Debian cannot install it.
  rpm2cpio "dist/retrace-$version-linux-amd64.rpm" | (cd "$root" && cpio -idm --quiet)
  $alone retrace --quiet sample /root/rpm --recover --method rntrajrec >"$at/$suite-rpm.log"
  cmp "$root/root/out/recovery.csv" "$root/root/rpm/recovery.csv"
  echo "$suite: .deb installed, recovered, opened, uninstalled; .rpm unpacked, recovered"
}

windows() {
  export WINEPREFIX="$at/wine" WINEDEBUG=-all WINEARCH=win64
  rm -rf "$WINEPREFIX"
  wine wineboot -i >"$at/wine.log" 2>&1
  # Every Go program asks Windows for random numbers by a library that wine 8 lacks.
  printf '%s\n' '#include <windows.h>' '#include <ntsecapi.h>' \
    '__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n) { return RtlGenRandom(p, n); }' >"$at/prng.c"
  system32=$WINEPREFIX/drive_c/windows/system32
  [ -e "$system32/bcryptprimitives.dll" ] || x86_64-w64-mingw32-gcc -shared -o "$system32/bcryptprimitives.dll" "$at/prng.c" -ladvapi32
  wine "dist/retrace-$version-windows-amd64-setup.exe" /S >>"$at/wine.log" 2>&1
  program=$(find "$WINEPREFIX/drive_c/users" -name retrace.exe)
  wine "$program" --version | tr -d '\r'
  wine "$program" --quiet sample "$at/wine-out" --recover --method rntrajrec 2>&1 | tr -d '\r'
  wine "$program" --quiet recover "$at/wine-out/trips.csv" --network "$at/wine-out/sample.osm.gz" -o - | head -n 2 | tr -d '\r' >"$at/wine.csv"
  grep -q '^trajectory,time,lon,lat' "$at/wine.csv"
  wine "$(dirname "$program")/retracew.exe" "$at/wine-out/sample.osm.gz" >"$at/wine-window.log" 2>&1 &
  window=$!
  looked_at wine
  kill "$window"
  wait "$window" || true
  wine "$(dirname "$program")/uninstall.exe" /S >>"$at/wine.log" 2>&1
  for _ in $(seq 30); do [ -e "$program" ] || break; sleep 1; done
  [ ! -e "$program" ] || { echo "wine: retrace.exe is left behind" >&2; return 1; }
  echo "wine: installed, recovered, wrote CSV into a pipe, opened, uninstalled"
}

case "$1" in
wine) windows ;;
bullseye | bookworm | trixie) debian "$1" ;;
*) echo "usage: checkdist.sh [bullseye|bookworm|trixie|wine]..." >&2; exit 2 ;;
esac
