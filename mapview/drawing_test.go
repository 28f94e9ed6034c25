package mapview

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// artist is a host on which something is being drawn, and what came of it.
type artist struct {
	*host
	got  []roadnet.Point
	left int
}

func drawingHost(t *testing.T, closed bool) *artist {
	h, _ := crossHost(t)
	a := &artist{host: h}
	h.Draw(closed, "Draw", func(p []roadnet.Point) {
		if p == nil {
			a.left++
		}
		a.got = p
	})
	return a
}

func (a *artist) clickAt(x, y float32) { test.TapCanvas(a.window.Canvas(), fyne.NewPos(x, y)) }

func (a *artist) key(names ...fyne.KeyName) {
	for _, n := range names {
		a.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// stands checks the corners against places on the widget.
func (a *artist) stands(t *testing.T, want ...fyne.Position) {
	t.Helper()
	if len(a.got) != len(want) {
		t.Fatalf("%d corners, want %d", len(a.got), len(want))
	}
	for i, p := range want {
		if d := a.apart(a.placeAt(p), a.got[i]); d > 1 {
			t.Errorf("corner %d stands %v units off", i, d)
		}
	}
}

func TestLineIsDrawnByClicks(t *testing.T) {
	a := drawingHost(t, false)
	a.clickAt(100, 100)
	a.clickAt(300, 120)
	a.clickAt(330, 260)
	if len(a.selected) > 0 {
		t.Errorf("drawing selected %+v", a.selected)
	}
	a.key(fyne.KeyReturn)
	a.stands(t, fyne.NewPos(100, 100), fyne.NewPos(300, 120), fyne.NewPos(330, 260))
	if a.Drawing() || a.drawing.hint.panel.Visible() {
		t.Error("drawing goes on after Enter")
	}
	a.clickAt(100, 100)
	if len(a.selected) != 1 {
		t.Error("a click after drawing selects nothing")
	}
}

func TestDoubleClickFinishesTheDrawing(t *testing.T) {
	a := drawingHost(t, false)
	zoom := a.View().Zoom
	a.clickAt(100, 100)
	a.clickAt(300, 120)
	a.clickAt(300, 120)
	a.stands(t, fyne.NewPos(100, 100), fyne.NewPos(300, 120))
	if a.View().Zoom != zoom {
		t.Error("the map zoomed")
	}
}

func TestAreaNeedsThreeCorners(t *testing.T) {
	a := drawingHost(t, true)
	a.clickAt(100, 100)
	a.clickAt(300, 120)
	a.key(fyne.KeyReturn)
	if !a.Drawing() {
		t.Fatal("an area of two corners was taken")
	}
	a.clickAt(200, 300)
	a.clickAt(20, 20)
	a.key(fyne.KeyBackspace, fyne.KeyEnter)
	a.stands(t, fyne.NewPos(100, 100), fyne.NewPos(300, 120), fyne.NewPos(200, 300))
}

func TestEscapeLeavesTheDrawing(t *testing.T) {
	a := drawingHost(t, true)
	a.clickAt(100, 100)
	a.key(fyne.KeyEscape)
	if a.left != 1 || a.Drawing() {
		t.Errorf("left %d times, still drawing: %v", a.left, a.Drawing())
	}
	if len(a.keys) > 0 {
		t.Errorf("the host heard of %v", a.keys)
	}
	a.key(fyne.KeyEscape)
	if len(a.keys) != 1 {
		t.Error("the second Escape is not the host's")
	}
	a.Draw(false, "", func(p []roadnet.Point) { a.got = p })
	a.Draw(false, "", func(p []roadnet.Point) { a.got = p })
	if !a.Drawing() {
		t.Error("another drawing cannot begin")
	}
}

func TestDrawingByKeyboardAlone(t *testing.T) {
	a := drawingHost(t, false)
	first := a.aim()
	a.key(fyne.KeySpace)
	a.view = a.view.Pan(-120, 40)
	second := a.aim()
	a.key(fyne.KeySpace, fyne.KeyReturn)
	if len(a.got) != 2 || a.apart(a.got[0], first) > 0.1 || a.apart(a.got[1], second) > 0.1 {
		t.Errorf("drew %v, want %v and %v", a.got, first, second)
	}
}

func TestDrawingAndShapesAreSeen(t *testing.T) {
	a := drawingHost(t, true)
	before := append([]byte(nil), a.settle(t).Pix...)
	for _, p := range []fyne.Position{{X: 100, Y: 100}, {X: 300, Y: 120}, {X: 200, Y: 300}} {
		a.clickAt(p.X, p.Y)
	}
	if n := differing(before, a.settle(t).Pix); n < 2000 {
		t.Errorf("%d bytes of the picture changed while drawing", n)
	}
	a.key(fyne.KeyReturn)
	if n := differing(before, a.settle(t).Pix); n != 0 {
		t.Errorf("%d bytes of the picture are left of the drawing", n)
	}
	a.SetShapes([]render.Shape{{Points: a.got, Closed: true}})
	if n := differing(before, a.settle(t).Pix); n < 2000 {
		t.Errorf("%d bytes of the picture changed with the shape", n)
	}
	if got := a.Scene().Shapes; len(got) != 1 {
		t.Errorf("a picture would show %d shapes", len(got))
	}
}

func differing(a, b []byte) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
