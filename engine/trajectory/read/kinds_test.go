package read

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// readFile reads a file of the given name and content from disk.
func readFile(t *testing.T, name string, content []byte, opt Options) result {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return readPaths(opt, path)
}

func readPaths(opt Options, paths ...string) result {
	var r result
	opt.Problem = func(p Problem) { r.problems = append(r.problems, p) }
	for tr, err := range Files(context.Background(), paths, nil, opt) {
		if err != nil {
			r.errs = append(r.errs, err)
			continue
		}
		r.all = append(r.all, tr)
	}
	return r
}

// The same two trips, in every kind of file that holds several: plain, from a
// stream, compressed, and in an archive in an archive.
func TestKindsOfFiles(t *testing.T) {
	cases := map[string]struct {
		content  []byte
		kind     Kind
		problems string
	}{
		"KML":              {[]byte(twoKML), KML, ""},
		"TCX":              {[]byte(twoTCX), TCX, ""},
		"MF-JSON":          {[]byte(twoMF), GeoJSON, ""},
		"GeoJSON sequence": {[]byte("\x1e" + geoPoint("a", "2024-01-02T08:00:00Z", "13.5,52.5") + "\n\x1e" + geoPoint("b", "2024-01-02T08:00:30Z", "13.6,52.4") + "\n\x1e" + geoPoint("a", "2024-01-02T08:01:00Z", "13.51,52.51") + "\n\x1e" + geoPoint("b", "2024-01-02T08:01:30Z", "13.61,52.41") + "\n"), GeoJSON, ""},
		"Parquet":          {twoParquet(t), Parquet, ""},
		"Parquet gzip":     {twoParquet(t, parquet.Compression(&parquet.Gzip)), Parquet, ""},
		"Parquet zstd":     {twoParquet(t, parquet.Compression(&parquet.Zstd)), Parquet, ""},
		"Parquet snappy":   {twoParquet(t, parquet.Compression(&parquet.Snappy)), Parquet, ""},
		"Parquet brotli":   {twoParquet(t, parquet.Compression(&parquet.Brotli)), Parquet, ""},
		"Arrow stream":     {twoArrow(t, false), Arrow, ""},
		"Arrow file":       {twoArrow(t, true), Arrow, ""},
		"Arrow zstd":       {twoArrow(t, true, ipc.WithZstd()), Arrow, ""},
		"Arrow lz4":        {twoArrow(t, false, ipc.WithLZ4()), Arrow, ""},
		"GeoPackage":       {twoGeoPackage(t), GeoPackage, "0 a table that is no table of trajectories\n"},
		"WKT": {[]byte("trip;time;geom\na;2024-01-02T08:00:00Z;POINT(13.5 52.5)\nb;2024-01-02T08:00:30Z;\"SRID=4326;POINT (13.6 52.4)\"\n" +
			"a;2024-01-02T08:01:00Z;0101000020E610000085EB51B81E052B40E17A14AE47414A40\nb;2024-01-02T08:01:30Z;POINT Z (13.61 52.41 7)\n"), CSV, ""},
		"lines with measures": {[]byte("trip,wkt\na,\"LINESTRING M (13.5 52.5 1704182400, 13.51 52.51 1704182460)\"\nb,\"LINESTRING ZM (13.6 52.4 0 1704182430, 13.61 52.41 0 1704182490)\"\n"), CSV, ""},
		"MobilityDB text": {[]byte("vehicle\ttrip\na\t[POINT(13.5 52.5)@2024-01-02 08:00:00+00, POINT(13.51 52.51)@2024-01-02 08:01:00+00]\n" +
			"b\t{[POINT(13.6 52.4)@2024-01-02 09:00:30+01], (POINT(13.61 52.41)@2024-01-02 09:01:30+01)}\n"), CSV, ""},
		"MF-JSON in a table": {[]byte("id|trip\na|{\"type\":\"MovingPoint\",\"coordinates\":[[13.5,52.5],[13.51,52.51]],\"datetimes\":[\"2024-01-02T08:00:00Z\",\"2024-01-02T08:01:00Z\"]}\n" +
			"b|{\"type\":\"MovingPoint\",\"coordinates\":[[13.6,52.4],[13.61,52.41]],\"datetimes\":[\"2024-01-02T08:00:30Z\",\"2024-01-02T08:01:30Z\"]}\n"), CSV, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if kind, ok := KindOf(c.content[:min(len(c.content), 64<<10)]); !ok || kind != c.kind {
				t.Fatalf("taken for %q", kind)
			}
			for how, r := range map[string]result{
				"a file":   readFile(t, "day", c.content, Options{}),
				"a stream": readText(t, "day", string(c.content), Options{}),
				"gzip":     readFile(t, "day.gz", zipped(t, c.content), Options{}),
				"zip":      readFile(t, "day.zip", archive(t, "inner.zip", string(archive(t, "x/day", string(c.content)))), Options{}),
			} {
				for i := range r.all {
					r.all[i].Vehicle = ""
				}
				if r.check(t, twoTrips); t.Failed() {
					t.Fatalf("as %s", how)
				}
				if diff := cmp.Diff(c.problems, r.complaints()); diff != "" {
					t.Fatalf("as %s: problems (-want +got):\n%s", how, diff)
				}
			}
		})
	}
}

