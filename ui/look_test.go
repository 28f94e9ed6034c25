package ui

import (
	"testing"

	"retrace/ui/state"
)

// TestScreens looks at the whole window at the sizes that it must fit.
func TestScreens(t *testing.T) {
	for _, c := range []struct {
		name                 string
		width, height, scale float32
		theme                string
	}{
		{"light", 1600, 1000, 1, "light"},
		{"dark", 1600, 1000, 1, "dark"},
		{"small", 1024, 700, 1, "light"},
		{"twice", 1024, 700, 2, "dark"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openStage(t, t.TempDir()+"/w.retrace", c.width, c.height, c.scale)
			o := s.m.Options()
			o.Theme = c.theme
			s.m.SetOptions(o)
			s.until("the sample is recovered", func() bool { return s.m.Count().Recovered > 20 })
			s.idle()
			s.win.Canvas().Capture()
			s.m.SelectTrip(s.m.Trips()[2].ID())
			s.until("the map is drawn", s.drawn)
			img := s.shot(c.name)
			if got := img.Bounds().Dx(); got != int(c.width*c.scale) {
				t.Errorf("%d pixels wide", got)
			}
			if w := s.view.Size().Width; w < 400 {
				t.Errorf("the map is %.0f pixels wide: too little to use", w)
			}
			s.m.ShowTab(state.PointsTab)
			s.pointBeside(1)
			s.pointBeside(1)
			s.until("the map is drawn", s.drawn)
			s.shot(c.name + "-point")
		})
	}
}
