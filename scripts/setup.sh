#!/bin/sh
# Installs what Retrace needs to be built, on Debian and its kin; elsewhere it
# says what is needed. usage: setup.sh window|headless|runtime|test|formats|training
set -eu

# The runtime of models is bound in C.
small="gcc libc6-dev"
# What the window is built with.
window="$small pkg-config libgl-dev libegl-dev libgles-dev libx11-dev libxrandr-dev libxxf86vm-dev libxi-dev
  libxcursor-dev libxinerama-dev libwayland-dev libxkbcommon-dev"
# What the runtime of models is fetched with.
runtime="python3 python3-pip"
# Programs that tests compare Retrace with; such a test is skipped without its program.
test="$small gdal-bin libxml2-utils bzip2 python3 python3-pip strace util-linux xvfb xdotool"
# Programs that read what Retrace writes; QGIS is large. scripts/formats.sh adds
# what Debian does not have.
formats="gdal-bin python3-gdal python3-qgis qgis-providers libxml2-utils python3 python3-venv"
# What the model is trained with; a virtual environment does as well.
training="python3-torch python3-numpy python3-onnx python3-pytest python3-pip"

case "${1:-}" in
window) wanted=$window ;;
headless) wanted=$small ;;
runtime) wanted=$runtime ;;
test) wanted=$test ;;
formats) wanted=$formats ;;
training) wanted=$training ;;
*) echo "usage: $0 window|headless|runtime|test|formats|training" >&2; exit 2 ;;
esac

if [ "$1" != runtime ] && ! command -v go >/dev/null; then
  echo "Retrace is built with Go 1.26 or later, which is not installed: get it from your system or from go.dev." >&2
  exit 1
fi

# Any C compiler that works will do.
if [ "$1" = headless ] && printf '#include <stdlib.h>\n' | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null; then
  exit 0
fi

case "$(uname -s)" in
Darwin)
  if [ "$1" = window ] && ! xcode-select -p >/dev/null 2>&1; then
    echo "Install Apple's command line tools first: xcode-select --install" >&2
    exit 1
  fi
  exit 0 ;;
Linux) ;;
*) # Windows, with a Unix-like shell
  if [ "$1" = window ] && ! command -v gcc >/dev/null; then
    echo "Install a C compiler first, such as gcc of MSYS2 (pacman -S mingw-w64-x86_64-gcc), and have it in PATH." >&2
    exit 1
  fi
  exit 0 ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  if [ "$1" = window ] && ! pkg-config --exists x11 gl wayland-client xkbcommon 2>/dev/null; then
    echo "If the build fails, install what the window is built with. On Fedora:" >&2
    echo "  sudo dnf install gcc pkgconf-pkg-config mesa-libGL-devel mesa-libEGL-devel mesa-libGLES-devel libX11-devel libXrandr-devel libXxf86vm-devel libXi-devel libXcursor-devel libXinerama-devel wayland-devel libxkbcommon-devel" >&2
  fi
  exit 0
fi

missing=""
for p in $wanted; do
  dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null | grep -q '^installed' || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
echo "Installing:$missing"
if [ -n "$sudo" ] && ! command -v sudo >/dev/null; then
  echo "Not root, and there is no sudo: install these as root." >&2
elif $sudo apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends $missing >/dev/null; then
  exit 0
else
  echo "Some packages could not be installed." >&2
fi
# Nothing is built without these; what else is wanted, all can do without.
case "$1" in window | headless) exit 1 ;; esac
