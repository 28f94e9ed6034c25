#!/bin/sh
# Installs what packages are made with: Debian's packages, and to .cache/dist/tools zig
# (a C compiler that links against an old libc, from PyPI) and nfpm (from the Go proxy).
set -eu
debian="gcc-mingw-w64-x86-64 nsis icoutils librsvg2-bin python3-pip npm zip libgl-dev libegl-dev libgles-dev libx11-dev
  libxrandr-dev libxxf86vm-dev libxi-dev libxcursor-dev libxinerama-dev libwayland-dev libxkbcommon-dev"
missing=""
for p in $debian; do
  dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null | grep -q '^installed' && continue
  case "$p" in # may come from elsewhere
  npm) command -v npm >/dev/null && continue ;;
  python3-pip) python3 -m pip --version >/dev/null 2>&1 && continue ;;
  esac
  missing="$missing $p"
done
if [ -n "$missing" ]; then
  echo "Installing:$missing"
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends $missing >/dev/null
fi

tools=.cache/dist/tools
mkdir -p "$tools"
if [ ! -x "$tools/zig/ziglang/zig" ]; then
  echo "Installing: zig 0.15.2"
  got=$(mktemp -d)
  printf 'ziglang==0.15.2 --hash=sha256:%s --hash=sha256:%s\n' 806316453d1ede7174ed3fefb8e5348154629089c3bb5fe812dfd0e172fac130 edc0aa60ec964a4cf462d40f68d7de242ddf37fd9a80f2afaee6397059463230 >"$got/wanted.txt"
  python3 -m pip download -q --disable-pip-version-check --no-deps --require-hashes -d "$got" -r "$got/wanted.txt"
  rm -rf "$tools/zig"
  python3 -m zipfile -e "$got"/*.whl "$tools/zig"
  chmod +x "$tools/zig/ziglang/zig"
  rm -rf "$got"
fi
if [ ! -x "$tools/nfpm" ]; then
  echo "Installing: nfpm 2.43.1"
  GOBIN="$PWD/$tools" go install github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.1
fi
