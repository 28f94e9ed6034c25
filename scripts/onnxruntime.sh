#!/bin/sh
# Installs the ONNX Runtime library, which models run in, to .cache/onnxruntime.
# usage: onnxruntime.sh [gpu]
#
# Without gpu it comes from the Python package of the same name and computes on the
# CPU. With gpu it comes from the Node package, whose library also knows WebGPU
# (DirectML on Windows, CoreML on macOS) and so the graphics processors of any maker.
# Of the packages only the library is kept.
#
# 1.27 is the last version whose packages send no telemetry on any system: those since
# 1.29 do on Linux and macOS. The program turns that off in any version, see
# engine/ort/telemetry.go; this one cannot at all. engine/ort/telemetry_test.go checks it.
set -eu

version=1.27.0
folder=.cache/onnxruntime
# Of the Node package as npm packs it.
sha256=c3779c01c59832f8c03e2c392ac3af10bf08579f1822e8b1c63cc451edb302a2

kind=${1:-cpu}
case "$kind" in cpu | gpu) ;; *) echo "usage: $0 [gpu]" >&2; exit 2 ;; esac
# A library that knows the GPU computes on the CPU, too.
if [ "$(cat "$folder/version" 2>/dev/null)" = "$version" ]; then
  [ "$kind" = cpu ] || [ -f "$folder/gpu" ] && exit 0
fi
got=$(mktemp -d)
trap 'rm -rf "$got"' EXIT

from_pip() {
  if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
    echo "ONNX Runtime is installed through Python's pip, which is missing (Debian: python3-pip)." >&2
    exit 1
  fi
  # The library does not depend on the version of Python that the package is for.
  python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.11 -d "$got" "onnxruntime==$version"
  mkdir "$got/new"
  python3 - "$got" "$got/new" <<'PYTHON'
import glob, os, sys, zipfile
wheels, folder = sys.argv[1:]
with zipfile.ZipFile(glob.glob(wheels + "/*.whl")[0]) as z:
    for name in z.namelist():
        base = os.path.basename(name)
        if base.startswith("libonnxruntime.") or base == "onnxruntime.dll":
            with open(os.path.join(folder, base), "wb") as f:
                f.write(z.read(name))
PYTHON
}

# npm install would run the package's own script, which downloads more from elsewhere.
from_npm() {
  if ! command -v npm >/dev/null; then
    echo "The library for GPUs is installed through npm, which is missing (Debian: npm)." >&2
    exit 1
  fi
  case "$(uname -sm)" in
  "Linux x86_64") place=linux/x64 ;;
  "Linux aarch64") place=linux/arm64 ;;
  "Darwin arm64") place=darwin/arm64 ;;
  *ARM64* | *aarch64*) place=win32/arm64 ;;
  MINGW* | MSYS* | CYGWIN*) place=win32/x64 ;;
  *) echo "The package has no library for $(uname -sm)." >&2; exit 1 ;;
  esac
  (cd "$got" && npm pack --silent "onnxruntime-node@$version" >/dev/null)
  package=$(ls "$got"/*.tgz)
  sum=$(if command -v sha256sum >/dev/null; then sha256sum "$package"; else shasum -a 256 "$package"; fi | cut -d ' ' -f 1)
  if [ "$sum" != "$sha256" ]; then
    echo "The package onnxruntime-node $version is not the one that is known: SHA-256 $sum." >&2
    exit 1
  fi
  (cd "$got" && tar xzf "$package" && mv "package/bin/napi-v6/$place" new && rm -f new/*.node)
  # Those of macOS are there twice.
  [ ! -f "$got/new/libonnxruntime.$version.dylib" ] || rm -f "$got/new/libonnxruntime.1.dylib"
  touch "$got/new/gpu"
}

echo "Installing: ONNX Runtime $version ($kind)"
if [ "$kind" = gpu ]; then from_npm; else from_pip; fi
echo "$version" >"$got/new/version"
# Programs that have the old library open keep it.
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$got/new" "$folder"
ls "$folder"/*onnxruntime*
