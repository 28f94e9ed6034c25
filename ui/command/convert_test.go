package command

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A messy table becomes clean trips in another format, and all that was done to
// it stands in a table.
func TestConvertTidiesAndTells(t *testing.T) {
	b := newBench(t)
	messy := "trip,time,lon,lat\n" +
		"a,2024-01-02T08:00:00Z,13.5,52.5\n" +
		"a,2024-01-02T08:00:00Z,13.5,52.5\n" + // the same instant
		"a,2024-01-02T08:01:00Z,14.5,52.5\n" + // 68 km in a minute
		"a,2024-01-02T08:02:00Z,13.51,52.5\n" +
		"a,oops,13.51,52.5\n" +
		"a,=1+1,13.51,52.5\n" +
		"a,2024-01-02T09:00:00Z,13.52,52.5\n" // after a gap
	if err := os.WriteFile(b.file("messy.csv"), []byte(messy), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs := b.run(OK, "convert", b.file("messy.csv"), "-o", b.file("clean.geojson"), "--max-speed", "200", "--problems", b.file("left-out.csv"))
	says(t, errs, "2 trajectories with 3 points", "messy.csv:6: time cannot be read")
	rules := map[string]string{}
	for _, r := range b.rows(b.file("left-out.csv")) {
		if strings.HasPrefix(r["value"], "=") {
			t.Errorf("the value %s runs in a spreadsheet", r["value"])
		}
		rules[r["rule"]] += r["reason"] + " at " + r["value"]
	}
	for rule, want := range map[string]string{
		"duplicates": "the same instant as the sample before, left out at 2024-01-02T08:00:00Z",
		"jumps":      "cannot be reached in the time, left out at 2024-01-02T08:01:00Z 14.500000 52.500000",
		"gaps":       "no sample for long, cut at 2024-01-02T09:00:00Z",
		"":           "time cannot be read at oops",
	} {
		if !strings.HasPrefix(rules[rule], want) {
			t.Errorf("rule %q: %s, want %s", rule, rules[rule], want)
		}
	}
	out, _ := b.run(OK, "preview", b.file("messy.csv"), "--gap", "0s", "--keep-duplicates")
	says(t, out, "1 trajectory with 5 points", "separated by comma", "column 2 (time): time")
	out, _ = b.run(OK, "inspect", b.file("clean.geojson"))
	says(t, out, "GeoJSON", "2 trajectories with 3 points")
	b.run(WrongUsage, "convert", b.file("messy.csv"), "-o", b.file("clean.doc"))
	b.run(WrongUsage, "convert", b.file("messy.csv"), "-o", b.file("x.csv"), "--zone", "Nowhere")
	b.run(NothingRead, "convert", b.file("missing.csv"), "-o", b.file("x.csv"))
	b.only("clean.geojson", "left-out.csv", "messy.csv")
}

// The same file named twice, and in a folder, is read once.
func TestTheSameFileIsReadOnce(t *testing.T) {
	b := newBench(t)
	row := "trip,time,lon,lat\na,2024-01-02T08:00:00Z,13.5,52.5\n"
	for _, name := range []string{"one.csv", "copy.csv"} {
		if err := os.WriteFile(b.file(name), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, errs := b.run(OK, "convert", b.file("one.csv"), b.dir, "-o", b.file("../out.csv"))
	says(t, errs, "the same file was read already", "1 trajectory with 1 point")
}

// Of a folder and an archive in which something can be read, inspect says what it
// is, and which files are not; as convert does.
func TestInspectOfFoldersAndArchives(t *testing.T) {
	b := newBench(t)
	dir := b.file("day")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, content := range map[string]string{
		"a.csv":   "trip,time,lon,lat\na,2024-01-02T08:00:00Z,13.5,52.5\n",
		"b.gpx":   "<gpx version='1.0'><trk><broken",
		"c.csv":   "x,y,z\n1,2,3\n",
		"no.docx": "\x00\x01\x02",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, b.put("day.zip", packed.String())} {
		out, errs := b.run(SomeFailed, "inspect", path)
		says(t, out, "1 trajectory with 1 point", "no trajectory file that can be read")
		says(t, errs, "b.gpx")
		b.run(SomeFailed, "convert", path, "-o", b.file("out.csv"))
		out, _ = b.run(SomeFailed, "inspect", "--json", path)
		says(t, out, `"trajectories":1`, `"failed":[`)
	}
	broken := b.put("broken.gpx", "<gpx version='1.0'><trk><broken")
	b.run(NothingRead, "inspect", broken)
	b.run(SomeFailed, "inspect", broken, dir)
}

// A GPX file behind a long comment is one, and files of OpenStreetMap that are not
// read are named for what they are.
func TestInspectTellsFilesByTheirContent(t *testing.T) {
	b := newBench(t)
	comment := "<?xml version='1.0'?><!-- " + strings.Repeat("word ", 50_000) + " -->"
	gpx := b.put("a.gpx", comment+`<gpx version="1.1"><trk><trkseg><trkpt lon="1" lat="2"><time>2024-01-02T08:00:00Z</time></trkpt></trkseg></trk></gpx>`)
	out, _ := b.run(OK, "inspect", gpx)
	says(t, out, "a.gpx: GPX", "1 trajectory with 1 point")
	o5m := b.put("a.o5m", "\xff\xe0\x04o5m2\xff")
	for status, args := range map[int][]string{
		NothingRead: {"inspect", o5m},
		WrongUsage:  {"recover", b.trips(), "--network", o5m, "-o", b.file("out.csv")},
	} {
		_, errs := b.run(status, args...)
		says(t, errs, "a.o5m", "format o5m", "osmium cat")
	}
	_, errs := b.run(NothingRead, "import", o5m)
	says(t, errs, "format o5m")
}

// Distances and speeds that are none are refused before anything is read.
func TestFlagsThatAreNoNumbers(t *testing.T) {
	b := newBench(t)
	for _, flag := range []string{"--outside=-1", "--outside=NaN", "--outside=Inf", "--max-speed=NaN", "--standing=-3", "--standing=+Inf", "--gap=-1s"} {
		_, errs := b.run(WrongUsage, "recover", b.trips(), "--network", b.extract(), "-o", b.file("out.csv"), flag)
		says(t, errs, strings.SplitN(flag, "=", 2)[0])
	}
	b.only()
}

// A long id is shortened in a shapefile, and stands whole beside it.
func TestLongIDsInShapefiles(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("é", 200)
	in := b.put("in.csv", "trip,time,lon,lat\n"+long+"a,2024-01-02T08:00:00Z,13.5,52.5\n"+long+"b,2024-01-02T08:00:00Z,13.6,52.5\nshort,2024-01-02T08:00:00Z,13.7,52.5\n")
	_, errs := b.run(OK, "convert", in, "-o", b.file("out.zip"))
	says(t, errs, "3 trajectories with 3 points", "2 texts are longer than the 254 bytes", "full-texts.csv")
	z, err := zip.OpenReader(b.file("out.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open("full-texts.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][1] != long+"a" || rows[2][1] != long+"b" || len(rows[1][0]) > 254 || rows[1][0] == rows[2][0] {
		t.Errorf("%v, %v", rows, err)
	}
	_, errs = b.run(OK, "convert", b.file("out.zip"), "-o", b.file("back.csv"))
	says(t, errs, "3 trajectories with 3 points")
	for _, r := range b.rows(b.file("back.csv")) {
		if id := r["trajectory"]; id != "short" && id != rows[1][0] && id != rows[2][0] {
			t.Errorf("%q comes back", id)
		}
	}
}
