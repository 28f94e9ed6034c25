package work

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/ui/state"
)

func writeFile(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	plainTable = "trip,time,lon,lat\na,2024-05-06T10:00:00Z,8.50001,49.10001\na,2024-05-06T10:01:00Z,8.50101,49.10001\n"
	otherTable = "vehicle;day;clock;x;y\nv;06.05.2024;10:00:00;8,50001;49,10001\nv;06.05.2024;10:01:00;8,50101;49,10001\n"
)

// Files of one shape are one group, wherever in a drop they lie, and what was
// unpacked is known by the name of its archive.
func TestDropIsGroupedByShape(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "monday", "a.csv"), plainTable)
	writeFile(t, filepath.Join(dir, "tuesday", "b.csv"), strings.ReplaceAll(plainTable, "a,", "b,"))
	writeFile(t, filepath.Join(dir, "notes", "letter.txt"), "Dear planner,\n")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"c.csv": plainTable, "deep/d.csv": otherTable, "../evil.csv": otherTable, "roads.shp.prj": "x"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	archive := writeFile(t, filepath.Join(dir, "both.zip"), b.String())
	s, err := sortOut(context.Background(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.clean()
	in, err := groupUp(context.Background(), s, memory{})
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, g := range in.Groups {
		var names []string
		for _, p := range g.Paths {
			names = append(names, strings.TrimPrefix(in.Name(p), dir+string(filepath.Separator)))
		}
		groups = append(groups, fmt.Sprint(names))
	}
	all := strings.Join(groups, "")
	for _, want := range []string{"both.zip!c.csv", "monday/a.csv", "tuesday/b.csv", "[both.zip!deep/d.csv]"} {
		if !strings.Contains(filepath.ToSlash(all), want) {
			t.Errorf("%s is not where it belongs: %s", want, all)
		}
	}
	if len(in.Groups) != 2 || strings.Contains(all, "evil") {
		t.Errorf("grouped as %s", all)
	}
	if len(s.unknown) != 1 {
		t.Errorf("unknown are %v", s.unknown)
	}
	if _, err := os.Stat(archive); err != nil {
		t.Error(err)
	}
}

// Coordinates of UTM that are taken for degrees are noticed where the network
// says where they belong.
func TestOtherSystemIsAdvised(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
		A---B---C
		    |
		    D
	`, "ABC", "BD")
	b := net.Info().Bounds
	lon, lat := (b.MinLon+b.MaxLon)/2, (b.MinLat+b.MaxLat)/2
	x, y := mercator(lon, lat)
	var text strings.Builder
	text.WriteString("id,time,x,y\n")
	for i := range 20 {
		fmt.Fprintf(&text, "a,2024-05-06T10:%02d:00Z,%.2f,%.2f\n", i, x+float64(i), y)
	}
	path := writeFile(t, filepath.Join(t.TempDir(), "a.csv"), text.String())
	g, err := Look(context.Background(), path, Choice{}, DefaultCleaning(), net.Network)
	if err != nil {
		t.Fatal(err)
	}
	if g.Samples != 0 || len(g.Advice) != 1 || g.Advice[0].Kind != OtherSystem || g.Advice[0].Choice.CRS != "EPSG:3857" {
		t.Fatalf("%d points, advice %+v, %s", g.Samples, g.Advice, g.Failure)
	}
	g, err = Look(context.Background(), path, g.Advice[0].Choice, DefaultCleaning(), net.Network)
	if err != nil || g.Samples != 20 || len(g.Advice) != 0 {
		t.Errorf("as advised: %d points, advice %+v, %v", g.Samples, g.Advice, err)
	}
}

// What two files call the same is two trips; the same trip is one; a file that
// has changed takes the place of what it was.
func TestIDsAreUnique(t *testing.T) {
	trip := func(source string, lon float64) *trajectory.Trajectory {
		return &trajectory.Trajectory{ID: "1", Source: source, Samples: []trajectory.Sample{{Time: 1, Lon: lon}}}
	}
	n := newIDs([]*state.Trip{state.NewTrip(trip("a.csv", 1), nil, nil)})
	n.begin()
	same, changed, other := trip("b.csv", 1), trip("a.csv", 2), trip("c.csv", 3)
	if n.give(same) != nil {
		t.Error("the same trip is taken once more")
	}
	if n.give(changed) == nil || changed.ID != "1" {
		t.Errorf("the changed file's trip is called %s", changed.ID)
	}
	n.begin()
	if n.give(other) == nil || other.ID != "1#2" {
		t.Errorf("the other file's trip is called %s", other.ID)
	}
}

func TestRulesAreThoseOfTheCommandLineUnlessChosen(t *testing.T) {
	got, want := DefaultCleaning().rules(nil), clean.Default()
	if got.Duplicates != want.Duplicates || got.Gap != want.Gap || got.Stop != want.Stop || got.MaxSpeed != want.MaxSpeed || got.Inside != nil {
		t.Errorf("%+v, want %+v", got, want)
	}
	c := Cleaning{clean.Jumps: {On: true, Value: 36}, "unheard of": {On: true}}.complete()
	if c.rules(nil).MaxSpeed != 10 || len(c) != len(CleaningRules()) {
		t.Errorf("%+v", c)
	}
}

// mercator is a place in Web Mercator, metres.
func mercator(lon, lat float64) (x, y float64) {
	const radius = 6378137
	return radius * lon * math.Pi / 180, radius * math.Log(math.Tan(math.Pi/4+lat*math.Pi/360))
}
