package ui

import "testing"

// All that is known of a point of the sample fits a window of 1600 x 1000.
func TestInspectorOfAPointFits(t *testing.T) {
	s := openStage(t, t.TempDir()+"/w.retrace", 1600, 1000, 1)
	s.until("the sample is recovered", func() bool { c := s.m.Count(); return c.All > 0 && c.Recovered == c.All })
	s.idle()
	s.lookAtDoubt()
	s.win.Canvas().Capture()
	if over := s.inspector.Beyond(); over > 0 {
		t.Errorf("%.0f pixels of the inspector are below its edge", over)
	}
}
