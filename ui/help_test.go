package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/assets"
	"retrace/ui/kit"
)

func TestTourPointsAtEveryPanelAndCanBeLeft(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 1, "none")
	s.idle()
	s.tourOnce()
	if !s.tour.Shown() {
		t.Fatal("the tour does not begin at the first start")
	}
	for range 6 {
		s.win.Canvas().Capture()
		focused, ok := s.win.Canvas().Focused().(*kit.Button)
		if !ok {
			t.Fatal("no button of the tour takes the keys")
		}
		focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	if s.tour.Shown() {
		t.Error("the tour does not end")
	}
	s.tourOnce()
	if s.tour.Shown() {
		t.Error("the tour begins a second time by itself")
	}
	s.actions.Do("tour")
	s.key(fyne.KeyEscape)
	if s.tour.Shown() {
		t.Error("Escape does not leave the tour")
	}
}

func TestManualHasEveryKey(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 1, "none")
	s.idle()
	page := s.keysPage()
	for _, a := range s.actions {
		if !a.Key.None() && !strings.Contains(page.Text, "**"+a.Key.String()+"** "+a.Name()) {
			t.Errorf("the manual does not name %s for %s", a.Key, a.Name())
		}
	}
	s.actions.Do("manual")
	s.win.Canvas().Capture()
	if s.win.Canvas().Overlays().Top() == nil {
		t.Fatal("the manual is not shown")
	}
	s.key(fyne.KeyEscape)
}

func TestAboutNamesEveryPart(t *testing.T) {
	parts := licenceParts(assets.Licences())
	if len(parts) < 40 || !strings.HasPrefix(parts[0].name, "Retrace") {
		t.Fatalf("%d parts, the first %q", len(parts), parts[0].name)
	}
	for _, p := range parts {
		if len(p.text) < 100 {
			t.Errorf("%s has no licence", p.name)
		}
	}
}
