package read

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/engine/trajectory"
)

// result is all that a reading gave.
type result struct {
	all      []*trajectory.Trajectory
	problems []Problem
	errs     []error
}

// readText reads a file of the given name and content.
func readText(t *testing.T, name, content string, opt Options) result {
	t.Helper()
	var r result
	opt.Problem = func(p Problem) { r.problems = append(r.problems, p) }
	for tr, err := range Reader(context.Background(), name, strings.NewReader(content), opt) {
		if err != nil {
			r.errs = append(r.errs, err)
			continue
		}
		r.all = append(r.all, tr)
	}
	return r
}

// text writes trajectories in one line each: id/vehicle time,lon,lat ...
func (r result) text() string {
	var b strings.Builder
	for _, t := range r.all {
		fmt.Fprintf(&b, "%s/%s", t.ID, t.Vehicle)
		for _, s := range t.Samples {
			fmt.Fprintf(&b, " %s,%v,%v", time.UnixMilli(s.Time).UTC().Format("0102T150405.999"), s.Lon, s.Lat)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// complaints writes problems in one line each: line reason.
func (r result) complaints() string {
	var b strings.Builder
	for _, p := range r.problems {
		fmt.Fprintf(&b, "%d %s\n", p.Line, p.Reason)
	}
	return b.String()
}

func (r result) check(t *testing.T, want string) {
	t.Helper()
	for _, err := range r.errs {
		t.Errorf("error: %v", err)
	}
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), r.text()); diff != "" {
		t.Errorf("trajectories (-want +got):\n%s", diff)
	}
}

const twoTrips = `
a/ 0102T080000,13.5,52.5 0102T080100,13.51,52.51
b/ 0102T080030,13.6,52.4 0102T080130,13.61,52.41
`

// The same two trips, as programs of many kinds write them.
func TestCSVDialects(t *testing.T) {
	cases := map[string]string{
		"plain": "trip,time,lon,lat\na,2024-01-02T08:00:00Z,13.5,52.5\na,2024-01-02T08:01:00Z,13.51,52.51\n" +
			"b,2024-01-02T08:00:30Z,13.6,52.4\nb,2024-01-02T08:01:30Z,13.61,52.41\n",
		"vehicles interleaved, semicolon, decimal comma, windows line ends": "id;Zeit;Länge;Breite\r\na;02.01.2024 08:00:00;13,50;52,50\r\n" +
			"b;02.01.2024 08:00:30;13,60;52,40\r\na;02.01.2024 08:01:00;13,51;52,51\r\nb;02.01.2024 08:01:30;13,61;52,41\r\n",
		"tab, epoch seconds, latitude first": "track\tlatitude\tlongitude\ttimestamp\na\t52.5\t13.5\t1704182400\na\t52.51\t13.51\t1704182460\n" +
			"b\t52.4\t13.6\t1704182430\nb\t52.41\t13.61\t1704182490\n",
		"pipe, epoch milliseconds, quotes, extra columns": "\"Trip ID\"|\"speed\"|\"time\"|\"x\"|\"y\"|\"note\"\n" +
			"\"a\"|1|1704182400000|\"13.500\"|52.500|\"said \"\"hi\"\"\"\n\"a\"|2|1704182460000|13.51|52.51|\n" +
			"\"b\"|3|1704182430000|13.60|52.40|\"two\nlines\"\n\"b\"|4|1704182490000|13.61|52.41|\n",
		"no header": "a,2024-01-02 08:00:00,13.50,52.50\na,2024-01-02 08:01:00,13.51,52.51\n" +
			"b,2024-01-02 08:00:30,13.60,52.40\nb,2024-01-02 08:01:30,13.61,52.41\n",
		"date and clock apart": "journey,date,clock,lng,lat\na,2024/01/02,08:00:00,13.5,52.5\na,2024/01/02,08:01:00,13.51,52.51\n" +
			"b,2024/01/02,08:00:30,13.6,52.4\nb,2024/01/02,08:01:30,13.61,52.41\n",
		"byte order mark, zone, no last line end": "\ufeffTrajectoryID,GPS_Time,GPS lon (deg),GPS lat (deg)\na,2024-01-02T10:00:00+02:00,13.5,52.5\n" +
			"a,2024-01-02T10:01:00+0200,13.51,52.51\nb,2024-01-02 10:00:30 +02,13.6,52.4\nb,2024-01-02T03:31:30-04:30,13.61,52.41",
		"old Macintosh line ends": "trip,time,lon,lat\ra,2024-01-02T08:00:00Z,13.5,52.5\ra,2024-01-02T08:01:00Z,13.51,52.51\r" +
			"b,2024-01-02T08:00:30Z,13.6,52.4\rb,2024-01-02T08:01:30Z,13.61,52.41\r",
		"month first, halves of the day, comment": "# made by hand\ntrip,time,lon,lat\na,1/2/2024 8:00:00 AM,13.5,52.5\na,01/02/2024 08:01:00 am,13.51,52.51\n" +
			"b,1/2/2024 8:00:30 AM,13.6,52.4\nb,1/2/2024 8:01:30 AM,13.61,52.41\n" + "c,1/13/2024 1:00:00 PM,x,y\n",
		"digits only": "trip,time,lon,lat\na,20240102080000,13.5,52.5\na,20240102080100,13.51,52.51\nb,20240102080030Z,13.6,52.4\nb,20240102080130,13.61,52.41\n",
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			r := readText(t, "two.csv", content, Options{})
			r.check(t, twoTrips)
			if name != "month first, halves of the day, comment" && len(r.problems) > 0 {
				t.Errorf("problems: %v", r.problems)
			}
		})
	}
}

