#!/bin/sh
# Makes the packages, in dist/. usage: dist.sh [windows-amd64] [linux-amd64] [linux-arm64]
# Without a name it makes all of them. Each part can be made alone and again.
set -eu
cd "$(dirname "$0")/.."
version=$(cat VERSION)
work=$PWD/.cache/dist
out=$PWD/dist
zig=$work/tools/zig/ziglang/zig
# The oldest glibc that programs for Linux may ask for: the runtime of models needs it.
glibc=2.28
onnx_version=$(scripts/onnxruntime.sh version)
[ -n "${BUILD:-}" ] && echo "This is no release: $BUILD"
ldflags="-s -w${BUILD:+ -X main.build=$BUILD}"

# The libraries of the runtime for every system come in one package.
fetch_runtime() {
  [ "$(cat "$work/runtime/version" 2>/dev/null)" = "$onnx_version" ] && return
  rm -rf "$work/runtime" && mkdir -p "$work/runtime"
  scripts/onnxruntime.sh package "$work/runtime"
  echo "$onnx_version" >"$work/runtime/version"
}

# What goes into every archive beside the program.
papers() {
  cp LICENSE CHANGELOG.md assets/licences.txt "$1/"
  go run ./tools/licences -sbom "$1/sbom.json" -version "$version" -runtime "$onnx_version" -system "$2"
}

