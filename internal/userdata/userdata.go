// Package userdata says where the user's own data lies.
package userdata

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// WorkspaceFile is the name of the workspace file that is opened where none is named.
const WorkspaceFile = "workspace.retrace"

// Workspace is the path of the workspace file that is opened where none is
// named, in the user's data folder.
func Workspace() (string, error) {
	folder, err := Folder()
	return filepath.Join(folder, WorkspaceFile), err
}

// Folder is the user's data folder of the system. It is made if it is not there.
func Folder() (string, error) {
	folder, err := folder()
	if err != nil {
		return "", fmt.Errorf("the folder for the user's data is not known: %w", err)
	}
	folder = filepath.Join(folder, "retrace")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("the folder for the user's data cannot be made: %w", err)
	}
	return folder, nil
}

func folder() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return os.UserConfigDir()
	case "darwin":
		return os.UserConfigDir() // ~/Library/Application Support
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "share"), err
}
