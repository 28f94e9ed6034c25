package read

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPorto(t *testing.T) {
	content := `"TRIP_ID","CALL_TYPE","TAXI_ID","TIMESTAMP","MISSING_DATA","POLYLINE"
"T1","C","20","1704182400","False","[[-8.61,41.14],[-8.62,41.15],[-8.63,41.16]]"
"1.37E+18","C","21","1704182400","False","[[-8.5,41.1]]"
"1.37E+18","C","21","1704182460","TRUE","[[-8.5,41.2],[-8.5,141.2],[-8.5,oops],[-8.6, 41.3]]"
"1.37E+18","C","21","1704182460","","[[-8.5,41.2]]"
"T2","C","20","1704182400","False","[]"
"T3","C","20","","False","[[-8.61,41.14]]"
"T4","C","20","1704182400","False","[[-8.61,41.14],[-8.6"
"T5","C","20"
"T6","C","20","1704182400","False","no line"
`
	r := readText(t, "porto.csv", content, Options{})
	r.check(t, `
T1/20 0102T080000,-8.61,41.14 0102T080015,-8.62,41.15 0102T080030,-8.63,41.16
1.37E+18@1704182400/21 0102T080000,-8.5,41.1
1.37E+18@1704182460/21 0102T080100,-8.5,41.2 0102T080145,-8.6,41.3
1.37E+18@1704182460#2/21 0102T080100,-8.5,41.2
T4/20 0102T080000,-8.61,41.14
`)
	want := `4 latitude is not within -90 to 90
4 latitude is not a number
4 points are missing, so that the times behind them may be wrong
6 the trip has no points
7 time cannot be read
8 the polyline is cut off
9 too few columns
10 the polyline cannot be read
10 the trip has no points
`
	if diff := cmp.Diff(want, r.complaints()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// The published files, if they are at hand.
func TestPortoFile(t *testing.T) {
	path := filepath.Join(dataFolder(), "data", "trajectories", "porto_trips.csv.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs the shared data (set RETRACE_DATA): ", err)
	}
	trips, samples, ids := 0, 0, map[string]bool{}
	for tr, err := range Files(context.Background(), []string{path}, nil, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		trips++
		samples += len(tr.Samples)
		ids[tr.ID] = true
	}
	if trips != 13490 || len(ids) != trips {
		t.Errorf("%d trips, %d ids", trips, len(ids))
	}
	if samples < 40*trips {
		t.Errorf("only %d samples", samples)
	}
}

// dataFolder is where the shared data lies.
func dataFolder() string {
	if dir := os.Getenv("RETRACE_DATA"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "..", "..", "shared")
}

func TestGPX(t *testing.T) {
	content := `<?xml version="1.0" encoding="ISO-8859-1"?>
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><name>file</name><time>2020-01-01T00:00:00Z</time></metadata>
<wpt lat="1" lon="2"><name>shop</name></wpt>
<trk><name> M` + "\xfc" + `hle &amp; co </name>
 <trkseg>
  <trkpt lat="52.5" lon="13.5"><ele>30</ele><time>2024-01-02T08:00:00Z</time></trkpt>
  <trkpt lat="52.6" lon="13.6"><time>2024-01-02T08:01:00.5Z</time><extensions><name>x</name></extensions></trkpt>
  <trkpt lat="52.7" lon="13.7"/>
  <trkpt lat="952.7" lon="13.7"><time>2024-01-02T08:02:00Z</time></trkpt>
  <trkpt lon="13.7"><time>2024-01-02T08:02:00Z</time></trkpt>
 </trkseg>
 <trkseg><trkpt lat="52.8" lon="13.8"><time>soon</time></trkpt>
  <trkpt lat="52.9" lon="13.9"><time>2024-01-02T10:03:00+02:00</time></trkpt></trkseg>
</trk>
<trk><trkseg><trkpt lat="5" lon="6"><time>2024-01-02T08:00:00Z</time></trkpt></trkseg></trk>
<rte><rtept lat="7" lon="8"><time>2024-01-02T08:00:00Z</time></rtept></rte>
</gpx>`
	r := readText(t, "day.gpx", content, Options{})
	r.check(t, `
Mühle & co/ 0102T080000,13.5,52.5 0102T080100.5,13.6,52.6 0102T080300,13.9,52.9
day/ 0102T080000,6,5
day#2/ 0102T080000,8,7
`)
	want := `4 a waypoint, not part of a track
9 no time
10 latitude is not within -90 to 90
11 latitude is not a number
13 time cannot be read
`
	if diff := cmp.Diff(want, r.complaints()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// A file that breaks off is left out as a whole, unless what came before is
// asked for.
func TestBrokenFilesAreLeftOutAsAWhole(t *testing.T) {
	gpx := `<gpx><trk><name>a</name><trkseg><trkpt lat="5" lon="6"><time>2024-01-02T08:00:00Z</time></trkpt>` +
		`<trkpt lat="7" lon="8"><time>2024-01-02T08:01:00Z</time></trkpt>`
	geojson := `{"type":"FeatureCollection","features":[` + "\n" +
		`{"type":"Feature","properties":{"time":1704182400},"geometry":{"type":"Point","coordinates":[6,5]}},` + "\n"
	for rest, want := range map[string]string{
		"":                "a: line 1: broken XML: ",
		"<trkpt lat=":     "a: line 1: broken XML: ",
		"</trk></trkseg>": "a: line 1: broken XML: ",
		"\x00":            "a: line 1: broken XML: ",
		"<a/>&what;":      "a: line 1: broken XML: ",
		"<name>" + strings.Repeat("x", 200_000) + "</name>": "a: line 1: one element is larger than the limit of 100000 bytes",
		strings.Repeat("<a>", 100):                          "a: line 1: elements are nested more than 64 deep",
	} {
		checkBroken(t, gpx+rest, "a/ 0102T080000,6,5 0102T080100,8,7\n", want)
	}
	for rest, want := range map[string]string{
		"":                          "a: the file ends in the middle: it is cut off",
		`{"type":"Feature","prop`:   "a: the file ends in the middle: it is cut off",
		`{"type":"Feature",,}`:      "a: broken JSON behind line 2: invalid character ',' looking for beginning of object key string",
		strings.Repeat("[", 20_000): "a: broken JSON behind line 2: invalid character '[' exceeded max depth",
		`{"type":"` + strings.Repeat("x", 200_000) + `"}`: "a: behind line 2: one element is larger than the limit of 100000 bytes",
	} {
		checkBroken(t, geojson+rest, "a/ 0102T080000,6,5\n", want)
	}
}

func checkBroken(t *testing.T, content, before, want string) {
	t.Helper()
	for _, partial := range []bool{false, true} {
		r := readText(t, "a", content, Options{Limits: Limits{Row: 100_000}, Partial: partial})
		if len(r.errs) != 1 || !strings.HasPrefix(r.errs[0].Error(), want) {
			t.Errorf("%.200q: errors %v, want %s", content, r.errs, want)
		}
		if got := r.text(); partial && got != before || !partial && got != "" {
			t.Errorf("%.200q: partial %v: got %s", content, partial, got)
		}
	}
}

func TestGeoJSON(t *testing.T) {
	cases := map[string]struct{ content, want, problems string }{
		"line with coordTimes": {`{"type":"Feature","properties":{"name":"a","coordTimes":["2024-01-02T08:00:00Z","2024-01-02T08:01:00Z"]},
			"geometry":{"type":"LineString","coordinates":[[1,2],[3,4,99]]}}`, "a/ 0102T080000,1,2 0102T080100,3,4\n", ""},
		"members in another order": {`{"geometry":{"coordinates":[[1,2],[3,4]],"type":"LineString"},"properties":{"coordinateProperties":{"times":[1704182400000,1704182460000]}},"id":7,"type":"Feature"}`,
			"7/ 0102T080000,1,2 0102T080100,3,4\n", ""},
		"several lines": {`{"type":"FeatureCollection","name":"x","features":[{"type":"Feature","properties":{"trip_id":12,"taxi":"t","times":[[1704182400],[1704182460,1704182520]]},
			"geometry":{"type":"MultiLineString","coordinates":[[[1,2]],[[3,4],[5,6]]]}}],"crs":{}}`, "12/t 0102T080000,1,2 0102T080100,3,4 0102T080200,5,6\n", ""},
		"times as fourth number": {`{"type":"LineString","coordinates":[[1,2,0,1704182400],[3,4,0,1704182460]]}`, "a/ 0102T080000,1,2 0102T080100,3,4\n", ""},
		"points": {`{"type":"FeatureCollection","features":[
			{"type":"Feature","properties":{"vehicle":"v","time":"2024-01-02 08:00:00"},"geometry":{"type":"Point","coordinates":[1,2]}},
			{"type":"Feature","properties":{"vehicle":"w","time":"2024-01-02 08:00:00"},"geometry":{"type":"Point","coordinates":[5,6]}},
			{"type":"Feature","properties":{"vehicle":"v","time":"2024-01-02 08:01:00"},"geometry":{"type":"Point","coordinates":[3,4]}}]}`,
			"v/v 0102T080000,1,2 0102T080100,3,4\nw/w 0102T080000,5,6\n", ""},
		"a feature a line": {`{"type":"Feature","properties":{"time":1704182400},"geometry":{"type":"Point","coordinates":[1,2]}}
			{"type":"Feature","properties":{"time":1704182460},"geometry":{"type":"Point","coordinates":[3,4]}}`, "a/ 0102T080000,1,2 0102T080100,3,4\n", ""},
		"what cannot be taken": {`[{"type":"Feature","properties":{"id":"a","times":[1704182400,"x",null,1704182460]},"geometry":{"type":"LineString","coordinates":[[1,2],[1,2],[null,3],[4,5]]}},
{"type":"Feature","properties":{"times":[1]},"geometry":{"type":"LineString","coordinates":[[1,2],[1,2]]}},
{"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[]}},
{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}},
{"type":"Feature","properties":{"time":1704182400},"geometry":{"type":"Point","coordinates":[1,92]}},
{"type":"Feature","properties":{"time":1704182400},"geometry":{"type":"Point","coordinates":null}},
{"type":"Feature","properties":"none","geometry":null},
{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":"far"}}]`,
			"a/ 0102T080000,1,2 0102T080100,4,5\n",
			"1 time cannot be read\n1 the position cannot be read\n2 the line has not one time for each position\n3 the geometry is neither point nor line\n" +
				"4 no time\n5 latitude is not within -90 to 90\n6 the position cannot be read\n7 not a GeoJSON feature\n8 the coordinates cannot be read\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := readText(t, "a.geojson", c.content, Options{})
			r.check(t, c.want)
			if diff := cmp.Diff(c.problems, r.complaints()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestKindIsToldByContent(t *testing.T) {
	for content, want := range map[string]Kind{
		"trip,time,lon,lat\na,1704182400,1,2\n":                        CSV,
		"\"TRIP_ID\",\"TIMESTAMP\",\"POLYLINE\"\n":                     Porto,
		"\n<?xml version='1.0'?><!-- hi --><gpx>":                      GPX,
		" {\"type\": \"Feature\"":                                      GeoJSON,
		"<?xml version='1.0'?><osm version='0.6'><node id='1'/></osm>": "",
		"\x00\x00\x00\x0d\x0a\x09OSMHeader":                            "",
		"BZh91AY&SY":                                                   "",
		"":                                                             "",
		"\x1f\x8bnonsense":                                             "",
	} {
		for _, head := range [][]byte{[]byte(content), zipped(t, []byte(content))} {
			if got, ok := KindOf(head); got != want || ok != (want != "") {
				t.Errorf("%.20q: got %q, want %q", content, got, want)
			}
		}
	}
}

func TestInspect(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trips.csv")
	content := "id;datum;x;y\n7;31.12.2023 23:00;13,5;52,5\n7;31.12.2023 23:30;13,6;52,4\n8;31.12.2023 23:10;13,55;152,4\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Inspect(context.Background(), path, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got.File = "trips.csv"
	for i := range got.Problems {
		got.Problems[i].File = "trips.csv"
	}
	want := &Inspection{
		File: "trips.csv", Kind: CSV, Encoding: "utf-8", Bytes: int64(len(content)), Complete: true, Trajectories: 1, Samples: 2, Estimate: 2,
		First: "2023-12-31T23:00:00Z", Last: "2023-12-31T23:30:00Z",
		Rows: [][]string{{"id", "datum", "x", "y"}, {"7", "31.12.2023 23:00", "13,5", "52,5"}, {"7", "31.12.2023 23:30", "13,6", "52,4"}, {"8", "31.12.2023 23:10", "13,55", "152,4"}},
		Dialect: &Dialect{Separator: ";", DecimalComma: true, Header: true, Time: "DD.MM.YYYY hh:mm",
			Columns: []Column{{"id", TrajectoryID}, {"datum", Time}, {"x", Lon}, {"y", Lat}}},
		Notes:    []string{"the times name no zone"},
		Reasons:  map[string]int{badLatRange: 1},
		Problems: []Problem{{File: "trips.csv", Line: 4, Reason: badLatRange, Value: "13,55 152,4 31.12.2023 23:10"}},
	}
	want.Bounds.MinLon, want.Bounds.MinLat, want.Bounds.MaxLon, want.Bounds.MaxLat = 13.5, 52.4, 13.6, 52.5
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInspectReadsTheBeginningOfLargeFiles(t *testing.T) {
	row := "some-long-trip-name,2024-01-02T08:00:00Z,1.500000,2.500000\n"
	content := "trip,time,lon,lat\n" + strings.Repeat(row, 2*inspectBytes/len(row))
	got, err := inspect(context.Background(), "a.csv", "", strings.NewReader(content), int64(len(content)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := float64(2 * inspectBytes / len(row))
	if got.Complete || len(got.Problems) > 0 || float64(got.Estimate) < 0.99*all || float64(got.Estimate) > 1.01*all {
		t.Errorf("got %+v, want about %.0f samples", got, all)
	}
}

func TestInspectSaysWhyAFileCannotBeRead(t *testing.T) {
	got, err := inspect(context.Background(), "a.csv", "", strings.NewReader("trip,when\na,now\n"), 0, Options{})
	if err != nil || !strings.HasPrefix(got.Failure, "a.csv: no column holds longitudes") || len(got.Rows) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := inspect(context.Background(), "a.bin", "", strings.NewReader("\x00\x01"), 0, Options{}); err == nil {
		t.Error("no error for a file of no known kind")
	}
}

// A person's choice of columns overrides the guess.
func TestDialectGiven(t *testing.T) {
	d := &Dialect{Separator: ",", Columns: []Column{{Role: TrajectoryID}, {Role: Lat}, {Role: Lon}, {Role: Clock}, {Role: Date}}, Time: "MM/DD/YYYY hh:mm"}
	readText(t, "a.csv", "a,1.5,2.5,08:00,1/2/2024\n", Options{Dialect: d}).check(t, "a/ 0102T080000,2.5,1.5\n")
	d.Columns[0].Role = Lat
	r := readText(t, "a.csv", "a,1.5,2.5,08:00,1/2/2024\n", Options{Dialect: d})
	if len(r.errs) != 1 || r.errs[0].Error() != "a.csv: two columns are the lat; one must be left out" {
		t.Errorf("errors %v", r.errs)
	}
}
