package mapview

import (
	"math"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

func TestMapShowsWhatAPictureShows(t *testing.T) {
	h, n := crossHost(t)
	_, trip := cross(t)
	other := trip
	other.Trajectory = &trajectory.Trajectory{ID: "two", Samples: trip.Trajectory.Samples}
	h.SetTrips([]render.Trip{trip, other})
	h.SetSelection(render.Item{Kind: render.TripItem, Trip: "one"})
	h.GoTo(n.Point('E'), 15.5)
	got := h.settle(t)
	want := render.Picture(h.Scene(), h.View(), h.Look())
	worst, sum := 0.0, 0.0
	for i := range got.Pix {
		d := math.Abs(float64(got.Pix[i]) - float64(want.Pix[i]))
		worst, sum = math.Max(worst, d), sum+d
	}
	if mean := sum / float64(len(got.Pix)); worst > 40 || mean > 0.2 {
		t.Errorf("map and picture differ by up to %.0f of 255, by %.3f on average", worst, mean)
	}
}

func TestDragMovesTheMapWithThePointer(t *testing.T) {
	h, _ := crossHost(t)
	at := fyne.NewPos(200, 150)
	p := h.placeAt(at)
	test.Drag(h.window.Canvas(), at, 60, -40)
	if got := h.on(p); math.Abs(float64(got.X-260)) > 1 || math.Abs(float64(got.Y-110)) > 1 {
		t.Errorf("what was at 200, 150 is at %v, want 260, 110", got)
	}
}

func TestWheelZoomsAtThePointer(t *testing.T) {
	h, _ := crossHost(t)
	at, before := fyne.NewPos(500, 100), h.View().Zoom
	p := h.placeAt(at)
	h.Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: at}, Scrolled: fyne.NewDelta(0, 20)})
	h.settle(t)
	if h.View().Zoom <= before {
		t.Errorf("zoom %v, was %v", h.View().Zoom, before)
	}
	if got := h.on(p); math.Abs(float64(got.X-at.X)) > 1.5 || math.Abs(float64(got.Y-at.Y)) > 1.5 {
		t.Errorf("the place under the pointer went to %v", got)
	}
}

func TestClickSelectsAndClicksAgainGoThroughTheStack(t *testing.T) {
	h, n := crossHost(t)
	at := h.on(n.Point('B'))
	h.Tapped(&fyne.PointEvent{Position: at})
	if len(h.selected) != 1 || h.selected[0].Kind != render.SampleItem || h.selected[0].Index != 1 {
		t.Fatalf("selected %+v, want sample 1", h.selected)
	}
	h.pointer.tapped = h.pointer.tapped.Add(-time.Second)
	h.Tapped(&fyne.PointEvent{Position: at})
	if h.selected[1].Kind == render.SampleItem {
		t.Errorf("a second click selected the same: %+v", h.selected[1])
	}
	h.Tapped(&fyne.PointEvent{Position: fyne.NewPos(2, 2)})
	if last := h.selected[len(h.selected)-1]; last.Kind != render.NoItem {
		t.Errorf("a click on bare map selected %+v", last)
	}
}

func TestDoubleClickZoomsIn(t *testing.T) {
	h, _ := crossHost(t)
	before := h.View().Zoom
	for range 2 {
		h.Tapped(&fyne.PointEvent{Position: fyne.NewPos(300, 200)})
	}
	if h.View().Zoom != before+1 {
		t.Errorf("zoom %v, want %v", h.View().Zoom, before+1)
	}
}

func TestShiftDragZoomsToTheBox(t *testing.T) {
	h, _ := crossHost(t)
	h.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(100, 100)}, Modifier: fyne.KeyModifierShift})
	h.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(200, 180)}})
	middle := h.placeAt(fyne.NewPos(150, 140))
	h.DragEnd()
	if got := h.on(middle); math.Abs(float64(got.X-320)) > 2 || math.Abs(float64(got.Y-240)) > 2 {
		t.Errorf("the middle of the box is at %v, want 320, 240", got)
	}
}

func TestHoverShowsACard(t *testing.T) {
	h, n := crossHost(t)
	h.SetTrips(nil)
	h.settle(t)
	h.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: h.on(n.Point('H'))}})
	if !h.card.panel.Visible() || len(h.card.text) != 2 {
		t.Error("no card over a road")
	}
	h.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(3, 3)}})
	if h.card.panel.Visible() {
		t.Error("a card over bare map")
	}
}

