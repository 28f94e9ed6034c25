package read

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	pq "github.com/parquet-go/parquet-go/format"
)

// Files that ask for all memory or all time are refused with a sentence that
// names the file, and the place in it where that can be known.
func TestHostileFilesAreRefused(t *testing.T) {
	bomb := gzipOf(t, 400<<20, 0)
	row := "trip,time,lon,lat\n" + strings.Repeat("a,1704182400,1,2\n", 10)
	deepJSON := `{"type":"FeatureCollection","features":[` + "\n" + strings.Repeat(`{"type":`, 20_000)
	manyPages := twoParquet(t, parquet.Compression(&parquet.Zstd))
	arrow := twoArrow(t, false)
	shape := shapefileSeeds()[1]
	long := bytes.Clone(shape.shp)
	binary.BigEndian.PutUint32(long[104:], 1<<30)
	endless := strings.Repeat("x", 33<<20)
	hostile := map[Kind]int{}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"CSV without line ends":    {[]byte("trip,time,lon,lat\n" + endless), "a: no column holds longitudes in degrees"},
		"CSV of a million columns": {[]byte("trip,time,lon,lat\n" + strings.Repeat("1,", 1<<20)), "a:2: too many columns"},
		"Porto without end":        {[]byte("TRIP_ID,TAXI_ID,TIMESTAMP,MISSING_DATA,POLYLINE\n1,2,1704182400,False,\"[" + strings.Repeat("[1,2],", 6<<20)), "a:2: a line is too long"},
		"PLT without line ends":    {[]byte(strings.ReplaceAll(onePLT, "52.5", "92.5") + endless), "a:7: latitude is not within -90 to 90"},
		"NMEA without line ends":   {[]byte(nmea("GPRMC,080000.00,V,,,,,,,020124,,") + "$GPRMC," + endless), "a:1: position is 0, 0"},
		"deep TCX":                 {[]byte("<TrainingCenterDatabase>\n" + strings.Repeat("<x>", 100_000)), "a: line 2: elements are nested more than 64 deep"},
		"deep MF-JSON":             {[]byte(`{"type":"FeatureCollection","features":[` + "\n" + `{"type":"Feature","temporalGeometry":` + strings.Repeat(`{"type":"MovingPoint","sequences":[`, 100) + strings.Repeat("]}", 100) + "}]}"), "a:2: the line has not one time for each position"},
		"gzip bomb of zeros":       {bomb, "a: this is no trajectory file that can be read"},
		"gzip bomb of rows":        {append(gzipText(t, row), gzipOf(t, 100<<20, '#')...), "a: it unpacks to more than 200 times its size"},
		"zip bomb":                 {archive(t, "inner.csv", row+strings.Repeat("#", 100<<20)), "a!inner.csv: it unpacks to more than 200 times its size"},
		"zip in zip in zip":        {archive(t, "1.zip", string(archive(t, "2.zip", string(archive(t, "3.zip", string(archive(t, "4.csv", row))))))), "a!1.zip!2.zip!3.zip: archives lie in one another more than 3 deep"},
		"gzip in gzip in gzip":     {gzipText(t, string(gzipText(t, string(gzipText(t, string(gzipText(t, row))))))), "a: compressed more than 3 times over"},
		"deep XML":                 {[]byte("<gpx>\n" + strings.Repeat("<x>", 100_000)), "a: line 2: elements are nested more than 64 deep"},
		"deep KML":                 {[]byte("<kml>\n" + strings.Repeat("<Folder>\n", 100_000)), "a: line 65: elements are nested more than 64 deep"},
		"references in XML":        {[]byte("<?xml version='1.0'?>\n<!DOCTYPE gpx [<!ENTITY a 'aa'><!ENTITY b '&a;&a;&a;'>]>\n<gpx><trk><name>&b;</name></trk></gpx>"), "a: line 3: broken XML: invalid character entity &b;"},
		"deep JSON":                {[]byte(deepJSON), "a: broken JSON behind line 2: invalid character '{' exceeded max depth"},
		"endless token":            {[]byte(`{"type":"` + strings.Repeat("x", 40<<20)), "a: behind line 1: one element is larger than the limit of 33554432 bytes"},
		"cut GeoPackage":           {twoGeoPackage(t)[:5000], "a: this is no GeoPackage"},
		"endless view":             {gpkg(t, "CREATE VIEW trips AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n AS time, x'4750' AS geom FROM c", "INSERT INTO gpkg_geometry_columns VALUES ('trips', 'geom', 'POINT', 4326, 0, 0)"), "a: there is no table of points or lines in it"},
		"computed column":          {gpkg(t, "CREATE TABLE trips (time TEXT, geom BLOB GENERATED ALWAYS AS (zeroblob(900000000)))", "INSERT INTO trips VALUES ('x')", "INSERT INTO gpkg_geometry_columns VALUES ('trips', 'geom', 'POINT', 4326, 0, 0)"), "a: there is no table of points or lines in it"},
		"large value":              {gpkg(t, "CREATE TABLE trips (time TEXT, geom BLOB)", "INSERT INTO trips VALUES ('x', zeroblob(40000000))", "INSERT INTO gpkg_geometry_columns VALUES ('trips', 'geom', 'POINT', 4326, 0, 0)"), "a: table trips: string or blob too big"},
		"Parquet with LZ4":         {twoParquet(t, parquet.Compression(&parquet.Lz4Raw)), "a: row group 1, column 1: the compression LZ4_RAW cannot be read"},
		"cut Parquet":              {manyPages[:len(manyPages)-20], "a: the file ends in the middle"},
		"Parquet footer":           {append(bytes.Clone(manyPages[:len(manyPages)-8]), 0xff, 0xff, 0xff, 0x7f, 'P', 'A', 'R', '1'), "a: its description has 2147483647 bytes"},
		"Parquet page":             {parquetBomb(t), "a: row group 1, column 1: a page takes more than 64 MiB"},
		"Arrow length":             {append([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0}, make([]byte, 100)...), "a: the file ends in the middle"},
		"cut Arrow":                {arrow[:len(arrow)-200], "a: the file ends in the middle"},
		"record of a shapefile":    {long, "a.shp: record 1: 2147483648 bytes are more than a record may have"},
		"FIT that ends":            {oneFIT(t)[:60], "a: the file ends in the middle"},
		"nothing but open lists":   {[]byte(`[{"type"` + strings.Repeat("[", 1<<20)), "a: broken JSON behind line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if kind, ok := KindOf(c.content[:min(len(c.content), headSize)]); ok {
				hostile[kind]++
			}
			file := "a"
			if isShapefile(c.content) {
				file = "a.shp"
			}
			path := filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
			if file == "a.shp" {
				if err := os.WriteFile(filepath.Join(filepath.Dir(path), "a.dbf"), shape.dbf, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := heap()
			r := readPaths(Options{}, path)
			if grown := heap() - before; grown > 600<<20 {
				t.Errorf("took %d MiB", grown>>20)
			}
			if len(r.errs) != 1 || !strings.Contains(r.errs[0].Error(), c.want) {
				t.Errorf("errors %v, want %q", r.errs, c.want)
			}
			if len(r.all) > 0 {
				t.Errorf("read %s", r.text())
			}
		})
	}
	for _, k := range Kinds() {
		if hostile[k] == 0 {
			t.Errorf("no hostile file is of the kind %s", k)
		}
	}
}