func geoPoint(id, when, at string) string {
	return `{"type":"Feature","properties":{"trip":"` + id + `","time":"` + when + `"},"geometry":{"type":"Point","coordinates":[` + at + `]}}`
}

// Files that hold one trip.
func TestKindsOfOneTrip(t *testing.T) {
	const trip = " 0102T080000,13.5,52.5 0102T080100,13.51,52.51\n"
	r := readFile(t, "day.nmea", []byte(oneNMEA()), Options{})
	r.check(t, "day/"+trip)
	if diff := cmp.Diff("3 "+noFix+"\n", r.complaints()); diff != "" {
		t.Error(diff)
	}
	zda := nmea("GPZDA,080000.00,02,01,2024,00,00", "GPGGA,080000.00,5230.0000,N,01330.0000,E,1,08,0.9,30,M,46.9,M,,")
	readFile(t, "day.nmea", []byte(zda), Options{}).check(t, "day/ 0102T080000,13.5,52.5\n")

	dir := filepath.Join(t.TempDir(), "000", "Trajectory")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "20240102080000.plt"), []byte(onePLT), 0o600); err != nil {
		t.Fatal(err)
	}
	readPaths(Options{}, filepath.Dir(filepath.Dir(dir))).check(t, "000/20240102080000/000"+trip)
	ozi := strings.Replace(strings.ReplaceAll(strings.ReplaceAll(onePLT, "2024-01-02", "02-Jan-24"), "08:0", "8:0"), "Geolife trajectory", "OziExplorer Track Point File Version 2.1", 1)
	readFile(t, "day.plt", []byte(ozi), Options{}).check(t, "day/"+trip)

	r = readFile(t, "day.fit", oneFIT(t), Options{})
	if len(r.all) != 1 || len(r.all[0].Samples) != 2 || r.all[0].Vehicle != "7" || r.complaints() != "3 "+noPosition+"\n" {
		t.Fatalf("FIT: %s%s%v", r.text(), r.complaints(), r.errs)
	}
	for i, s := range r.all[0].Samples { // semicircles are 8 nanodegrees
		if want := 13.5 + float64(i)/100; s.Lon < want-1e-7 || s.Lon > want+1e-7 || s.Time != 1704182400000+int64(i)*60_000 {
			t.Errorf("FIT: sample %d is %+v", i, s)
		}
	}
	drive := "1,2008-02-02 15:36:08,116.51172,39.92123\n1,2008-02-02 15:46:08,116.51135,39.93883\n"
	r = readFile(t, "1.txt", []byte(drive), Options{})
	r.check(t, "1/ 0202T153608,116.51172,39.92123 0202T154608,116.51135,39.93883\n")
}