func TestCSVInUTF16(t *testing.T) {
	content := "trip\ttime\tlon\tlat\nç\t2024-01-02T08:00:00Z\t13.5\t52.5\n"
	b := []byte{0xff, 0xfe}
	for _, r := range content {
		b = append(b, byte(r), byte(r>>8))
	}
	readText(t, "a.txt", string(b), Options{}).check(t, "ç/ 0102T080000,13.5,52.5\n")
}

func TestNamesThatAreNotUTF8AreTakenAsWindows1252(t *testing.T) {
	readText(t, "a.csv", "trip,time,lon,lat\nM\xfcnchen,2024-01-02T08:00:00Z,13.5,52.5\n", Options{}).check(t, "München/ 0102T080000,13.5,52.5\n")
}

func TestZoneOfTimesThatNameNone(t *testing.T) {
	content := "trip,time,lon,lat\na,2024-01-02 08:00:00,13.5,52.5\na,2024-01-02T08:00:00Z,13.5,52.5\n"
	zone := time.FixedZone("", 3600)
	readText(t, "a.csv", content, Options{Zone: zone}).check(t, "a/ 0102T070000,13.5,52.5 0102T080000,13.5,52.5\n")
}

func TestWhatTellsTrajectoriesApart(t *testing.T) {
	cases := map[string]struct{ content, want string }{
		"no id: one trajectory of the file's name": {"time,lon,lat\n2024-01-02T08:00:00Z,1.5,2.5\n2024-01-02T08:01:00Z,1.6,2.5\n",
			"tracks/ 0102T080000,1.5,2.5 0102T080100,1.6,2.5\n"},
		"vehicle alone": {"taxi_id,time,lon,lat\n7,2024-01-02T08:00:00Z,1.5,2.5\n8,2024-01-02T08:01:00Z,1.6,2.5\n7,2024-01-02T08:02:00Z,1.7,2.5\n",
			"7/7 0102T080000,1.5,2.5 0102T080200,1.7,2.5\n8/8 0102T080100,1.6,2.5\n"},
		"trips numbered anew for each vehicle": {"vehicle,trip,time,lon,lat\nx,1,2024-01-02T08:00:00Z,1.5,2.5\ny,1,2024-01-02T08:01:00Z,1.6,2.5\nx,1,2024-01-02T08:02:00Z,1.7,2.5\n",
			"1/x 0102T080000,1.5,2.5 0102T080200,1.7,2.5\n1#2/y 0102T080100,1.6,2.5\n"},
		"a number of the row is no id": {"id,time,lon,lat\n1,2024-01-02T08:00:00Z,1.5,2.5\n2,2024-01-02T08:01:00Z,1.6,2.5\n3,2024-01-02T08:02:00Z,1.7,2.5\n",
			"tracks/ 0102T080000,1.5,2.5 0102T080100,1.6,2.5 0102T080200,1.7,2.5\n"},
		"long ids are not taken for times": {"1376207613620000901,2024-01-02 08:00:00,1.51,2.51\n1376207613620000901,2024-01-02 08:01:00,1.61,2.51\n",
			"1376207613620000901/ 0102T080000,1.51,2.51 0102T080100,1.61,2.51\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			readText(t, "folder/tracks.csv", c.content, Options{}).check(t, c.want)
		})
	}
}

