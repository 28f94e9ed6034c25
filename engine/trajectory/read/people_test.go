package read

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wroge/wgs84"

	"retrace/engine/roadnet"
)

// ids are the trips of a result with the number of their samples.
func (r result) ids() string {
	var all []string
	for _, t := range r.all {
		all = append(all, fmt.Sprintf("%s:%d", t.ID, len(t.Samples)))
	}
	return strings.Join(all, " ")
}

func inspectText(t *testing.T, content string, opt Options) *Inspection {
	t.Helper()
	i, err := inspect(context.Background(), "a", "", strings.NewReader(content), int64(len(content)), opt)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// What the preview says of the columns beside a geometry is what is read.
func TestGeometriesWithoutHeader(t *testing.T) {
	var b strings.Builder
	for i := range 3 {
		for _, v := range []string{"taxi7", "taxi8"} {
			fmt.Fprintf(&b, "%s,2024-01-02T08:0%d:00Z,POINT(13.5%d 52.5)\n", v, i, i)
		}
	}
	i := inspectText(t, b.String(), Options{})
	if i.Dialect.Columns[0].Role != TrajectoryID || i.Dialect.Columns[1].Role != Time || i.Dialect.Columns[2].Role != Geometry || i.Trajectories != 2 {
		t.Errorf("taken as %+v with %d trips", i.Dialect.Columns, i.Trajectories)
	}
	if r := readText(t, "a", b.String(), Options{}); r.ids() != "taxi7:3 taxi8:3" {
		t.Errorf("read %s %v", r.ids(), r.errs)
	}
	// Asked for by number, the column before the geometry and one behind it.
	for _, content := range []string{b.String(), strings.ReplaceAll(b.String(), "Z,POINT", "Z,x,POINT")} {
		if r := readText(t, "a", content, Options{Columns: map[Role]string{VehicleID: "1"}}); r.ids() != "taxi7:3 taxi8:3" || r.all[0].Vehicle != "taxi7" {
			t.Errorf("with a column asked for: %s %v", r.ids(), r.errs)
		}
	}
}

// A latitude that stands first is noticed where the second number can be none.
func TestGeometriesWithTheLatitudeFirst(t *testing.T) {
	content := "trip;time;geom\na;2024-01-02T08:00:00Z;POINT(31.2 121.5)\na;2024-01-02T08:01:00Z;POINT(31.3 121.6)\n"
	i := inspectText(t, content, Options{})
	if !i.Dialect.LatFirst || !slices.Contains(i.Notes, NoteLatFirst) || i.Bounds.MinLon != 121.5 || i.Bounds.MinLat != 31.2 {
		t.Errorf("%+v %v", i.Dialect, i)
	}
	for _, opt := range []Options{{}, {Swap: true}, {Dialect: i.Dialect}} {
		if r := readText(t, "a", content, opt); len(r.all) != 1 || r.all[0].Samples[0].Lon != 121.5 {
			t.Errorf("%+v: %s%v", opt, r.text(), r.errs)
		}
	}
	near := strings.NewReplacer("31.2 121.5", "41.1 12.5", "31.3 121.6", "41.2 12.6").Replace(content)
	if r := readText(t, "a", near, Options{}); r.all[0].Samples[0].Lon != 41.1 {
		t.Errorf("what cannot be told is swapped: %s", r.text())
	}
	if r := readText(t, "a", near, Options{Swap: true}); r.all[0].Samples[0].Lon != 12.5 {
		t.Errorf("not swapped: %s", r.text())
	}
}

// Tables whose columns are parted by blanks, with and without a header.
func TestColumnsPartedByBlanks(t *testing.T) {
	cab := "37.75134 -122.39488 0 1213084687\n37.75136 -122.39527 0 1213084659\n37.75199 -122.3946 1 1213084540\n"
	r := readText(t, "new_abboip.txt", cab, Options{})
	if r.ids() != "new_abboip:3" || r.all[0].Samples[0].Lon != -122.3946 {
		t.Errorf("%s %v", r.text(), r.errs)
	}
	named := "id   date        time      lon      lat\na    2024-01-02  08:00:00  13.50    52.50\n  b  2024-01-02  08:00:30  13.61\t 52.41\na    2024-01-02  08:01:00  13.51    52.51\n"
	if r := readText(t, "a", named, Options{}); r.ids() != "a:2 b:1" {
		t.Errorf("%s %v", r.ids(), r.errs)
	}
	for _, opt := range []Options{{Separator: " "}, {Separator: " ", Columns: map[Role]string{TrajectoryID: "1"}}} {
		if r := readText(t, "a", named, opt); r.ids() != "a:2 b:1" {
			t.Errorf("%+v: %s %v", opt, r.ids(), r.errs)
		}
	}
	for name, prose := range map[string]string{
		"prose":   strings.Repeat("This is a text of words and 12.5 and 13.75 numbers.\n", 5),
		"numbers": "1 2 3\n4 5 6\n", "log": "2024-01-02 08:00:00 INFO started in 12.5 s\n2024-01-02 08:00:01 INFO stopped in 13.5 s\n",
	} {
		if kind, ok := KindOf([]byte(prose)); ok {
			t.Errorf("%s is taken for %s", name, kind)
		}
	}
}

// Columns that are named are taken as they are named.
func TestColumnsThatAreAskedFor(t *testing.T) {
	content := "a1;when;p;q;o;car\n7;03.01.2024 08:00;52,5;13,5;x;A\n7;03.01.2024 08:01;52,6;13,6;x;A\n8;03.01.2024 08:02;52,7;13,7;x;B\n"
	ask := func(pairs ...string) Options {
		opt := Options{Columns: map[Role]string{}}
		for i := 0; i < len(pairs); i += 2 {
			opt.Columns[Role(pairs[i])] = pairs[i+1]
		}
		return opt
	}
	for want, opt := range map[string]Options{
		"7:2 8:1": ask("trajectory", "A1", "time", "WHEN", "lon", "q", "lat", "p"),
		"A:2 B:1": ask("trajectory", "car", "time", "2", "lon", "4", "lat", "3"),
	} {
		r := readText(t, "a", content, opt)
		if r.ids() != want || r.all[0].Samples[0].Lon != 13.5 {
			t.Errorf("%s, want %s: %v %v", r.ids(), want, r.errs, r.problems)
		}
	}
	for says, opt := range map[string]Options{
		`there is no column "nix"; its columns are a1, when`: ask("lon", "nix"),
		"named for times holds none":                         ask("time", "o", "lon", "q", "lat", "p"),
	} {
		if r := readText(t, "a", content, opt); len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), says) || len(r.all) > 0 {
			t.Errorf("%v, want %s; read is %s", r.errs, says, r.ids())
		}
	}
	parquet := readFile(t, "a.parquet", twoParquet(t), Options{Columns: map[Role]string{VehicleID: "trip"}})
	if len(parquet.all) != 2 || parquet.all[0].Vehicle == "" {
		t.Errorf("of Parquet: %s %v", parquet.ids(), parquet.errs)
	}
}

