package ui

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/wroge/wgs84"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/read"
	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/work"
)

// withPreview is a window on the town in which drops are looked at before they
// are read.
func withPreview(t *testing.T) *stage {
	t.Helper()
	dir := t.TempDir()
	s := openStage(t, filepath.Join(dir, "w.retrace"), 1440, 900, 1, townExtract(t, dir))
	s.until("the town is shown", func() bool { return s.m.Network() != nil })
	s.idle()
	s.desk.Preview = s.preview
	return s
}

// looked waits until the preview shows what was found.
func (s *stage) looked() {
	s.t.Helper()
	s.until("the preview is shown", func() bool { return s.previewing() && !s.previews.panel.Busy() })
}

// below lists the objects of a kind of the topmost dialog, or of the window.
func below[T fyne.CanvasObject](root fyne.CanvasObject) []T {
	var found []T
	for _, o := range test.LaidOutObjects(root) {
		if x, ok := o.(T); ok {
			found = append(found, x)
		}
	}
	return found
}

// Why a row is refused is said in the language of the window: in the preview, in
// the table of problems, and in what is told when all is read.
func TestRefusedRowsAreToldInTheLanguageOfTheWindow(t *testing.T) {
	s := withPreview(t)
	if err := speak("de"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := speak("en"); err != nil {
			t.Error(err)
		}
	}()
	s.drop(townTrips(t, t.TempDir(), 3))
	s.looked()
	const reason = "die Länge ist keine Zahl"
	if !says(s.previews.panel.Object, reason+" (") {
		t.Errorf("the preview does not say %q", reason)
	}
	s.typed(fyne.KeyReturn)
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	problems := s.m.Problems()
	if !slices.ContainsFunc(problems, func(p state.Problem) bool { return p.Source == "reading" && strings.HasPrefix(p.What, reason+": ") }) {
		t.Errorf("the problems are %+v", problems)
	}
	if told := s.told(); !strings.Contains(told, "1 × "+reason) {
		t.Errorf("told is %s", told)
	}
}

// says reports whether some text of an object holds a part.
func says(root fyne.CanvasObject, part string) bool {
	for _, x := range below[*kit.Text](root) {
		if strings.Contains(x.Text(), part) {
			return true
		}
	}
	return false
}

func TestDropIsShownBeforeItIsRead(t *testing.T) {
	s := withPreview(t)
	s.drop(townTrips(t, t.TempDir(), 3))
	s.looked()
	panel := s.previews.panel.Object
	if !says(panel, "3 trips, 15 points") || !says(panel, "1 row cannot be read") || !says(panel, "line 17") {
		t.Error("the preview does not say what would be read, and what not")
	}
	if len(s.previews.trips) != 3 || len(s.m.Trips()) != 0 {
		t.Errorf("the map shows %d trips, %d are read", len(s.previews.trips), len(s.m.Trips()))
	}
	if s.win.Canvas().Focused() == nil {
		t.Fatal("nothing takes the keys")
	}
	s.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	if s.previewing() || !s.dock.Object.Visible() {
		t.Error("the preview still stands")
	}
}

func TestDropCanBeLeft(t *testing.T) {
	s := withPreview(t)
	s.drop(townTrips(t, t.TempDir(), 3))
	s.looked()
	s.key(fyne.KeyEscape)
	s.idle()
	if s.previewing() || len(s.m.Trips()) != 0 {
		t.Errorf("%d trips were read all the same", len(s.m.Trips()))
	}
}

// swappedTrips has longitude and latitude the wrong way round and no names.
func swappedTrips(t *testing.T, dir, name string) string {
	t.Helper()
	var b strings.Builder
	for i := range 5 {
		fmt.Fprintf(&b, "bus;06.05.2024 10:%02d:00;%.6f;%.6f\n", i, townLat+0.00003, townLon+float64(i)*0.003)
	}
	return write(t, filepath.Join(dir, name), b.String())
}

