#!/bin/sh
# Installs the ONNX Runtime library, which models run in, to .cache/onnxruntime.
# usage: onnxruntime.sh [gpu], or onnxruntime.sh package FOLDER: unpacks there the Node
# package with the libraries of every system; or onnxruntime.sh version
#
# Without gpu it comes from the Python package of the same name and computes on the
# CPU. With gpu it comes from the Node package, whose library also knows WebGPU
# (DirectML on Windows, CoreML on macOS) and so the graphics processors of any maker.
# Both are asked for by name, version and SHA-256. Of them only the library is kept.
#
# 1.27 is the last version whose packages send no telemetry on any system: those since
# 1.29 do on Linux and macOS. The program turns that off in any version, see
# engine/ort/telemetry.go; this one cannot at all. engine/ort/telemetry_test.go checks it.
set -eu

version=1.27.0
folder=.cache/onnxruntime
# Of the Node package as npm packs it.
npm_sha256=c3779c01c59832f8c03e2c392ac3af10bf08579f1822e8b1c63cc451edb302a2
# Of the Python packages for Python 3.11, which the library does not depend on:
# Linux x86-64 and arm64, macOS arm64, Windows x86-64 and arm64.
pip_sha256="e4f7b0e90d2d212e2c2deaa6c8291616183ab815d3ec558ea12d3ac8b26d36f4
  2eb083321af8a236a84c7c140a7f4cecbfa2a987a18c07c78db471c20cd390ef
  8ba14a38c570087f3cdb8cfba33f7a38a1e826c1e5b29e17c28ceda0cc910016
  ff050e4f6bf7f12918fa14dcb047c0b02e295f35e86d42532552be4b3d54e977
  75fbc1e1fb43a39a856c8209c544cca7817b5de7ac16b15b1bdf55d1cc67b9df"

kind=${1:-cpu}
case "$kind" in
cpu | gpu) ;;
package) [ $# = 2 ] || exit 2 ;;
version) echo "$version"; exit ;;
*) echo "usage: $0 [gpu | package FOLDER | version]" >&2; exit 2 ;;
esac
# A library that knows the GPU computes on the CPU, too.
if [ "$kind" != package ] && [ "$(cat "$folder/version" 2>/dev/null)" = "$version" ]; then
  [ "$kind" = cpu ] || [ -f "$folder/gpu" ] && exit 0
fi
got=$(mktemp -d)
trap 'rm -rf "$got"' EXIT

fail() {
  echo "ONNX Runtime, which the model runs in, is not installed: $1" >&2
  exit 1
}

python=python3
command -v python3 >/dev/null || python=python

from_pip() {
  "$python" -m pip --version >/dev/null 2>&1 || scripts/setup.sh runtime
  "$python" -m pip --version >/dev/null 2>&1 || fail "Python's pip is missing."
  {
    printf 'onnxruntime==%s' "$version"
    for sum in $pip_sha256; do printf ' --hash=sha256:%s' "$sum"; done
  } >"$got/wanted.txt"
  "$python" -m pip download -q --disable-pip-version-check --retries 1 --timeout 15 --no-deps --require-hashes \
    --only-binary=:all: --python-version 3.11 -d "$got" -r "$got/wanted.txt" 2>"$got/said" ||
    fail "$(grep -m 1 ERROR "$got/said" || tail -n 1 "$got/said")"
  mkdir "$got/new"
  "$python" - "$got" "$got/new" <<'PYTHON'
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
fetch_npm() {
  command -v npm >/dev/null || fail "the library for GPUs comes through npm, which is missing (Debian: npm)."
  (cd "$got" && npm pack --silent "onnxruntime-node@$version" >/dev/null) || fail "npm cannot fetch onnxruntime-node $version."
  package=$(ls "$got"/*.tgz)
  sum=$(if command -v sha256sum >/dev/null; then sha256sum "$package"; else shasum -a 256 "$package"; fi | cut -d ' ' -f 1)
  [ "$sum" = "$npm_sha256" ] || fail "onnxruntime-node $version is not the package that is known: SHA-256 $sum."
}

from_npm() {
  case "$(uname -sm)" in
  "Linux x86_64") place=linux/x64 ;;
  "Linux aarch64") place=linux/arm64 ;;
  "Darwin arm64") place=darwin/arm64 ;;
  *ARM64* | *aarch64*) place=win32/arm64 ;;
  MINGW* | MSYS* | CYGWIN*) place=win32/x64 ;;
  *) fail "the package has no library for $(uname -sm)." ;;
  esac
  fetch_npm
  (cd "$got" && tar xzf "$package" && mv "package/bin/napi-v6/$place" new && rm -f new/*.node)
  # Those of macOS are there twice.
  [ ! -f "$got/new/libonnxruntime.$version.dylib" ] || rm -f "$got/new/libonnxruntime.1.dylib"
  touch "$got/new/gpu"
}

if [ "$kind" = package ]; then
  fetch_npm
  mkdir -p "$2"
  tar xzf "$package" -C "$2"
  exit
fi
echo "Installing: ONNX Runtime $version ($kind)"
if [ "$kind" = gpu ]; then from_npm; else from_pip; fi
echo "$version" >"$got/new/version"
# Programs that have the old library open keep it.
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$got/new" "$folder"
