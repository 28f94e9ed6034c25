package ort

import (
	"errors"
	"fmt"
	"os"

	onnx "github.com/yalue/onnxruntime_go"
)

// telemetryVariable is what ONNX Runtime looks at when it starts, on Linux and macOS:
// with 1 in it the library opens no connection and writes no file of its own. It must be
// set before the library is loaded. Builds since 1.29 send telemetry without it.
const telemetryVariable = "ORT_DISABLE_TELEMETRY"

// silence keeps ONNX Runtime from sending anything, whatever the user's environment
// says. It is called before the library is loaded; processes that this one starts
// inherit it.
func silence() error {
	if err := os.Setenv(telemetryVariable, "1"); err != nil {
		return fmt.Errorf("the telemetry of ONNX Runtime cannot be turned off: %w", err)
	}
	return nil
}

// hush turns off what the library would otherwise tell the system's own event log, on
// Windows. It is called once the library is loaded; where it fails the library is
// unloaded again.
func hush() error {
	if err := onnx.DisableTelemetry(); err != nil {
		return errors.Join(fmt.Errorf("the telemetry of ONNX Runtime cannot be turned off: %w", err), onnx.DestroyEnvironment())
	}
	return nil
}
