package ui

import (
	"archive/zip"
	"bytes"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/work"
)

// TestWholeSession goes from an empty window to an exported, corrected recovery,
// by what a user does: a drop, clicks and keys.
func TestWholeSession(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir) // where the dialog of files begins
	s := openStage(t, filepath.Join(dir, "w.retrace"), 1440, 900, 1)
	s.desk.Preview = s.preview
	s.until("the sample is recovered", func() bool { c := s.m.Count(); return c.All > 0 && c.Recovered == c.All })
	s.idle()

	s.drop(zipped(t, dir, townExtract(t, dir), townTrips(t, dir, 3)))
	s.looked()
	s.until("the town is imported beside the preview", func() bool { return s.m.Network() != nil && s.m.Network().Info().Name == "town" })
	s.looked()
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	s.tapButton("Recover them")
	s.until("they are recovered", func() bool { return s.m.Count().Recovered == 3 })
	s.idle()
	s.dismissAll()

	s.pinByClick()
	s.playByKey()
	s.dock.Filter.SetText("name = 2")
	if n := s.dock.Table(state.TripsTab).List.Count(); n != 1 {
		t.Errorf("the filter leaves %d trips", n)
	}
	s.dock.Filter.SetText("")
	s.exportAll(filepath.Join(dir, "out.geojson"))
}

// zipped puts files into one zip file, in a folder, beside one of no use.
func zipped(t *testing.T, dir string, paths ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		add("monday/"+filepath.Base(p), data)
	}
	add("monday/letter.txt", []byte("Dear planner,\n"))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(dir, "monday.zip"), b.String())
}

func (s *stage) dismissAll() {
	for _, n := range append([]state.Notice(nil), s.m.Notices()...) {
		s.m.Dismiss(n.ID)
	}
}

// pinByClick selects an input point on the map, clicks its second candidate in
// the inspector, and takes that back.
func (s *stage) pinByClick() {
	s.t.Helper()
	s.m.SelectTrip("bus 1")
	s.until("the map is drawn", s.drawn)
	trip := s.m.Trip("bus 1")
	sample := trip.Trajectory().Samples[1]
	s.tapMap(sample.Lon, sample.Lat)
	if got := s.m.Selected(); got.Kind != render.SampleItem && got.Kind != render.TickItem {
		s.t.Fatalf("a click on the second point selects %+v", got)
	}
	match := trip.Recovery().Matches[1]
	other := 0
	if match.Candidates[0].Segment == match.At.Segment {
		other = 1
	}
	s.win.Canvas().Capture()
	s.tapCandidate(match, other)
	s.idle()
	if len(trip.Pins) != 1 || s.m.Trip("bus 1").Recovery().Matches[1].At.Segment == match.At.Segment {
		s.t.Fatalf("the click pins %+v", trip.Pins)
	}
	s.perform("undo")
	s.idle()
	if pins := s.m.Trip("bus 1").Pins; len(pins) != 0 {
		s.t.Errorf("undo leaves the pins %+v", pins)
	}
	s.perform("redo")
	s.idle()
}

// tapCandidate clicks on one of the candidates in the inspector.
func (s *stage) tapCandidate(match trajectory.SampleMatch, index int) {
	s.t.Helper()
	row, listed := 0, false
	for _, x := range below[*kit.Text](s.inspector.Object) {
		listed = listed || x.Text() == "CANDIDATES"
		if !listed || !strings.HasPrefix(x.Text(), s.m.Network().Segment(match.Candidates[row].Segment).Name) {
			continue
		}
		if row == index {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(x)
			test.TapCanvas(s.win.Canvas(), at.AddXY(4, x.Size().Height/2))
			return
		}
		row++
	}
	s.t.Fatalf("the inspector does not list candidate %d of %+v", index+1, match.Candidates)
}

// playByKey plays the trip with the space bar and stops it again.
func (s *stage) playByKey() {
	s.t.Helper()
	s.unfocus()
	before := s.m.Clock().At
	s.key(fyne.KeySpace)
	if !s.m.Clock().Playing {
		s.t.Fatal("the space bar does not play")
	}
	s.m.Advance(2 * time.Second)
	s.key(fyne.KeySpace)
	if c := s.m.Clock(); c.Playing || c.At <= before {
		s.t.Errorf("played from %d to %+v", before, c)
	}
}

// exportAll exports all trips by the dialogs, as GeoJSON.
func (s *stage) exportAll(path string) {
	s.t.Helper()
	s.actions.Do("export")
	for _, group := range below[*kit.Radio](s.win.Canvas().Overlays().Top()) {
		if group.Options()[0] == work.Formats()[0].Name {
			s.win.Canvas().Focus(group)
			s.typed(fyne.KeyDown)
		}
	}
	s.tapButton("Choose the file…")
	for _, entry := range below[*widget.Entry](s.win.Canvas().Overlays().Top()) {
		if strings.HasPrefix(entry.Text, "recovered") {
			entry.SetText(filepath.Base(path))
		}
	}
	s.tapWidget("Save")
	s.idle()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "bus 3") {
		s.t.Errorf("exported %d bytes, %v", len(data), err)
	}
}

// tapWidget taps a button of fyne's own in the topmost dialog.
func (s *stage) tapWidget(label string) {
	s.t.Helper()
	for _, b := range below[*widget.Button](s.win.Canvas().Overlays().Top()) {
		if b.Text == label {
			test.Tap(b)
			return
		}
	}
	s.t.Fatalf("there is no button %q", label)
}

// TestWholeWindowLooksAsItShould compares the whole window, and the preview, at
// the sizes and scales that it must fit.
func TestWholeWindowLooksAsItShould(t *testing.T) {
	inLooks(t, looks(), []string{"none"}, func(t *testing.T, s *stage, c lookCase) {
		s.idle()
		s.dismissAll()
		drawnTrips(s)
		s.m.SelectTrip("Taxi 640")
		s.fitAll()
		s.until("the map is drawn", s.drawn)
		for len(s.queue) > 0 { // it says how large it is, so that the legend folds
			(<-s.queue)()
		}
		s.until("the map is drawn", s.drawn)
		box := image.Rect(0, 0, int(c.width*c.scale), int(c.height*c.scale))
		s.compare(c.name, box)
		s.desk.Preview = s.preview
		s.drop(townTrips(t, t.TempDir(), 2))
		s.looked()
		s.until("the map is drawn", s.drawn)
		s.compare("preview-"+c.name, box)
	})
}
