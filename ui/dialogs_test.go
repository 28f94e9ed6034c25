package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// The dialogs of files say what is asked for, and take the file that is clicked.
func TestFilesAreChosenByClicks(t *testing.T) {
	s := recoveredTown(t, 2)
	s.dismissAll()
	t.Setenv("HOME", filepath.Dir(denseTrips(t, s)))
	s.actions.Do("truth")
	s.chooseFile("Open denser trips", "dense")
	s.idle()
	if s.m.TruthOf(s.m.Trip("bus 1")) == nil || len(s.m.Trips()) != 2 {
		t.Fatalf("the truth is not taken from the file; %d trips; told %s", len(s.m.Trips()), s.told())
	}
	s.actions.Do(actOpen)
	s.chooseFile("Open an extract or trajectories", "dense")
	s.until("the trips of the file are there", func() bool { return s.m.Trip("nobody") != nil })
	s.idle()
	before := s.told()
	s.actions.Do(actOpen)
	s.tapWidget("Cancel")
	s.idle()
	if s.told() != before || s.win.Canvas().Overlays().Top() != nil {
		t.Errorf("a dialog that is left says %s", s.told())
	}
}

// chooseFile clicks on a file of the dialog with a title, and opens it.
func (s *stage) chooseFile(title, name string) {
	s.t.Helper()
	s.win.Canvas().Capture()
	labelled := func(o fyne.CanvasObject, text string) bool {
		return slices.ContainsFunc(below[*widget.Label](o), func(l *widget.Label) bool { return strings.HasPrefix(l.Text, text) })
	}
	top := s.win.Canvas().Overlays().Top()
	var file fyne.Tappable
	for _, o := range test.LaidOutObjects(top) {
		if x, ok := o.(fyne.Tappable); ok && labelled(o, name) {
			file = x // the innermost comes last
		}
	}
	if file == nil || !labelled(top, title) {
		s.t.Fatalf("the dialog has the file %s: %v, the title %q: %v", name, file != nil, title, labelled(top, title))
	}
	test.Tap(file)
	s.tapWidget("Open")
}
