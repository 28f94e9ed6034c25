package ui

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// drawnTrips shows trips whose recoveries are made by hand, so that what the
// panels show depends on nothing but the panels.
func drawnTrips(s *stage) {
	net := roadnettest.Draw(s.t, 100, `
		A---B---C---D
		    |   |
		    E   F
	`, "ABCD name=Long_Street highway=primary", "BE", "CF")
	s.m.SetNetwork(net.Network, nil)
	for i, id := range []string{"Taxi 668", "Taxi 640", "Taxi 148", "Taxi 120"} {
		s.m.AddTrips([]*state.Trip{drawnTrip(net, id, i)})
	}
}

func drawnTrip(net *roadnettest.Net, id string, number int) *state.Trip {
	const start = 1380214272000 // 26 September 2013
	t := &trajectory.Trajectory{ID: id, Source: "taxis.csv"}
	r := &trajectory.Recovery{Trajectory: id, Provenance: trajectory.Provenance{Method: "hmm", Device: "cpu", Fingerprint: net.Info().Fingerprint}}
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}
	r.Parts = []trajectory.Part{{Segments: path, EndRatio: 1}}
	for i := range 13 {
		along := float64(i*i) / 144 * 1200
		p := roadnet.Position{Segment: path[min(int(along/400), 2)], Ratio: min((along-400*float64(min(int(along/400), 2)))/400, 1)}
		at := net.At(p)
		k := trajectory.Tick{Time: start + int64(i)*15000, Lon: at.Lon, Lat: at.Lat, At: p, Along: along, Margin: 1,
			Probability: float32(0.5 + 0.04*float64((i*5+number*3)%12))}
		if i%4 == 0 {
			k.Observed, k.Sample = true, uint32(len(t.Samples))
			t.Samples = append(t.Samples, trajectory.Sample{Time: k.Time, Lon: at.Lon, Lat: at.Lat})
			r.Matches = append(r.Matches, trajectory.SampleMatch{At: p, State: trajectory.SampleState(number % 2 * (i / 12))})
		}
		if i > 6 && i < 10 {
			k.Deck = trajectory.OnDeck
		}
		r.Ticks = append(r.Ticks, k)
	}
	r.Spans = []trajectory.Span{{Enter: r.Ticks[7].Time, Exit: r.Ticks[9].Time, From: 400, To: 700, Road: "Long Street", Kind: trajectory.OnDeck,
		Probability: 0.8, RunnerUp: "Ground Road", Margin: 0.1 + 0.3*float32(number)}}
	for gap := range 3 {
		risk := float32((number*3+gap*5)%8) / 10
		r.Doubts = append(r.Doubts, trajectory.Doubt{FromSample: uint32(gap), ToSample: uint32(gap + 1), Probability: 1 - risk, RunnerUp: risk / 2,
			Risk: risk, Error: 30 + 200*risk, Along: 40})
		r.Risk.Wrong, r.Risk.Error = max(r.Risk.Wrong, risk), max(r.Risk.Error, 30+100*risk)
	}
	return state.NewTrip(t, r, nil)
}

// TestPanelsLookAsTheyShould compares the panels with pictures that were looked
// at. RETRACE_WRITE_GOLDEN=1 takes the present look for right.
func TestPanelsLookAsTheyShould(t *testing.T) {
	if testing.Short() {
		t.Skip("pictures are compared by the whole tests")
	}
	var cases []lookCase
	for _, theme := range themes() {
		cases = append(cases, lookCase{theme, 1200, 900, 1, theme})
	}
	inLooks(t, cases, []string{"none"}, func(_ *testing.T, s *stage, c lookCase) {
		s.idle()
		s.dismissAll()
		drawnTrips(s)
		s.m.SelectTrip("Taxi 640")
		s.compare("trip-"+c.theme, s.inspectorBox())
		s.compare("left-"+c.theme, image.Rect(0, 0, 212, 560))
		s.compare("dock-"+c.theme, image.Rect(0, 900-27-188-64, 1200, 873))
		s.m.ShowTab(state.ElevatedTab)
		s.m.Select(render.Item{Kind: render.TickItem, Trip: "Taxi 640", Index: 8})
		s.compare("point-"+c.theme, s.inspectorBox())
		s.compare("elevated-"+c.theme, image.Rect(0, 900-27-188-64, 1200, 873))
	})
}

func (s *stage) inspectorBox() image.Rectangle { return image.Rect(1200-300, 0, 1200, 600) }

// How much a picture may differ: fonts are drawn a little differently by other
// processors.
const (
	farOff     = 40    // difference of a channel that counts
	mostFarOff = 0.004 // share of the pixels
	mostMean   = 1.2   // mean difference of the channels
)

// compare compares a part of the window with the picture of a name.
func (s *stage) compare(name string, box image.Rectangle) {
	s.t.Helper()
	shot := s.shot("golden-" + name)
	got := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	draw.Draw(got, got.Rect, shot, box.Min, draw.Src)
	path := filepath.Join("testdata", name+".png")
	if os.Getenv("RETRACE_WRITE_GOLDEN") != "" {
		writePNG(s.t, path, got)
		return
	}
	want, err := readPNG(path)
	if errors.Is(err, fs.ErrNotExist) {
		s.t.Fatalf("%s is not there: write it with RETRACE_WRITE_GOLDEN=1 and look at it", path)
	} else if err != nil {
		s.t.Fatal(err)
	}
	if far, mean := difference(got, want); far > mostFarOff || mean > mostMean {
		failed := filepath.Join("testdata", "failed", name+".png")
		writePNG(s.t, failed, got)
		s.t.Errorf("%s: %.2f %% of the pixels are far off, mean difference %.2f; see %s", name, far*100, mean, failed)
	}
}

// difference is the share of pixels that are far off, and the mean difference.
func difference(a *image.NRGBA, b image.Image) (far, mean float64) {
	if a.Rect.Size() != b.Bounds().Size() {
		return 1, 255
	}
	count, sum := 0, 0.0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			p := a.NRGBAAt(x, y)
			q := color.NRGBAModel.Convert(b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y)).(color.NRGBA)
			d := max(math.Abs(float64(p.R)-float64(q.R)), math.Abs(float64(p.G)-float64(q.G)), math.Abs(float64(p.B)-float64(q.B)))
			sum += d
			if d > farOff {
				count++
			}
		}
	}
	n := float64(a.Rect.Dx() * a.Rect.Dy())
	return float64(count) / n, sum / n
}

func readPNG(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func writePNG(t testing.TB, path string, img image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, img), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsCutAtSmallSizes checks that no panel's tools leave the window.
func TestNothingIsCutAtSmallSizes(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1024, 700, 2, "none")
	s.idle()
	drawnTrips(s)
	s.m.SelectTrip("Taxi 640")
	s.win.Canvas().Capture()
	for _, o := range []fyne.CanvasObject{s.strip.Object, s.dock.Object, s.bar.Object, s.inspector.Object, s.trips.Object, s.layers.Object} {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
		if at.X < 0 || at.Y < 0 || at.X+o.Size().Width > 1024.5 || at.Y+o.Size().Height > 700.5 {
			t.Errorf("a panel lies at %v, %v large, outside the window", at, o.Size())
		}
	}
	if got := s.view.Size(); got.Width < 400 || got.Height < 250 {
		t.Errorf("the map is %v: too little to use", got)
	}
}