windows() {
  from=$work/windows-amd64
  rm -rf "$from" && mkdir -p "$from/program"
  for n in 16 32 48 256; do rsvg-convert -w $n -h $n assets/icon.svg -o "$from/$n.png"; done
  icotool -c -o "$from/retrace.ico" "$from/16.png" "$from/32.png" "$from/48.png" --raw="$from/256.png"
  x86_64-w64-mingw32-windres -I "$from" -DVERSION_NUMBERS="$(echo "$version" | tr . ,),0" -DVERSION_TEXT="\\\"$version\\\"" \
    packaging/windows/retrace.rc -O coff -o rsrc_windows_amd64.syso
  export GOOS=windows GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc CXX=x86_64-w64-mingw32-g++ CGO_CFLAGS="-O2 -g0"
  # The window has no console; the other is for scripts, whose output goes into pipes.
  go build -trimpath -tags ci -ldflags "$ldflags" -o "$from/program/retrace.exe" .
  go build -trimpath -tags no_emoji -ldflags "$ldflags -H=windowsgui" -o "$from/program/retracew.exe" .
  unset GOOS GOARCH CGO_ENABLED CC CXX CGO_CFLAGS
  rm rsrc_windows_amd64.syso
  cp "$work"/runtime/package/bin/napi-v6/win32/x64/*.dll "$from/program/"
  papers "$from/program" windows
  scripts/checkbinary.sh windows "$from"/program/*.exe
  (cd "$from/program" && find . -type f | sed 's|^\./|  Delete "$INSTDIR\\|; s|$|"|') >"$from/uninstall.nsh"
  makensis -V2 -DVERSION="$version" -DFROM="$from" -DOUT="$out/retrace-$version-windows-amd64-setup.exe" packaging/windows/setup.nsi
  rm -f "$out/retrace-$version-windows-amd64.zip"
  ln -sfn "$from/program" "$work/retrace-$version"
  (cd "$work" && zip -q -r "$out/retrace-$version-windows-amd64.zip" "retrace-$version")
  rm "$work/retrace-$version"
}

# Headers alone come from Debian. The window's library opens all others when it runs,
# so empty ones will do to link with.
sysroot() {
  root=$work/sysroot-$1
  rm -rf "$root" && mkdir -p "$root/include" "$root/lib"
  for name in X11 GL EGL GLES2 GLES3 KHR xkbcommon; do ln -s "/usr/include/$name" "$root/include/$name"; done
  for h in /usr/include/wayland-*.h; do ln -s "$h" "$root/include/"; done
  : >"$root/empty.c"
  for name in X11 Xrandr Xxf86vm Xi Xcursor Xinerama wayland-client wayland-cursor wayland-egl xkbcommon GLESv2 EGL; do
    "$zig" cc -target "$2" -shared -o "$root/lib/lib$name.so" "$root/empty.c"
  done
  echo 'void *glXGetProcAddress(const unsigned char *n){(void)n;return 0;} void *glXGetProcAddressARB(const unsigned char *n){(void)n;return 0;}' >"$root/gl.c"
  "$zig" cc -target "$2" -shared -Wl,-soname,libGL.so.1 -o "$root/lib/libGL.so" "$root/gl.c"
  # The window calls these of Wayland itself; the sizes of the two tables are those of the real ones.
  : >"$root/wayland.c"
  for name in display_connect display_disconnect display_roundtrip proxy_get_version proxy_marshal_flags proxy_add_listener proxy_destroy; do
    echo "void wl_$name(void) {}" >>"$root/wayland.c"
  done
  echo 'void *wl_registry_interface[5], *wl_callback_interface[5];' >>"$root/wayland.c"
  "$zig" cc -target "$2" -shared -Wl,-soname,libwayland-client.so.0 -o "$root/lib/libwayland-client.so" "$root/wayland.c"
  for name in gl:GL egl:EGL glesv2:GLESv2 x11:X11 xrandr:Xrandr xxf86vm:Xxf86vm xi:Xi xcursor:Xcursor xinerama:Xinerama \
    wayland-client:wayland-client wayland-cursor:wayland-cursor wayland-egl:wayland-egl xkbcommon:xkbcommon; do
    printf 'Name: %s\nDescription: %s\nVersion: 1\nLibs: -L%s/lib -l%s\n' "${name%:*}" "${name%:*}" "$root" "${name#*:}" >"$root/${name%:*}.pc"
  done
}

linux() { # amd64 x86_64 x64 | arm64 aarch64 arm64
  from=$work/linux-$1
  target=$2-linux-gnu.$glibc
  rm -rf "$from" && mkdir -p "$from"
  sysroot "$1" "$target"
  env GOOS=linux GOARCH="$1" CGO_ENABLED=1 CC="$zig cc -target $target" CXX="$zig c++ -target $target" \
    PKG_CONFIG_LIBDIR="$root" CGO_CFLAGS="-O2 -g0 -isystem $root/include" CGO_LDFLAGS="-Wl,--as-needed -L$root/lib" \
    go build -trimpath -tags no_emoji,gles -ldflags "$ldflags -extldflags=-Wl,-z,lazy" -o "$from/retrace" .
  cp "$work/runtime/package/bin/napi-v6/linux/$3/libonnxruntime.so.1" "$from/"
  papers "$from" linux
  scripts/checkbinary.sh linux "$from/retrace" "$from/libonnxruntime.so.1"
  for kind in deb rpm; do
    VERSION=$version ARCH=$1 FROM=$from "$work/tools/nfpm" package -f packaging/linux/nfpm.yaml -p $kind -t "$out/retrace-$version-linux-$1.$kind" >/dev/null
  done
  cp packaging/linux/org.retrace.Retrace.* assets/icon.svg "$from/"
  tar czf "$out/retrace-$version-linux-$1.tar.gz" --owner 0 --group 0 --transform "s|^\.|retrace-$version|" -C "$from" .
}

mkdir -p "$work" "$out"
scripts/disttools.sh
fetch_runtime
for system in ${*:-windows-amd64 linux-amd64 linux-arm64}; do
  echo "== $system"
  case "$system" in
  windows-amd64) windows ;;
  linux-amd64) linux amd64 x86_64 x64 ;;
  linux-arm64) linux arm64 aarch64 arm64 ;;
  *) echo "no packages are made for $system" >&2; exit 2 ;;
  esac
done
(cd "$out" && rm -f SHA256SUMS && sha256sum retrace-* >SHA256SUMS && ls -l)