// heap is how many bytes were ever taken from the system.
func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

func gzipText(t testing.TB, s string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gzipOf is so many bytes of one kind, compressed.
func gzipOf(t testing.TB, n int, c byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte{c}, 1<<20)
	for ; n > 0; n -= len(block) {
		if _, err := z.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parquetBomb is a file whose one page unpacks to 80 MB.
func parquetBomb(t testing.TB) []byte {
	var b bytes.Buffer
	type row struct {
		Lon float64 `parquet:"lon,plain"`
	}
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(&parquet.Zstd), parquet.PageBufferSize(1<<30))
	if _, err := w.Write(make([]row, 10_000_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A page that says less than it unpacks to is found as well.
func TestPagesThatLie(t *testing.T) {
	for _, codec := range []pq.CompressionCodec{pq.Gzip, pq.Zstd, pq.Brotli, pq.Snappy} {
		var packed []byte
		var err error
		content := make([]byte, 1<<20)
		switch codec {
		case pq.Gzip:
			packed, err = parquet.Gzip.Encode(nil, content)
		case pq.Zstd:
			packed, err = parquet.Zstd.Encode(nil, content)
		case pq.Brotli:
			packed, err = parquet.Brotli.Encode(nil, content)
		case pq.Snappy:
			packed, err = parquet.Snappy.Encode(nil, content)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := checkUnpacked(packed, 1<<20, codec); err != nil {
			t.Errorf("%s: %v", codec, err)
		}
		if err := checkUnpacked(packed, 1000, codec); err == nil {
			t.Errorf("%s: a page of 1000 bytes that unpacks to a million is let through", codec)
		}
	}
}

// Numbers that are none, or none that can be, are told one by one in every kind
// of file.
func TestImpossibleNumbers(t *testing.T) {
	want := "lat"
	for name, content := range map[string]string{
		"CSV":     "trip,time,lon,lat\na,1704182400,1,2\na,1704182460,1,NaN\na,1704182460,1,1e999\na,1704182460,1,-1e30\n",
		"GPX":     gpxOf("NaN", "1e999", "-1e30"),
		"GeoJSON": "[" + geoPoint("a", "1704182400", "1,2") + "," + geoPoint("a", "1704182460", "1,1e30") + "," + geoPoint("a", "1704182460", "1,-91") + "," + geoPoint("a", "1704182460", "1,90.0001") + "]",
		"KML":     strings.ReplaceAll(strings.ReplaceAll(twoKML, "52.51", "NaN"), "13.6", "-1e30"),
	} {
		r := readText(t, "a", content, Options{})
		if len(r.errs) > 0 || len(r.all) != 1 || len(r.problems) != 3 {
			t.Errorf("%s: %s%v %v", name, r.text(), r.problems, r.errs)
		}
		for _, p := range r.problems {
			if p.Line == 0 || p.Kept || !strings.Contains(p.Reason, want) && name != "KML" {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
}

func gpxOf(latitudes ...string) string {
	var b strings.Builder
	b.WriteString(`<gpx version="1.0"><trk><trkseg><trkpt lon="1" lat="2"><time>2024-01-02T08:00:00Z</time></trkpt>`)
	for _, lat := range latitudes {
		b.WriteString("\n" + `<trkpt lon="1" lat="` + lat + `"><time>2024-01-02T08:01:00Z</time></trkpt>`)
	}
	return b.String() + "</trkseg></trk></gpx>"
}
