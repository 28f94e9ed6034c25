package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// LibraryVariable names the environment variable that says where the library is.
const LibraryVariable = "RETRACE_ONNXRUNTIME"

// Library finds the ONNX Runtime library: where the environment variable says,
// beside the program, or in one of the folders given. The error lists where it
// was looked for.
func Library(folders ...string) (string, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("ONNX Runtime: %s says %w", LibraryVariable, err)
		}
		return path, nil
	}
	if program, err := os.Executable(); err == nil {
		folders = append([]string{filepath.Dir(program), filepath.Join(filepath.Dir(program), "lib")}, folders...)
	}
	for _, folder := range folders {
		for _, pattern := range libraryNames() {
			found, err := filepath.Glob(filepath.Join(folder, pattern))
			if err == nil && len(found) > 0 {
				return found[len(found)-1], nil
			}
		}
	}
	return "", fmt.Errorf("the ONNX Runtime library (%s) is in none of %s; set %s to where it is (make onnxruntime installs it)",
		libraryNames()[0], strings.Join(folders, ", "), LibraryVariable)
}

// libraryNames are patterns of file names, the surest first.
func libraryNames() []string {
	switch runtime.GOOS {
	case "windows":
		return []string{"onnxruntime.dll"}
	case "darwin":
		return []string{"libonnxruntime.dylib", "libonnxruntime.*.dylib"}
	}
	return []string{"libonnxruntime.so", "libonnxruntime.so.*"}
}
