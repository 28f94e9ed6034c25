package ort

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// No variable of the user's turns telemetry on again.
func TestTelemetryIsOffWhateverTheEnvironmentSays(t *testing.T) {
	t.Setenv(telemetryVariable, "0")
	if err := silence(); err != nil {
		t.Fatal(err)
	}
	if got := os.Getenv(telemetryVariable); got != "1" {
		t.Errorf("%s is %q before the library is loaded", telemetryVariable, got)
	}
}

// The library that make onnxruntime installs has no telemetry client: it holds no
// address of one.
func TestTheLibraryInstalledKnowsNobodyToTell(t *testing.T) {
	if os.Getenv(LibraryVariable) != "" {
		t.Skip("the library is another one")
	}
	library, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime"))
	if err != nil {
		t.Skip(err)
	}
	code, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"events.data.microsoft.com", telemetryVariable} {
		if bytes.Contains(code, []byte(host)) {
			t.Errorf("%s holds %q", library, host)
		}
	}
}