func TestBadRowsAreNamedAndTheRestIsRead(t *testing.T) {
	content := strings.Join([]string{
		"trip,time,lon,lat",            // 1
		"a,2024-01-02T08:00:00Z,1,2",   // 2
		"a,2024-01-02T08:01:00Z,NaN,2", // 3
		"a,2024-01-02T08:02:00Z,Inf,2", // 4
		"a,2024-01-02T08:03:00Z,181,2", // 5
		"a,2024-01-02T08:04:00Z,1,-90.1",
		"a,yesterday,1,2",
		"a,2024-01-02T08:05:00Z",
		"a,2024-01-02T08:06:00Z,1,2,3,4",
		"a,2024-01-02T08:07:00Z,0,0.0",
		",2024-01-02T08:08:00Z,1,2",
		"a,\"2024-01-02T08:09:00Z,1,2",
		"",
		"a,1024-01-02T08:10:00Z,1,2",
		"a,2024-01-02T08:11:00Z,,2",
		"trip,time,lon,lat",
		"a,2024-01-02T08:12:00Z,1e400,2",
		"a,2024-01-02T08:13:00Z,3,4",
	}, "\n")
	r := readText(t, "bad.csv", content, Options{})
	r.check(t, "a/ 0102T080000,1,2 0102T081300,3,4\n")
	want := strings.Join([]string{
		"3 longitude is not a number",
		"4 longitude is not a number",
		"5 longitude is not within -180 to 180",
		"6 latitude is not within -90 to 90",
		"7 time cannot be read",
		"8 too few columns",
		"9 too many columns",
		"10 position is 0, 0: the receiver had no fix",
		"11 no trajectory id",
		"12 a quote is not closed",
		"14 time is not within the years 1970 to 2199",
		"15 longitude is not a number",
		"16 longitude is not a number",
		"17 longitude is not a number",
	}, "\n") + "\n"
	if diff := cmp.Diff(want, r.complaints()); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if p := r.problems[2]; p.String() != `bad.csv:5: longitude is not within -180 to 180: "181 2 2024-01-02T08:03:00Z"` {
		t.Errorf("in words: %s", p)
	}
}

func TestSamplesComeInOrderOfTime(t *testing.T) {
	r := readText(t, "a.csv", "trip,time,lon,lat\na,1704182460,1,2\na,1704182400,3,4\na,1704182460,5,6\n", Options{})
	r.check(t, "a/ 0102T080000,3,4 0102T080100,1,2 0102T080100,5,6\n")
	if got := r.complaints(); got != "2 not in order of time, sorted\n" || !r.problems[0].Kept {
		t.Errorf("problems: %v", r.problems)
	}
}

func TestFilesThatHoldNothing(t *testing.T) {
	cases := map[string]string{
		"":                        "a.csv: the file is empty",
		"\n\n\n":                  "a.csv: this is no trajectory file",
		"PK\x03\x04 some archive": "a.csv: the zip archive is damaged",
		"PK\x00\x01\x02\x03\x04 some archive\x00":    "a.csv: this is no trajectory file",
		"trip,time,lon,lat\n":                        "a.csv: no column holds",
		"trip,time,lon,lat\na,b,c,d\n":               "a.csv: no column holds longitudes in degrees; its columns are trip (a)",
		"x,y,t\n446318.6,4636025.8,1301919053\n":     "a.csv: no column holds longitudes in degrees",
		"trip,lon,lat\na,1.5,2.5\n":                  "a.csv: no column holds times",
		"just some words\nand more of them\n":        "a.csv: this is no trajectory file",
		`{"type":"FeatureCollection","features":[]}`: "a.csv: there is no trajectory in this GeoJSON file",
		"<gpx></gpx>":               "a.csv: there is no trajectory in this GPX file",
		"<gpx><trk><trkseg>":        "a.csv: line 1: broken XML: unexpected EOF",
		`{"type": "Feature"`:        "a.csv: the file ends in the middle",
		`{"type": "Feature", oops}`: "a.csv: broken JSON behind line 1",
		"trip,time,lon,lat\na,2024-01-02T08:00:00Z,181.5,2.5\na,2024-01-02T08:00:00Z,1.5,2.5x\na,2024-01-02T08:00:00Z,1.5,92.5\n": "a.csv: no ",
	}
	for content, want := range cases {
		r := readText(t, "a.csv", content, Options{})
		if len(r.all) > 0 || len(r.errs) != 1 || !strings.HasPrefix(r.errs[0].Error(), want) {
			t.Errorf("%q: got %d trajectories, errors %v, want %q", content, len(r.all), r.errs, want)
		}
	}
}

