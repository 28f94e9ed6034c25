#!/bin/sh
# Makes Retrace.app and a .dmg on a Mac, in dist/. It needs Apple's command line tools,
# Go and npm. usage: packaging/macos/dist.sh
#
#   SIGN="Developer ID Application: ..."  signs with that identity; without it the app is
#                                         signed for this Mac alone (ad hoc)
#   NOTARY=profile                        notarises with a profile that
#                                         xcrun notarytool store-credentials has kept
#
# Not tried yet on a Mac: nobody who works on Retrace has had one.
set -eu
cd "$(dirname "$0")/../.."
[ "$(uname -s)" = Darwin ] || { echo "macOS's frameworks and codesign exist on a Mac only." >&2; exit 1; }
[ "$(uname -m)" = arm64 ] || { echo "the runtime of models comes for Macs with Apple's processors only." >&2; exit 1; }
version=$(cat VERSION)
app=dist/Retrace.app
rm -rf "$app" && mkdir -p "$app/Contents/MacOS" "$app/Contents/Frameworks" "$app/Contents/Resources"

export MACOSX_DEPLOYMENT_TARGET=14.0 # as Info.plist says
go build -trimpath -tags no_emoji -ldflags "-s -w" -o "$app/Contents/MacOS/retrace" .
runtime=$(mktemp -d)
scripts/onnxruntime.sh package "$runtime"
# It lies there under two names.
cp "$runtime/package/bin/napi-v6/darwin/arm64/libonnxruntime.$(scripts/onnxruntime.sh version).dylib" "$app/Contents/Frameworks/"
rm -rf "$runtime"

icons=$(mktemp -d)/retrace.iconset
mkdir -p "$icons"
for n in 16 32 128 256; do
  sips -z $n $n assets/icon.png --out "$icons/icon_${n}x$n.png" >/dev/null
done
iconutil -c icns "$icons" -o "$app/Contents/Resources/retrace.icns"
sed "s/VERSION/$version/g" packaging/macos/Info.plist >"$app/Contents/Info.plist"
cp LICENSE CHANGELOG.md assets/licences.txt "$app/Contents/Resources/"
go run ./tools/licences -sbom "$app/Contents/Resources/sbom.json" -version "$version" -runtime "$(scripts/onnxruntime.sh version)" -system darwin

# The library first: a signature covers what lies inside. Its own is its maker's. The
# hardened runtime, which notarising asks for, loads libraries of the same maker alone;
# signed ad hoc there is no maker, and it would load none.
for part in "$app"/Contents/Frameworks/*.dylib "$app"; do
  if [ -n "${SIGN:-}" ]; then
    codesign --force --options runtime --timestamp --sign "$SIGN" "$part"
  else
    codesign --force --sign - "$part"
  fi
done
codesign --verify --deep --strict "$app"

image=dist/retrace-$version-macos-arm64.dmg
rm -f "$image"
hdiutil create -volname "Retrace $version" -srcfolder "$app" -format UDZO "$image"
if [ -n "${NOTARY:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$NOTARY" --wait
  xcrun stapler staple "$image"
fi
shasum -a 256 "$image"