// A wrong guess is corrected with one click, and remembered for the next file
// of the same shape, also after a restart.
func TestWrongGuessIsCorrectedAndRemembered(t *testing.T) {
	s := withPreview(t)
	dir := t.TempDir()
	s.drop(swappedTrips(t, dir, "a.csv"))
	s.looked()
	if got := s.previews.trips[0].Trajectory.Samples[0]; got.Lon != townLat+0.00003 {
		t.Fatalf("guessed at %+v", got)
	}
	s.tapButton("Swap them")
	s.looked()
	if got := s.previews.trips[0].Trajectory.Samples[0]; got.Lon != townLon {
		t.Fatalf("after the click the map shows %+v", got)
	}
	s.tapButton("Read the trips")
	s.until("the trip is read", func() bool { return len(s.m.Trips()) == 1 })
	s.idle()
	if s.m.Trips()[0].Status == state.Outside {
		t.Error("the trip lies outside the network")
	}
	s.end()

	again := openStage(t, s.path, 1440, 900, 1)
	again.idle()
	again.desk.Preview = again.preview
	again.drop(swappedTrips(t, dir, "a copy.csv"))
	again.looked()
	if !says(again.previews.panel.Object, "read as files of this shape were before") || again.previews.trips[0].Trajectory.Samples[0].Lon != townLon {
		t.Error("what was corrected is not remembered")
	}
	again.tapButton("Read the trips")
	again.idle()
	if n := len(again.m.Trips()); n != 1 {
		t.Errorf("the same file dropped twice gives %d trips", n)
	}
	n := again.m.Notices()
	if len(n) == 0 || !strings.Contains(n[len(n)-1].Text, "already") || n[len(n)-1].Level != state.Info {
		t.Errorf("of the same file it is said %+v", n)
	}
}

// The role of a column, the way its times are written, and the rules of
// cleaning are corrected by hand.
func TestRolesAndRulesAreTaken(t *testing.T) {
	s := withPreview(t)
	var b strings.Builder
	b.WriteString("trip,sent,received,lon,lat\n")
	for i := range 6 {
		fmt.Fprintf(&b, "bus,2024-05-06 10:%02d:00,2024-05-07 11:%02d:00,%.6f,%.6f\n", i*7/6, i*8, townLon+float64(i)*0.002, townLat+0.00003)
	}
	s.drop(write(t, filepath.Join(t.TempDir(), "two times.csv"), b.String()))
	s.looked()
	selects := below[*kit.Select](s.previews.panel.Object)
	for i, want := range []string{"trajectory", "time", "leave out", "longitude", "latitude"} {
		if selects[i].Selected != want {
			t.Errorf("column %d is taken for %q, want %q", i+1, selects[i].Selected, want)
		}
	}
	if !says(s.previews.panel.Object, "2024-05-06") {
		t.Error("the times are not those of the first column")
	}
	selects[2].SetSelected("time")
	s.looked()
	if !says(s.previews.panel.Object, "1 trip, 6 points, 2024-05-07") || selects[1].Selected != "leave out" {
		t.Error("the other column of times is not taken")
	}
	for _, c := range below[*kit.Check](s.previews.panel.Object) {
		if c.Label() == "Cut at stops above" && c.On() {
			t.Error("cutting at stops is on by itself")
		}
	}
	in := s.previews.waiting[0].in
	entries := below[*kit.Entry](s.previews.panel.Object)
	for _, e := range entries {
		if e.Text == "30" { // minutes: gaps
			e.SetText("7")
		}
	}
	s.looked()
	if in.Cleaning[clean.Gaps] != (work.Switch{On: true, Value: 7}) || !says(s.previews.panel.Object, "6 trips, 6 points") {
		t.Errorf("the threshold is %+v", in.Cleaning[clean.Gaps])
	}
	s.tapButton("Read the trips")
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 6 })
	s.idle()
	cuts := 0
	for _, p := range s.m.Problems() {
		if strings.Contains(p.What, "cut") && p.At != nil {
			cuts++
		}
	}
	if cuts != 5 {
		t.Errorf("%d cuts can be looked at, want 5", cuts)
	}
}

