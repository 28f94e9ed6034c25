package mapview

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// The keyboard alone: to a thing, through what lies there, and to its menu.
func TestKeyboardSelectsAndGoesThroughTheStack(t *testing.T) {
	h, n := crossHost(t)
	menus := 0
	h.opt.OnContext = func(it render.Item, p roadnet.Point, _ fyne.Position) {
		menus++
		if roadnet.Distance(p, n.Point('B')) > 5 {
			t.Errorf("the menu is of %v", p)
		}
	}
	h.window.Canvas().Focus(h.Map)
	if !h.sight.panel.Visible() {
		t.Error("nothing shows where the keyboard points")
	}
	h.GoTo(n.Point('B'), 0)
	seen := map[render.ItemKind]bool{}
	for range 4 {
		h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		seen[h.selected[len(h.selected)-1].Kind] = true
	}
	if !seen[render.SampleItem] || !seen[render.TripItem] || !seen[render.RoadItem] {
		t.Errorf("Enter went through %v, want sample, trip and road", seen)
	}
	h.TypedKey(&fyne.KeyEvent{Name: desktop.KeyMenu})
	h.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	h.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if menus != 2 {
		t.Errorf("the menu opened %d times, want 2", menus)
	}
}

func TestHostTakesKeysUnlessShiftIsHeld(t *testing.T) {
	h, _ := crossHost(t)
	h.opt.Takes = func(e *fyne.KeyEvent) bool { return e.Name == fyne.KeyRight }
	h.window.Canvas().Focus(h.Map)
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if len(h.keys) != 1 || h.motion.anim != nil {
		t.Errorf("the host heard of %v", h.keys)
	}
	h.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftRight})
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if len(h.keys) != 1 {
		t.Error("with Shift the host heard of the key too")
	}
	h.motion.stop()
}

func TestMouseDoesNotShowTheCross(t *testing.T) {
	h, _ := crossHost(t)
	h.MouseDown(&desktop.MouseEvent{})
	if !h.focused || h.sight.panel.Visible() {
		t.Errorf("focused %v, cross %v", h.focused, h.sight.panel.Visible())
	}
}