func TestManyFilesAtOnce(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := []byte("trip,time,lon,lat\na,1704182400,1,2\n")
	paths := []string{
		file("one.csv", plain), filepath.Join(dir, "missing.csv"), file("two.csv.gz", zipped(t, plain)), dir,
		file("cut.csv.gz", zipped(t, bytes.Repeat(plain, 99))[:60]), "-",
	}
	var got []string
	var progress int64
	opt := Options{Progress: func(n int64) { progress = n }}
	for tr, err := range Files(context.Background(), paths, strings.NewReader("trip,time,lon,lat\nz,1704182400,1,2\n"), opt) {
		if err != nil {
			got = append(got, strings.TrimPrefix(strings.ReplaceAll(err.Error(), dir, ""), "stat "))
			continue
		}
		got = append(got, tr.ID+" of "+filepath.Base(tr.Source))
	}
	want := []string{
		"a of one.csv", "/missing.csv: no such file or directory", "a#2 of two.csv.gz",
		"/cut.csv.gz: the file ends in the middle: it is cut off", // once in the folder, whose other files were read
		"/cut.csv.gz: the file ends in the middle: it is cut off", "z of standard input",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if progress < 100 {
		t.Errorf("progress ended at %d bytes", progress)
	}
}

func zipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestReadingStopsWhenAsked(t *testing.T) {
	content := "trip,time,lon,lat\n" + strings.Repeat("a,1704182400,1,2\n", 20_000)
	ctx, cancel := context.WithCancel(context.Background())
	opt := Options{Progress: func(int64) { cancel() }}
	for tr, err := range Reader(ctx, "a.csv", strings.NewReader(content), opt) {
		if err != context.Canceled {
			t.Errorf("got %v, %v", tr, err)
		}
	}
	n := 0
	for range Reader(context.Background(), "a.csv", strings.NewReader("trip,time,lon,lat\na,1704182400,1,2\nb,1704182400,1,2\n"), Options{}) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d trajectories after break", n)
	}
}

// Interleaved rows beyond what memory may hold come out as those within it.
func TestGroupingOnDisk(t *testing.T) {
	var b strings.Builder
	b.WriteString("trip,time,lon,lat\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "t%d,%d,%.3f,%.3f\n", i*i%37, 1704182400+i, float64(i)/100, float64(i%7))
	}
	whole := readText(t, "a.csv", b.String(), Options{})
	disk := readText(t, "a.csv", b.String(), Options{Limits: Limits{Held: 64}})
	disk.check(t, whole.text())
	if len(whole.all) != 19 {
		t.Errorf("%d trajectories", len(whole.all))
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "retrace-rows-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
}

func TestLimits(t *testing.T) {
	rows := "trip,time,lon,lat\n" + strings.Repeat("a,1704182400,1,2\n", 5) + "b,1704182400,1,2\n"
	r := readText(t, "a.csv", rows, Options{Limits: Limits{Samples: 3}})
	if r.complaints() != "5 "+tooMany+"\n" || len(r.all) != 2 || len(r.all[0].Samples) != 3 {
		t.Errorf("got %s%s", r.text(), r.complaints())
	}
	long := "trip,time,lon,lat\na,1704182400,1,2\n" + strings.Repeat("x", 200_000) + "\na,1704182400,3,4\n"
	r = readText(t, "a.csv", long, Options{Limits: Limits{Row: 1000}})
	r.check(t, "a/ 0102T080000,1,2 0102T080000,3,4\n")
	if r.complaints() != "3 a line is too long\n" {
		t.Errorf("got %s", r.complaints())
	}
}