// Points of a Chinese place that sit off its roads in one direction are known as
// shifted ones.
func TestShiftedCoordinatesAreKnown(t *testing.T) {
	dir := t.TempDir()
	const lon, lat = 116.40, 39.90
	s := openStage(t, filepath.Join(dir, "w.retrace"), 1440, 900, 1, townAt(t, dir, lon, lat))
	s.until("the town is shown", func() bool { return s.m.Network() != nil })
	s.idle()
	s.desk.Preview = s.preview
	toWGS, err := read.Transform("GCJ-02")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("taxi,time,lon,lat\n")
	for i := range 40 {
		x, y := lon+float64(i%7)*townStep+0.0007*float64(i%3), lat+float64(i%5)*townStep
		for range 8 { // to the shifted coordinates of this place
			px, py := toWGS(x, y)
			x, y = x+(lon+float64(i%7)*townStep+0.0007*float64(i%3)-px), y+(lat+float64(i%5)*townStep-py)
		}
		fmt.Fprintf(&b, "t,2024-05-06 10:%02d:00,%.6f,%.6f\n", i, x, y)
	}
	s.drop(write(t, filepath.Join(dir, "taxi.csv"), b.String()))
	s.looked()
	if !says(s.previews.panel.Object, "off the roads in one direction, as GCJ-02 is shifted") {
		t.Fatal("the shift is not noticed")
	}
	s.tapButton("Read as GCJ-02")
	s.looked()
	p := s.previews.trips[0].Trajectory.Samples[0]
	if d := roadnet.Distance(roadnet.Point{Lon: p.Lon, Lat: p.Lat}, roadnet.Point{Lon: lon, Lat: lat}); d > 2 {
		t.Errorf("the first point lies %.0f m off", d)
	}
}

// A very large file is shown at once: only its head is read.
func BenchmarkPreviewOfALargeFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.csv")
	writeLarge(b, path, 200<<20)
	for b.Loop() {
		start := time.Now()
		if _, err := work.Look(b.Context(), path, work.Choice{}, work.DefaultCleaning(), nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s/look")
	}
}

// A table parted by blanks, whose geometries name the latitude first, and one whose
// coordinates are metres: the preview asks, and a click reads them right.
func TestPreviewAsksHowOddTablesAreMeant(t *testing.T) {
	s := withPreview(t)
	dir := t.TempDir()
	zone := read.UTM(s.m.Network().Info().Bounds)
	toMetres := wgs84.Transform(wgs84.LonLat(), wgs84.EPSG().Code(zone))
	for name, c := range map[string]struct {
		row    func(i int, lon, lat float64) string
		button string
	}{
		"blanks": {func(i int, lon, lat float64) string {
			return fmt.Sprintf("bus  2024-05-06  10:%02d:00  %.6f  %.6f\n", i, lat, lon)
		}, "Swap them"},
		"geometries": {func(i int, lon, lat float64) string {
			return fmt.Sprintf("bus;06.05.2024 10:%02d:00;POINT(%.6f %.6f)\n", i, lat, lon)
		}, "Swap them"},
		"metres": {func(i int, lon, lat float64) string {
			x, y, _ := toMetres(lon, lat, 0)
			return fmt.Sprintf("bus;06.05.2024 10:%02d:00;%.2f;%.2f\n", i, x, y)
		}, fmt.Sprintf("Read as EPSG:%d", zone)},
	} {
		var b strings.Builder
		for i := range 5 {
			b.WriteString(c.row(i, townLon+float64(i)*0.003, townLat+0.00003))
		}
		s.drop(write(t, filepath.Join(dir, name+".txt"), b.String()))
		s.looked()
		s.shot("preview-" + name)
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject
		for _, button := range below[*kit.Button](s.previews.panel.Object) {
			for _, role := range below[*kit.Select](s.previews.panel.Object) {
				if bottom := at(button).Y + button.Size().Height; button.Label() == c.button && bottom > at(role).Y {
					t.Errorf("%s: the advice ends at %.0f, over a choice at %.0f", name, bottom, at(role).Y)
				}
			}
		}
		s.tapButton(c.button)
		s.looked()
		if got := s.previews.trips[0].Trajectory.Samples[0]; math.Abs(got.Lon-townLon) > 1e-5 {
			t.Errorf("%s: after the click the map shows %+v", name, got)
		}
		s.key(fyne.KeyEscape)
		s.idle()
	}
}
