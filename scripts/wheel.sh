#!/bin/sh
# Builds the wheel of the Python package, with the program (without a window) and the
# library of models inside, for the system that it runs on. usage: wheel.sh RETRACE OUT
set -eu
retrace=$1 out=$2
root=$(cd "$(dirname "$0")/.." && pwd)
work=$root/.cache/wheel
rm -rf "$work"
mkdir -p "$work" "$out"
cp -R "$root/integrations/python/." "$work/package"
rm -rf "$work/package/build" "$work/package"/src/*.egg-info
cp "$root/VERSION" "$root/LICENSE" "$work/package/"
bin=$work/package/src/retrace/bin
mkdir -p "$bin"
install -m 755 "$retrace" "$bin/retrace"
cp "$root/.cache/onnxruntime"/libonnxruntime.* "$bin/"
cp "$root/assets/licences.txt" "$bin/"

# The tag of the wheel: the newest glibc that program and library ask for.
case "$(uname -s)" in
Linux)
  newest=$(objdump -T "$bin"/retrace "$bin"/libonnxruntime.* | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  tag=manylinux_$(echo "${newest#GLIBC_}" | tr . _)_$(uname -m)
  ;;
*) tag=$(python3 -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))') ;;
esac
printf '[bdist_wheel]\nplat_name = %s\n' "$tag" >"$work/package/setup.cfg"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --only-binary :all: pip==25.3 || echo "pip stays as it is" >&2
"$work/venv/bin/pip" wheel -q --no-deps -w "$work/dist" "$work/package"
for wheel in "$work"/dist/retrace-*.whl; do
  # Nothing in it depends on the version of Python.
  case "$wheel" in *-py3-none-"$tag".whl) ;; *) echo "$wheel is not for $tag" >&2; exit 1 ;; esac
  cp "$wheel" "$out/"
  echo "$out/$(basename "$wheel")"
done

# It is installed where nothing else is, and the lines of its README are run.
"$work/venv/bin/pip" install -q --only-binary :all: "pyarrow==26.0.1" "pandas==3.1.1" "$out"/retrace-*-"$tag".whl
cd "$work"
env -u RETRACE_BINARY -u RETRACE_ONNXRUNTIME "$work/venv/bin/python" "$root/integrations/python/tests/readme.py" "$root/integrations/python/README.md"
