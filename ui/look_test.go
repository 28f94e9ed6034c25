package ui

import (
	"path/filepath"
	"testing"

	"retrace/ui/state"
)

// lookCase is a size, a scale and a theme that the window must fit.
type lookCase struct {
	name                 string
	width, height, scale float32
	theme                string
}

// themes are those that the window is looked at in.
func themes() []string { return []string{"light", "dark"} }

// looks are all that the window is compared with pictures in.
func looks() []lookCase {
	var all []lookCase
	for _, theme := range themes() {
		all = append(all,
			lookCase{"window-" + theme, 1440, 900, 1, theme},
			lookCase{"window-" + theme + "-twice", 1440, 900, 2, theme},
			lookCase{"small-" + theme, 1024, 700, 1, theme},
			lookCase{"small-" + theme + "-twice", 1024, 700, 2, theme})
	}
	return all
}

// inLooks opens the window in each of some looks and runs a test there, on its own.
func inLooks(t *testing.T, cases []lookCase, files []string, look func(t *testing.T, s *stage, c lookCase)) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), c.width, c.height, c.scale, files...)
			s.wear(c.theme)
			look(t, s, c)
		})
	}
}

// wear shows the window in a theme.
func (s *stage) wear(theme string) {
	o := s.m.Options()
	o.Theme = theme
	s.m.SetOptions(o)
}

// TestSampleFitsTheWindow looks at the sample at the largest and the smallest
// size.
func TestSampleFitsTheWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("the sample takes long")
	}
	all := looks()
	inLooks(t, []lookCase{all[0], all[len(all)-1]}, nil, func(t *testing.T, s *stage, c lookCase) {
		s.until("the sample is recovered", func() bool { return s.m.Count().Recovered > 20 })
		s.idle()
		s.win.Canvas().Capture()
		s.m.SelectTrip(s.m.Trips()[2].ID())
		s.until("the map is drawn", s.drawn)
		img := s.shot("sample-" + c.name)
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
		s.shot("sample-" + c.name + "-point")
	})
}
