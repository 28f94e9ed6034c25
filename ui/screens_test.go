package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/device"
	"retrace/engine/enginetest"
	"retrace/engine/ort"
	"retrace/mapview/render"
	"retrace/ui/state"
)

// TestWriteScreens writes the screens of the README into the folder that
// RETRACE_SCREENS names, all of the generated sample: see make screens. They are as
// large as the picture of the intended window.
func TestWriteScreens(t *testing.T) {
	dir := os.Getenv("RETRACE_SCREENS")
	if dir == "" {
		t.Skip("RETRACE_SCREENS names no folder for screens")
	}
	models := builtIn(t)
	for _, theme := range themes() {
		s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1600, 1000, 1)
		s.wear(theme)
		s.until("the sample is recovered", func() bool { c := s.m.Count(); return c.All > 0 && c.Recovered == c.All })
		s.idle()
		s.useModels(models)
		s.actions.Do("recoverall")
		s.idle()
		s.dismissAll()
		s.lookAtDoubt()
		screen := func(name string) {
			s.until("the map is drawn", s.drawn)
			writePNG(t, filepath.Join(dir, name+"-"+theme+".png"), s.win.Canvas().Capture())
		}
		screen("window")
		o := s.m.Options()
		o.TextScale = 1.5
		s.m.SetOptions(o)
		screen("window-150")
		o.TextScale = 1
		s.m.SetOptions(o)
		s.desk.Preview = s.preview
		s.drop(sampleTable(t, s, t.TempDir()))
		s.looked()
		screen("preview")
		s.end()
	}
}

// lookAtDoubt selects a point on the trip that drove most on elevated roads, of
// those with a doubt the first.
func (s *stage) lookAtDoubt() {
	s.t.Helper()
	var best *state.Trip
	better := func(a, b *state.Trip) bool {
		if (a.Facts.Unsure > 0) != (b.Facts.Unsure > 0) {
			return a.Facts.Unsure > 0
		}
		return a.Facts.Elevated > b.Facts.Elevated
	}
	for _, t := range s.m.Trips() {
		if best == nil || better(t, best) {
			best = t
		}
	}
	s.m.SelectTrip(best.ID())
	s.win.Canvas().Capture()
	s.fitSelection()
	s.m.Select(render.Item{Kind: render.TickItem, Trip: best.ID(), Index: len(best.Recovery().Ticks) / 2})
}

// sampleTable writes trips of the sample as a table, as fleets hand them over.
func sampleTable(t *testing.T, s *stage, dir string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("vehicle;date;time;lat;lon;speed;remark\n")
	for i, trip := range s.m.Trips() {
		for _, p := range trip.Trajectory().Samples {
			at := time.UnixMilli(p.Time).UTC()
			fmt.Fprintf(&b, "van %02d;%s;%s;%.6f;%.6f;%d;\n", i+1, at.Format("02.01.2006"), at.Format("15:04:05"), p.Lat, p.Lon, 20+(i*7+at.Second())%40)
		}
	}
	return write(t, filepath.Join(dir, "vans.csv"), b.String())
}

// builtInModels give the model of the program, on the CPU.
type builtInModels struct {
	*enginetest.Models
	model *engine.Model
}

func (m builtInModels) Open(context.Context, string, device.Name) (*engine.Model, error) {
	return m.model, nil
}

func (m builtInModels) OpenHere(context.Context, string, device.Name) (*engine.Model, error) {
	return m.model, nil
}

// builtIn gives the model of the program; the screens are to show it, so they are not
// written without.
func builtIn(t *testing.T) engine.Models {
	t.Helper()
	files, err := assets.Model(assets.DefaultModel)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	model, err := ort.OpenOnCPU(files, filepath.Join("..", ".cache", "onnxruntime"))
	if err != nil {
		t.Fatal(err)
	}
	return builtInModels{&enginetest.Models{Files: b, Refused: "there is none"}, model}
}
