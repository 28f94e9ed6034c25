#!/bin/sh
# Prints CGO_ENABLED=1 where C code can be built with the compression library,
# else CGO_ENABLED=0: Retrace without its window is then built in Go alone.
if printf '#include <zlib.h>\n' | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null; then
  echo CGO_ENABLED=1
else
  echo CGO_ENABLED=0
fi
