package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// road is a road of two segments; its nodes lie 100 m apart.
func road(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 25, `
		A---B---C---D---E
		        |
		        F
	`, "ABC", "CDE", "CF")
}

func TestEdgesDrivenInPartAreWhole(t *testing.T) {
	net := road(t)
	names := map[roadnet.Coord]string{}
	for _, letter := range "ABCDEF" {
		names[roadnet.CoordOf(net.Point(letter))] = string(letter)
	}
	two := []roadnet.SegmentID{net.Seg("AC"), net.Seg("CE")}
	for name, c := range map[string]struct {
		part trajectory.Part
		want string
	}{
		"all":                   {trajectory.Part{Segments: two, EndRatio: 1}, "ABCDE"},
		"from and to a middle":  {trajectory.Part{Segments: two, StartRatio: 0.9, EndRatio: 0.1}, "BCD"},
		"from and to a node":    {trajectory.Part{Segments: two, StartRatio: 0.5, EndRatio: 0.5}, "BCD"},
		"within an edge":        {trajectory.Part{Segments: two[:1], StartRatio: 0.6, EndRatio: 0.7}, "BC"},
		"nowhere":               {trajectory.Part{Segments: two[:1], StartRatio: 0.6, EndRatio: 0.6}, ""},
		"back a little":         {trajectory.Part{Segments: two[:1], StartRatio: 0.6, EndRatio: 0.55}, ""},
		"none of the last":      {trajectory.Part{Segments: two, StartRatio: 0, EndRatio: 0}, "ABC"},
		"none of the first one": {trajectory.Part{Segments: two, StartRatio: 1, EndRatio: 1}, "CDE"},
	} {
		got := ""
		for _, p := range edges(net.Network, c.part) {
			got += names[roadnet.CoordOf(p)]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAVehicleThatStandsHasAPlace(t *testing.T) {
	net := road(t)
	table := newTable("part", "lon", "lat")
	table.addPath(net.Network, &trajectory.Recovery{Parts: []trajectory.Part{{Segments: []roadnet.SegmentID{net.Seg("AC")}, StartRatio: 0.5, EndRatio: 0.5}}})
	at := net.Point('B')
	if want := [][]string{{"part", "lon", "lat"}, {"0", degrees(at.Lon), degrees(at.Lat)}}; !reflect.DeepEqual(table.rows, want) {
		t.Errorf("rows %v, want %v", table.rows, want)
	}
}

// truthFile is the truth of a drive from A to E at 10, 10 and 30 m/s, a row every ten
// seconds; the third edge is driven between two rows.
const truthFile = `t,lon,lat,from_node,to_node,ratio,s
1000,0.000,50,1,2,0.0,0.0
1010,0.001,50,1,2,1.0,100.0
1020,0.002,50,2,3,1.0,200.0
1030,0.005,50,4,5,1.0,500.0
`

func TestTheTruePathAtAnEvenPace(t *testing.T) {
	dir := t.TempDir()
	if err := writeGzip(filepath.Join(dir, "truth.csv.gz"), truthFile); err != nil {
		t.Fatal(err)
	}
	b := &bench{tick: 15 * time.Second}
	trip := &trajectory.Trajectory{Samples: []trajectory.Sample{{Time: 1000_000}, {Time: 1030_000}}}
	path, points := newTable("part", "lon", "lat"), newTable("t", "lon", "lat")
	if err := b.truth(road(t).Network, dir, trip, path, points); err != nil {
		t.Fatal(err)
	}
	// Half way in time is half way in metres: 250 m, at a sixth of the way from 200 to 500 m.
	want := [][]string{{"t", "lon", "lat"}, {"1000", "0.0000000", "50.0000000"}, {"1015", "0.0025000", "50.0000000"}, {"1030", "0.0050000", "50.0000000"}}
	if !reflect.DeepEqual(points.rows, want) {
		t.Errorf("points %v, want %v", points.rows, want)
	}
	parts := ""
	for _, row := range path.rows[1:] {
		parts += row[0]
	}
	if parts != "11122" {
		t.Errorf("the vertices are of parts %s, want 1-2-3 and 4-5", parts)
	}
}

func TestABrokenTruthIsSaidWhere(t *testing.T) {
	dir := t.TempDir()
	for text, says := range map[string]string{
		"":                                "no rows",
		"t\n":                             "no rows",
		truthFile + "1040,x,50,4,5,1,1\n": "row 6",
		"a,b\n1,2\n":                      "row 2",
	} {
		file := filepath.Join(dir, "truth.csv.gz")
		if err := writeGzip(file, text); err != nil {
			t.Fatal(err)
		}
		if _, err := readTruth(file); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v", text, err)
		}
	}
	end := roadnet.Point{Lon: 3, Lat: 4}
	if d := (drive{{along: 5}, {along: 7, at: end}}); d.place(9) != end {
		t.Errorf("past the end of the drive it is at %v, want its end", d.place(9))
	}
}

func writeGzip(file, text string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(text)); err != nil {
		return err
	}
	return z.Close()
}
