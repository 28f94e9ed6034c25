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
// beside the program, or in one of the folders given. The path is a full one, so
// that no library of the same name is loaded that the system has elsewhere (Windows
// has an old onnxruntime.dll of its own). The error lists where it was looked for.
func Library(folders ...string) (string, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("ONNX Runtime: %s says %w", LibraryVariable, err)
		}
		return filepath.Abs(path)
	}
	folders = append(besideProgram(), folders...)
	for _, folder := range folders {
		for _, pattern := range libraryNames() {
			found, err := filepath.Glob(filepath.Join(folder, pattern))
			if err == nil && len(found) > 0 {
				return filepath.Abs(found[len(found)-1])
			}
		}
	}
	return "", fmt.Errorf("the ONNX Runtime library (%s) is in none of %s; set %s to where it is (make onnxruntime installs it)",
		libraryNames()[0], strings.Join(folders, ", "), LibraryVariable)
}

// besideProgram are the folders beside the program that the library may lie in:
// its own and lib where it was installed, .cache/onnxruntime where make built it
// (the program without a window lies in .cache itself). The folder that a user
// happens to stand in is none of them: anyone could have put a library there.
func besideProgram() []string {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real // /usr/bin may hold a link
	}
	at := filepath.Dir(program)
	folders := []string{at, filepath.Join(at, "lib")}
	if runtime.GOOS == "darwin" {
		folders = append(folders, filepath.Join(filepath.Dir(at), "Frameworks"))
	}
	if filepath.Base(at) == ".cache" {
		return append(folders, filepath.Join(at, "onnxruntime"))
	}
	return append(folders, filepath.Join(at, ".cache", "onnxruntime"))
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