// A shapefile is read from a folder and from an archive, points and lines alike.
func TestShapefile(t *testing.T) {
	for _, s := range shapefileSeeds() {
		for _, prj := range []string{"", `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`} {
			dir := t.TempDir()
			for ext, b := range map[string][]byte{".shp": s.shp, ".dbf": s.dbf, ".prj": []byte(prj)} {
				if err := os.WriteFile(filepath.Join(dir, "trips"+ext), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			readPaths(Options{}, dir).check(t, twoTrips)
			readFile(t, "a.zip", archive(t, "x/trips.SHP", string(s.shp), "x/trips.DBF", string(s.dbf), "x/trips.prj", prj), Options{}).check(t, twoTrips)
		}
	}
	r := readText(t, "a.shp", string(shapefileSeeds()[0].shp), Options{})
	if len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), "give the .shp with its .dbf beside it") {
		t.Errorf("errors %v", r.errs)
	}
}

// Encodings are told by content, or as asked.
func TestEncodings(t *testing.T) {
	table := "行程,时间,经度,纬度\n北京,2024-01-02 08:00:00,116.5,39.9\n"
	gb := map[string]string{"行程": "\xd0\xd0\xb3\xcc", "时间": "\xca\xb1\xbc\xe4", "经度": "\xbe\xad\xb6\xc8", "纬度": "\xce\xb3\xb6\xc8", "北京": "\xb1\xb1\xbe\xa9"}
	chinese := table
	for word, bytes := range gb {
		chinese = strings.ReplaceAll(chinese, word, bytes)
	}
	latin := "Fahrt;Zeit;Länge;Breite\nMühle;02.01.2024 08:00:00;13,5;52,5\nViação;02.01.2024 08:00:00;13,5;52,5\n"
	wide := func(s string, mark, big bool) string {
		var b bytes.Buffer
		if mark {
			s = "\ufeff" + s
		}
		for _, r := range s {
			if big {
				b.Write([]byte{byte(r >> 8), byte(r)})
			} else {
				b.Write([]byte{byte(r), byte(r >> 8)})
			}
		}
		return b.String()
	}
	narrow := func(s string) string {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r))
		}
		return string(b)
	}
	east, german := "北京/ 0102T080000,116.5,39.9\n", "Mühle/ 0102T080000,13.5,52.5\nViação/ 0102T080000,13.5,52.5\n"
	for name, c := range map[string]struct{ content, encoding, want string }{
		"UTF-8":               {table, "", east},
		"UTF-8 with mark":     {"\ufeff" + table, "", east},
		"GB18030":             {chinese, "", east},
		"GB18030 as asked":    {chinese, "gb18030", east},
		"UTF-16":              {wide(latin, true, false), "", german},
		"UTF-16BE":            {wide(latin, true, true), "", german},
		"UTF-16 without mark": {wide(latin, false, false), "", german},
		"Latin-1":             {narrow(latin), "", german},
		"Latin-1 as asked":    {narrow(latin), "latin1", german},
	} {
		t.Run(name, func(t *testing.T) {
			readText(t, "a.csv", c.content, Options{Encoding: c.encoding}).check(t, c.want)
		})
	}
	r := readText(t, "a.csv", table, Options{Encoding: "klingon"})
	if len(r.errs) != 1 || !strings.HasPrefix(r.errs[0].Error(), `a.csv: there is no encoding called "klingon"`) {
		t.Errorf("errors %v", r.errs)
	}
}

// A file is told by what stands behind the comments that it begins with, however
// long they are.
func TestLongCommentsBeforeTheFirstElement(t *testing.T) {
	for _, size := range []int{100, headSize - 60, headSize, 3 * headSize, 1 << 20} {
		comment := "<!-- " + strings.Repeat("word\n", size/5) + " -->"
		content := "<?xml version=\"1.0\"?>\n" + comment + comment + "\n" + gpxOf("3")
		r := readFile(t, "a.gpx", []byte(content), Options{})
		if len(r.all) != 1 || len(r.errs) > 0 {
			t.Errorf("behind %d bytes: %s%v", size, r.text(), r.errs)
		}
		i, err := Inspect(context.Background(), writeTemp(t, content), nil, Options{})
		if err != nil || i.Kind != GPX || i.Samples != 2 {
			t.Errorf("behind %d bytes: %+v, %v", size, i, err)
		}
	}
}

func writeTemp(t *testing.T, content string) string {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
