package status

import (
	"errors"
	"strings"
	"testing"

	"retrace/engine/citymodel"
	"retrace/engine/device"
	"retrace/ui/state"
)

func TestTheBarSaysWhatRecovers(t *testing.T) {
	fault := errors.New("tick.onnx is cut short")
	for _, c := range []struct {
		computing state.Computing
		text, tip string
	}{
		{state.Computing{}, "CPU: HMM", "Classical map matching"},
		{state.Computing{Fault: fault}, "CPU: HMM", "tick.onnx is cut short"},
		{state.Computing{Model: "universal", Device: device.WebGPU}, "RNTrajRec universal", "The model universal"},
		{state.Computing{Model: "mine", System: citymodel.MTrajRec, Device: device.CPU}, "CPU: MTrajRec, trained on this network", "The model mine"},
		{state.Computing{Idle: true, Fault: fault}, "nothing recovers", "tick.onnx is cut short"},
	} {
		if got := computingText(c.computing); !strings.Contains(got, c.text) {
			t.Errorf("%+v is told as %q", c.computing, got)
		}
		if got := computingTip(c.computing); !strings.Contains(got, c.tip) || c.computing.Idle && strings.Contains(got, "Classical") {
			t.Errorf("%+v is told as %q", c.computing, got)
		}
	}
}
