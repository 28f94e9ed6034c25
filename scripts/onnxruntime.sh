#!/bin/sh
# Installs the ONNX Runtime library, which models run in, to .cache/onnxruntime: from
# the Python package of the same name, of which only the library is kept.
set -eu

version=1.29.0
folder=.cache/onnxruntime

ls "$folder"/libonnxruntime* >/dev/null 2>&1 && exit 0
if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
  echo "ONNX Runtime is installed through Python's pip, which is missing (Debian: python3-pip)." >&2
  exit 1
fi
echo "Installing: ONNX Runtime $version"
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
# The library does not depend on the version of Python that the package is for.
python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.11 -d "$wheels" "onnxruntime==$version"
mkdir -p "$folder"
python3 - "$wheels" "$folder" <<'PYTHON'
import glob, os, sys, zipfile
wheels, folder = sys.argv[1:]
with zipfile.ZipFile(glob.glob(wheels + "/*.whl")[0]) as z:
    for name in z.namelist():
        base = os.path.basename(name)
        if base.startswith("libonnxruntime.") or base == "onnxruntime.dll":
            with open(os.path.join(folder, base), "wb") as f:
                f.write(z.read(name))
PYTHON
ls "$folder"/*onnxruntime*
