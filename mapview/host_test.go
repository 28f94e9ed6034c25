package mapview

import (
	"image"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

// host shows a map in a window of the software driver and runs what workers
// send to the user interface's thread.
type host struct {
	*Map
	window   fyne.Window
	mu       sync.Mutex
	queue    []func()
	selected []render.Item
	keys     []fyne.KeyName
}

func newHost(tb testing.TB, width, height float32) *host {
	tb.Helper()
	test.NewTempApp(tb)
	h := &host{}
	h.Map = New(Options{
		Do:       h.do,
		OnSelect: func(it render.Item) { h.selected = append(h.selected, it); h.SetSelection(it) },
		OnHover:  func(it render.Item) []string { return cardOf(it) },
		OnKey:    func(e *fyne.KeyEvent) { h.keys = append(h.keys, e.Name) },
	})
	h.window = test.NewTempWindow(tb, h.Map)
	h.window.SetPadded(false)
	h.window.Resize(fyne.NewSize(width, height))
	tb.Cleanup(h.Close)
	return h
}

func cardOf(it render.Item) []string {
	if it.Kind == render.RoadItem {
		return []string{"a road", "of some class"}
	}
	return nil
}

func (h *host) do(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.queue = append(h.queue, f)
}

// frame draws one frame.
func (h *host) frameNow() *image.RGBA {
	h.mu.Lock()
	queue := h.queue
	h.queue = nil
	h.mu.Unlock()
	for _, f := range queue {
		f()
	}
	size := h.Size()
	return h.paint(int(size.Width), int(size.Height)).(*image.RGBA)
}

// settle draws frames until nothing is missing.
func (h *host) settle(tb testing.TB) *image.RGBA {
	tb.Helper()
	for start := time.Now(); time.Since(start) < 20*time.Second; {
		if img := h.frameNow(); h.Ready() {
			return img
		}
		time.Sleep(2 * time.Millisecond)
	}
	tb.Fatal("the map is never ready")
	return nil
}

// cross is a small town with a trip through it.
func cross(tb testing.TB) (*roadnettest.Net, render.Trip) {
	n := roadnettest.Draw(tb, 60, `
		A----B----C
		     |
		D----E----F
		     |
		G----H----I
	`,
		"ABC highway=primary name=Rua_Alta", "DEF highway=secondary name=Rua_do_Meio",
		"GHI highway=residential name=Rua_Baixa", "BEH highway=tertiary name=Travessa",
	)
	part := trajectory.Part{Segments: []roadnet.SegmentID{n.Seg("AB"), n.Seg("BE"), n.Seg("EF")}, EndRatio: 1}
	tr := &trajectory.Trajectory{ID: "one"}
	rec := &trajectory.Recovery{Trajectory: "one", Parts: []trajectory.Part{part}}
	for i, l := range "ABEF" {
		p := n.Point(l)
		tr.Samples = append(tr.Samples, trajectory.Sample{Time: int64(i) * 60000, Lon: p.Lon, Lat: p.Lat})
	}
	return n, render.Trip{Trajectory: tr, Recovery: rec}
}

// crossHost is a host that shows the small town.
func crossHost(tb testing.TB) (*host, *roadnettest.Net) {
	h := newHost(tb, 640, 480)
	n, trip := cross(tb)
	h.SetNetwork(n.Network, nil)
	h.SetTrips([]render.Trip{trip})
	h.frameNow()
	h.Fit(n.Info().Bounds)
	h.settle(tb)
	return h, n
}

// on is where a point of the earth lies on the widget.
func (h *host) on(p roadnet.Point) fyne.Position {
	x, y := h.view.Pixel(p)
	return fyne.NewPos(float32(x), float32(y))
}