func TestKeysMoveAndZoom(t *testing.T) {
	h, _ := crossHost(t)
	before := h.View()
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if h.View().Center.Lon <= before.Center.Lon {
		t.Error("the right arrow did not move the map")
	}
	h.TypedRune('+')
	if h.View().Zoom <= before.Zoom {
		t.Error("+ did not zoom in")
	}
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF})
	if got := h.View().Zoom; got != before.Zoom {
		t.Errorf("F fits at zoom %v, want %v", got, before.Zoom)
	}
	h.TypedKey(&fyne.KeyEvent{Name: fyne.KeyN})
	if len(h.keys) != 1 || h.keys[0] != fyne.KeyN {
		t.Errorf("keys for the host: %v, want N", h.keys)
	}
}

func TestCacheStaysInItsBounds(t *testing.T) {
	c := newTileCache(10 * tileBytes)
	for i := range int32(100) {
		k := tileKey{Tile: render.Tile{X: i}}
		c.put(&cachedTile{key: k, picture: &packed{raw: make([]uint8, tileBytes/2)}})
		if c.bytes > c.limit {
			t.Fatalf("%d bytes kept, at most %d", c.bytes, c.limit)
		}
	}
	if c.get(tileKey{Tile: render.Tile{X: 99}}) == nil || c.get(tileKey{Tile: render.Tile{X: 1}}) != nil {
		t.Error("the tiles used last are not those that are kept")
	}
}

func TestWhileTilesAreMissingOthersShow(t *testing.T) {
	h, _ := crossHost(t)
	before := h.settle(t).Pix[4*(240*640+320)]
	h.work.close() // nothing new is drawn
	h.view.Zoom++
	img := h.frameNow()
	land := img.Pix[0]
	same := true
	for i := 0; i < len(img.Pix); i += 4 * 37 {
		same = same && img.Pix[i] == land
	}
	if same {
		t.Errorf("nothing shows in place of missing tiles; %d before", before)
	}
}

// A jump from a street to a country must not lay the thousands of tiles of the
// street that a tile of the country is as large as.
func TestTilesFarTooFineStandInForNothing(t *testing.T) {
	h, _ := crossHost(t)
	h.settle(t)
	key := h.frame.last[groundTile]
	if near := h.instead(key, key.Zoom-2); len(near) == 0 {
		t.Error("tiles four times too fine do not stand in")
	}
	for _, far := range h.instead(key, key.Zoom-6) {
		if far.Zoom > key.Zoom-2 { // others may be there, of the view before this one
			t.Errorf("a tile of zoom %v stands in at zoom %v", far.Zoom, key.Zoom-6)
		}
	}
}

func TestTripsStayInSightWhileTheyChange(t *testing.T) {
	h, n := crossHost(t)
	_, trip := cross(t)
	other := trip
	other.Trajectory = &trajectory.Trajectory{ID: "two", Samples: trip.Trajectory.Samples}
	h.SetTrips([]render.Trip{trip, other})
	before := append([]uint8(nil), h.settle(t).Pix...)
	h.work.close() // no tile of the changed trips comes
	h.SetTrips([]render.Trip{trip, other, other})
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		after := h.frameNow().Pix
		if h.work.state().tracks.Len() == 3 {
			x, y := h.view.Pixel(n.Point('E'))
			i := 4 * ((int(y)-20)*640 + int(x))
			if before[i] != after[i] || before[i+2] != after[i+2] {
				t.Errorf("the path's pixel was %v, is %v", before[i:i+3], after[i:i+3])
			}
			return
		}
		if time.Since(start) > 10*time.Second {
			t.Fatal("the trips never change")
		}
	}
}

func TestSmallScrollingAddsUp(t *testing.T) {
	h, _ := crossHost(t)
	before := h.View().Zoom
	for range 10 {
		h.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, 1)})
	}
	if got := h.View().Zoom - before; got != 0.25 {
		t.Errorf("ten small steps zoomed by %v, want 0.25", got)
	}
}

// The host hears of the view that a new size brings, and of the fit that waited
// for it: what it shows of scale and legend hangs on that.
func TestHostHearsOfTheSize(t *testing.T) {
	n, _ := cross(t)
	h := newHost(t, 640, 480)
	var heard []render.Viewport
	h.opt.OnView = func(v render.Viewport) { heard = append(heard, v) }
	h.SetNetwork(n.Network, nil)
	h.Fit(n.Info().Bounds)
	h.settle(t)
	h.frameNow() // what the last frame handed over
	if len(heard) == 0 || heard[len(heard)-1] != h.View() {
		t.Fatalf("the host heard of %d views, the last is not the one shown", len(heard))
	}
	before := len(heard)
	h.window.Resize(fyne.NewSize(500, 300))
	h.settle(t)
	h.frameNow() // what the last frame handed over
	if len(heard) == before || heard[len(heard)-1].Width != h.View().Width {
		t.Error("the host heard nothing of the new size")
	}
	before = len(heard)
	h.settle(t)
	h.frameNow() // what the last frame handed over
	if len(heard) != before {
		t.Error("the host hears of views that did not change")
	}
}
