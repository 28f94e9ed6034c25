#!/bin/sh
# Runs Python with all that training needs. usage: python.sh ARGUMENTS...
# It takes the first of .cache/venv, Debian's Python and the one in PATH that has
# PyTorch. Ends with status 3 and a word where there is none.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
extra=$root/.cache/python

python=""
for p in "${PYTHON:-}" "$root/.cache/venv/bin/python" /usr/bin/python3 python3; do
  if [ -n "$p" ] && "$p" -c "import torch, numpy, onnx, pytest, tomllib" 2>/dev/null; then
    python=$p
    break
  fi
done
if [ -z "$python" ]; then
  echo "No Python 3.11 or later has PyTorch, NumPy, ONNX and pytest. Install them from your system, or with" >&2
  echo "  python3 -m venv .cache/venv && .cache/venv/bin/pip install -r training/requirements.txt" >&2
  exit 3
fi

# No system packages ONNX Runtime for Python; exported graphs are checked with it. Some
# versions of it send telemetry unless this is set.
export ORT_DISABLE_TELEMETRY=1
export PYTHONPATH="$root/training:$extra"
if ! "$python" -c "import onnxruntime" 2>/dev/null; then
  wanted=$(grep '^onnxruntime==' "$root/training/requirements.txt")
  echo "Installing: $wanted to .cache/python" >&2
  if ! "$python" -m pip install -q --no-deps --only-binary=:all: --target "$extra" "$wanted" >&2; then
    echo "ONNX Runtime for Python could not be installed." >&2
    exit 3
  fi
fi
exec "$python" "$@"
