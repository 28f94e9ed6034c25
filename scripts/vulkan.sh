#!/bin/sh
# Installs SwiftShader, a Vulkan driver that computes on the CPU, to .cache/vulkan, so
# that what runs on GPUs can be tested without one. It is part of Debian's package
# chromium-common, of which only it and its loader are kept; nothing is installed.
set -eu

folder=.cache/vulkan
[ -f "$folder/vk_swiftshader_icd.json" ] && exit 0
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
  echo "A software Vulkan is installed from Debian's packages, which this system has not." >&2
  exit 1
fi
got=$(mktemp -d)
trap 'rm -rf "$got"' EXIT
echo "Installing: SwiftShader"
(cd "$got" && apt-get -qq download chromium-common 2>/dev/null && dpkg -x chromium-common_*.deb .) || {
  echo "The package chromium-common cannot be downloaded: try apt-get update first." >&2
  exit 1
}
mkdir -p "$got/vulkan"
for file in libvk_swiftshader.so vk_swiftshader_icd.json libvulkan.so.1; do
  mv "$got/usr/lib/chromium/$file" "$got/vulkan/"
done
mkdir -p .cache
mv "$got/vulkan" "$folder"
ls "$folder"
