package device

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Key identifies what verdicts hang on: the library, the driver as far as it is
// seen from outside, and what else is given, such as the model's hash.
func Key(library string, more ...string) string {
	h := sha256.New()
	for _, text := range append([]string{runtime.GOOS, runtime.GOARCH}, more...) {
		fmt.Fprintf(h, "%q\n", text)
	}
	for _, name := range variables() {
		fmt.Fprintf(h, "%s=%q\n", name, os.Getenv(name))
	}
	noteFile(h, library)
	for _, name := range driverFiles() {
		noteFile(h, name)
	}
	for _, name := range driverTexts() {
		text, _ := os.ReadFile(name) // none: that, too, is a fact
		fmt.Fprintf(h, "%s %q\n", name, text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// noteFile notes a file by its size and time.
func noteFile(w io.Writer, name string) {
	if info, err := os.Stat(name); err == nil {
		fmt.Fprintf(w, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
}

// variables are those of the environment that choose a driver.
func variables() []string {
	return []string{"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES", "VK_LOADER_DRIVERS_SELECT",
		"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "DRI_PRIME"}
}

// driverFiles are files that change when a driver is installed or updated.
func driverFiles() []string {
	var patterns []string
	switch runtime.GOOS {
	case "windows":
		patterns = []string{filepath.Join(os.Getenv("SystemRoot"), "System32", "DriverStore", "FileRepository")}
	case "linux":
		patterns = []string{"/usr/share/vulkan/icd.d/*", "/etc/vulkan/icd.d/*", "/usr/lib*/libvulkan*", "/usr/lib/*/libvulkan*",
			"/usr/lib*/libnvidia-*", "/usr/lib/*/libnvidia-*"}
	}
	var files []string
	for _, p := range patterns {
		found, _ := filepath.Glob(p) // the patterns are right
		files = append(files, found...)
	}
	slices.Sort(files)
	return files
}

// driverTexts are files whose text names the driver or the hardware.
func driverTexts() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"/System/Library/CoreServices/SystemVersion.plist"}
	case "linux":
		texts := []string{"/proc/driver/nvidia/version", "/proc/sys/kernel/osrelease"}
		for _, p := range []string{"/sys/class/drm/card*/device/vendor", "/sys/class/drm/card*/device/device"} {
			found, _ := filepath.Glob(p)
			texts = append(texts, found...)
		}
		return texts
	}
	return nil
}
