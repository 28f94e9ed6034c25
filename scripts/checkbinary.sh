#!/bin/sh
# Fails where a program would not start on the oldest system that it is made for.
# usage: checkbinary.sh linux|windows FILE...
set -eu
system=$1
shift
floor=2.28 # glibc of Debian 10, RHEL 8 and Ubuntu 20.04
ours="libc.so.6|libm.so.6|libdl.so.2|libpthread.so.0|librt.so.1|ld-linux-x86-64.so.2|ld-linux-aarch64.so.1|libstdc\+\+.so.6|libgcc_s.so.1|libGL.so.1|libEGL.so.1|libGLESv2.so.2|libresolv.so.2|libwayland-client.so.0"
theirs="advapi32|bcrypt|bcryptprimitives|cfgmgr32|comctl32|comdlg32|crypt32|dbghelp|d3d12|dxgi|gdi32|imm32|kernel32|msvcrt|ntdll|ole32|oleaut32|opengl32|psapi|rpcrt4|setupapi|shell32|shlwapi|user32|ucrtbase|userenv|uxtheme|version|winmm|ws2_32|api-ms-win-[a-z0-9-]*"
bad=0
for file in "$@"; do
  if [ "$system" = linux ]; then
    needs=$(objdump -p "$file" | sed -n 's/^ *NEEDED *//p' | grep -vxE "$ours" || true)
    newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1)
    echo "$file: glibc $newest"
    if [ "$(printf '%s\n%s\n' "$newest" "$floor" | sort -V | tail -n 1)" != "$floor" ]; then
      echo "$file needs glibc $newest, later than $floor" >&2
      bad=1
    fi
  else
    needs=$(x86_64-w64-mingw32-objdump -p "$file" | sed -n 's/^.*DLL Name: //p' | tr 'A-Z' 'a-z' | sed 's/\.dll$//; s/\.drv$//' | grep -vxE "$theirs" || true)
  fi
  if [ -n "$needs" ]; then
    echo "$file needs libraries that not every system has:" $needs >&2
    bad=1
  fi
done
exit $bad
