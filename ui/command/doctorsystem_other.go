//go:build !windows

package command

import "os"

// systemName is the name and version of the system; empty: it says none.
func systemName() string {
	text, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return ""
	}
	return releaseName(string(text))
}