// A column of occupancy cuts trips, marks the pieces, or leaves the free ones out.
func TestOccupancy(t *testing.T) {
	var b strings.Builder
	b.WriteString("taxi,time,lon,lat,occupied\n")
	for i, on := range []string{"0", "0", "1", "1", "1", "0", "true"} {
		fmt.Fprintf(&b, "A,2024-01-02T08:%02d:00Z,13.5,52.5,%s\nB,2024-01-02T08:%02d:30Z,13.6,52.5,free\n", i, on, i)
	}
	for use, want := range map[Occupancy]string{
		IgnoreOccupancy: "A:7 B:7",
		CutOccupancy:    "A/1:2 B/1:7 A/2:3 A/3:1 A/4:1",
		MarkOccupancy:   "A/1 free:2 B/1 free:7 A/2 occupied:3 A/3 free:1 A/4 occupied:1",
		OnlyOccupied:    "A/2:3 A/4:1",
	} {
		if r := readText(t, "a", b.String(), Options{Occupancy: use}); r.ids() != want || r.all[0].Vehicle == "" {
			t.Errorf("%s: %s, want %s %v", use, r.ids(), want, r.errs)
		}
	}
	r := readText(t, "a", "taxi,time,lon,lat\nA,2024-01-02T08:00:00Z,13.5,52.5\n", Options{Occupancy: CutOccupancy})
	if len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), "on board") {
		t.Errorf("without such a column: %v", r.errs)
	}
}

// Of points outside every network it is told how they would lie inside.
func TestSuggestions(t *testing.T) {
	porto := Place{"porto", roadnet.Bounds{MinLon: -8.7, MinLat: 41.1, MaxLon: -8.5, MaxLat: 41.25}}
	rome := Place{"rome", roadnet.Bounds{MinLon: 12.3, MinLat: 41.8, MaxLon: 12.7, MaxLat: 42}}
	to := wgs84.Transform(wgs84.LonLat(), wgs84.EPSG().Code(32629))
	tableOf := func(header, row string, place func(lon, lat float64) (x, y float64)) string {
		s := header
		for i := range 30 {
			x, y := place(-8.6+float64(i)/1000, 41.15+float64(i)/2000)
			s += fmt.Sprintf(row, i, x, y)
		}
		return s
	}
	metres := func(lon, lat float64) (float64, float64) { x, y, _ := to(lon, lat, 0); return x, y }
	swapped := func(lon, lat float64) (float64, float64) { return lat, lon }
	degrees := func(lon, lat float64) (float64, float64) { return lon, lat }
	const named, bare = "trip,time,x,y\n", ""
	const row, point = "a,2024-01-02T08:%02d:00Z,%.6f,%.6f\n", "a;2024-01-02T08:%02d:00Z;POINT(%.6f %.6f)\n"
	for name, c := range map[string]struct {
		content string
		opt     Options
		want    string
	}{
		"metres":                    {tableOf(named, row, metres), Options{}, "porto EPSG:32629 false"},
		"metres without header":     {tableOf(bare, row, metres), Options{}, "porto EPSG:32629 false"},
		"metres in geometries":      {tableOf(bare, point, metres), Options{}, "porto EPSG:32629 false"},
		"a wrong zone":              {tableOf(named, row, metres), Options{CRS: "EPSG:32633"}, "porto EPSG:32629 false"},
		"degrees taken for metres":  {tableOf(named, row, degrees), Options{CRS: "EPSG:32629"}, "porto  false"},
		"swapped columns":           {tableOf(named, row, swapped), Options{}, "porto  true"},
		"swapped geometries":        {tableOf(bare, point, swapped), Options{}, "porto  true"},
		"swapped where they should": {tableOf(named, row, degrees), Options{Swap: true}, "porto  false"},
		"all is well":               {tableOf(named, row, degrees), Options{}, ""},
		"elsewhere":                 {strings.ReplaceAll(tableOf(named, row, degrees), "-8.", "78."), Options{}, ""},
	} {
		got := ""
		if s := Suggest(context.Background(), writeTemp(t, c.content), c.opt, []Place{rome, porto}); s != nil {
			got = fmt.Sprintf("%s %s %t", s.Place, s.CRS, s.Swap)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	i := inspectText(t, tableOf(named, row, metres), Options{})
	if !strings.Contains(i.Failure, "column x and column y seem to be metres") {
		t.Errorf("metres without a system: %q", i.Failure)
	}
}
