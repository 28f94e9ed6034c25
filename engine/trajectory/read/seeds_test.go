package read

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/muktihari/fit/encoder"
	"github.com/muktihari/fit/profile/filedef"
	"github.com/muktihari/fit/profile/mesgdef"
	"github.com/muktihari/fit/profile/typedef"
	"github.com/parquet-go/parquet-go"
)

// The same two trips as [twoTrips], as programs of many kinds write them.

const twoKML = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>day</name>
<Placemark><name>a</name><gx:Track>
<when>2024-01-02T08:00:00Z</when><when>2024-01-02T08:01:00Z</when>
<gx:coord>13.5 52.5 30</gx:coord><gx:coord>13.51 52.51 31</gx:coord></gx:Track></Placemark>
<Folder><name>b</name>
<Placemark><TimeStamp><when>2024-01-02T08:00:30Z</when></TimeStamp><Point><coordinates>13.6,52.4,0</coordinates></Point></Placemark>
<Placemark><TimeStamp><when>2024-01-02T08:01:30Z</when></TimeStamp><Point><coordinates>13.61,52.41</coordinates></Point></Placemark>
</Folder></Document></kml>`

const twoTCX = `<?xml version="1.0"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
<Activity Sport="Other"><Id>a</Id><Lap><Track>
<Trackpoint><Time>2024-01-02T08:00:00Z</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees><LongitudeDegrees>13.5</LongitudeDegrees></Position></Trackpoint>
</Track></Lap><Lap><Track><Trackpoint><Time>2024-01-02T08:01:00Z</Time><Position><LatitudeDegrees>52.51</LatitudeDegrees><LongitudeDegrees>13.51</LongitudeDegrees></Position></Trackpoint></Track></Lap></Activity>
</Activities><Courses><Course><Name>b</Name><Track>
<Trackpoint><Time>2024-01-02T08:00:30Z</Time><Position><LatitudeDegrees>52.4</LatitudeDegrees><LongitudeDegrees>13.6</LongitudeDegrees></Position></Trackpoint>
<Trackpoint><Time>2024-01-02T08:01:30Z</Time><Position><LatitudeDegrees>52.41</LatitudeDegrees><LongitudeDegrees>13.61</LongitudeDegrees></Position></Trackpoint>
</Track></Course></Courses></TrainingCenterDatabase>`

func oneNMEA() string {
	return nmea("GPGGA,080000.00,5230.0000,N,01330.0000,E,1,08,0.9,30,M,46.9,M,,",
		"GPRMC,080000.00,A,5230.0000,N,01330.0000,E,22.4,084.4,020124,,",
		"GPRMC,080030.00,V,,,,,,,020124,,",
		"GPXYZ,1,2",
		"GPRMC,080100.00,A,5230.6000,N,01330.6000,E,22.4,084.4,020124,,")
}

// nmea writes sentences with their checksums.
func nmea(sentences ...string) string {
	var b strings.Builder
	for _, s := range sentences {
		sum := byte(0)
		for _, c := range []byte(s) {
			sum ^= c
		}
		fmt.Fprintf(&b, "$%s*%02X\r\n", s, sum)
	}
	return b.String()
}

const onePLT = "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n" +
	"52.5,13.5,0,492,45293.3333333333,2024-01-02,08:00:00\r\n52.51,13.51,0,492,45293.3340277778,2024-01-02,08:01:00\r\n"

const twoMF = `{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"id":"a"},"temporalGeometry":{"type":"MovingPoint","coordinates":[[13.5,52.5],[13.51,52.51]],"datetimes":["2024-01-02T08:00:00Z","2024-01-02T08:01:00Z"],"interpolations":["Linear"]}},
{"type":"Feature","properties":{"id":"b"},"temporalGeometry":{"type":"MovingGeomPoint","sequences":[{"coordinates":[[13.6,52.4]],"datetimes":["2024-01-02T08:00:30+00"]},{"coordinates":[[13.61,52.41]],"datetimes":["2024-01-02T08:01:30+00"]}]}}]}`

// sampleRow is a row of the two trips in formats whose columns have types.
type sampleRow struct {
	Trip string    `parquet:"trip"`
	Time time.Time `parquet:"time,timestamp(millisecond)"`
	Lon  float64   `parquet:"lon"`
	Lat  float64   `parquet:"lat"`
}

func twoRows() []sampleRow {
	at := func(s int) time.Time { return time.Date(2024, 1, 2, 8, 0, s, 0, time.UTC) }
	return []sampleRow{{"a", at(0), 13.5, 52.5}, {"b", at(30), 13.6, 52.4}, {"a", at(60), 13.51, 52.51}, {"b", at(90), 13.61, 52.41}}
}

func twoParquet(t testing.TB, options ...parquet.WriterOption) []byte {
	var b bytes.Buffer
	if err := parquet.Write(&b, twoRows(), options...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// twoArrow is an Arrow stream, or a file, which has a footer.
func twoArrow(t testing.TB, file bool, options ...ipc.Option) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "trip", Type: arrow.BinaryTypes.String}, {Name: "time", Type: arrow.FixedWidthTypes.Timestamp_us},
		{Name: "lon", Type: arrow.PrimitiveTypes.Float64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64}}, nil)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for _, r := range twoRows() {
		rows.Field(0).(*array.StringBuilder).Append(r.Trip)
		rows.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(r.Time.UnixMicro()))
		rows.Field(2).(*array.Float64Builder).Append(r.Lon)
		rows.Field(3).(*array.Float64Builder).Append(r.Lat)
	}
	var b bytes.Buffer
	options = append(options, ipc.WithSchema(schema))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(&b, options...)
	if file {
		var err error
		if w, err = ipc.NewFileWriter(&b, options...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(rows.NewRecordBatch()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func oneFIT(t testing.TB) []byte {
	activity := filedef.NewActivity()
	activity.FileId.SetType(typedef.FileActivity).SetTimeCreated(time.Date(2024, 1, 2, 8, 0, 0, 0, time.UTC)).SetSerialNumber(7)
	for i := range 2 {
		activity.Records = append(activity.Records, mesgdef.NewRecord(nil).SetTimestamp(time.Date(2024, 1, 2, 8, i, 0, 0, time.UTC)).
			SetPositionLatDegrees(52.5+float64(i)/100).SetPositionLongDegrees(13.5+float64(i)/100))
	}
	activity.Records = append(activity.Records, mesgdef.NewRecord(nil).SetTimestamp(time.Date(2024, 1, 2, 8, 2, 0, 0, time.UTC)))
	file := activity.ToFIT(nil)
	var b bytes.Buffer
	if err := encoder.New(&b).Encode(&file); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gpkg is a GeoPackage in which statements were run.
func gpkg(t testing.TB, statements ...string) []byte {
	path := filepath.Join(t.TempDir(), "a.gpkg")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range append([]string{
		"CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT, description TEXT)",
		"INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84', 4326, 'EPSG', 4326, '', ''), ('UTM', 99, 'EPSG', 32633, '', '')",
		"CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER)",
	}, statements...) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// gpkgBlob is a point, or a line with measures, as GeoPackage stores it, in
// hexadecimal digits.
func gpkgBlob(v ...float64) string {
	b := []byte{'G', 'P', 0, 1, 0, 0, 0, 0}
	if len(v) == 2 {
		b = binary.LittleEndian.AppendUint32(append(b, 1), 1)
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, floatBits(x))
		}
	} else {
		b = appendWKBHeader(b, 2, len(v)/3)
		for i := 0; i < len(v); i += 3 {
			b = appendVertex(b, v[i], v[i+1], v[i+2])
		}
	}
	return fmt.Sprintf("x'%x'", b)
}

func twoGeoPackage(t testing.TB) []byte {
	return gpkg(t,
		"CREATE TABLE trips (fid INTEGER PRIMARY KEY, trip TEXT, time DATETIME, geom BLOB)",
		"INSERT INTO gpkg_geometry_columns VALUES ('trips', 'geom', 'POINT', 4326, 0, 0), ('zones', 'geom', 'POLYGON', 4326, 0, 0)",
		"CREATE TABLE zones (fid INTEGER PRIMARY KEY, geom BLOB)", "INSERT INTO zones VALUES (1, NULL)",
		"INSERT INTO trips VALUES (1, 'a', '2024-01-02T08:00:00Z', "+gpkgBlob(13.5, 52.5)+"), (2, 'b', '2024-01-02T08:00:30Z', "+gpkgBlob(13.6, 52.4)+
			"), (3, 'a', '2024-01-02T08:01:00Z', "+gpkgBlob(13.51, 52.51)+"), (4, 'b', '2024-01-02T08:01:30Z', "+gpkgBlob(13.61, 52.41)+")")
}

// twoShapefiles are the trips as points with a time, and as lines with measures.
type shapefileSeed struct{ shp, dbf []byte }

func shapefileSeeds() []shapefileSeed {
	points := shpHeader(1)
	lines := shpHeader(23)
	var pointRows, lineRows [][]string
	for i, r := range twoRows() {
		points = appendRecord(points, i+1, 1, floats(r.Lon, r.Lat))
		pointRows = append(pointRows, []string{r.Trip, r.Time.Format(time.RFC3339)})
	}
	for i := range 2 {
		a, b := twoRows()[i], twoRows()[i+2]
		body := floats(0, 0, 0, 0)
		body = binary.LittleEndian.AppendUint32(body, 1)
		body = binary.LittleEndian.AppendUint32(body, 2)
		body = binary.LittleEndian.AppendUint32(body, 0)
		body = append(body, floats(a.Lon, a.Lat, b.Lon, b.Lat, 0, 0, float64(a.Time.Unix()), float64(b.Time.Unix()))...)
		lines = appendRecord(lines, i+1, 23, body)
		lineRows = append(lineRows, []string{a.Trip, "x"})
	}
	return []shapefileSeed{{points, dbfOf(pointRows)}, {lines, dbfOf(lineRows)}}
}

func floatBits(v float64) uint64 { return binary.LittleEndian.Uint64(floats(v)) }

func floats(all ...float64) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, all)
	return b
}

func shpHeader(kind uint32) []byte {
	b := make([]byte, 100)
	binary.BigEndian.PutUint32(b, 9994)
	binary.LittleEndian.PutUint32(b[28:], 1000)
	binary.LittleEndian.PutUint32(b[32:], kind)
	return b
}

func appendRecord(b []byte, n int, kind uint32, body []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	b = binary.BigEndian.AppendUint32(b, uint32(len(body)+4)/2)
	return append(binary.LittleEndian.AppendUint32(b, kind), body...)
}

// dbfOf is a table of the columns trip and time.
func dbfOf(rows [][]string) []byte {
	head := make([]byte, 32+2*32+1)
	head[0] = 3
	binary.LittleEndian.PutUint32(head[4:], uint32(len(rows)))
	binary.LittleEndian.PutUint16(head[8:], uint16(len(head)))
	binary.LittleEndian.PutUint16(head[10:], 1+8+24)
	for i, name := range []string{"trip", "time"} {
		f := head[32+32*i:]
		copy(f, name)
		f[11], f[16] = 'C', []byte{8, 24}[i]
	}
	head[len(head)-1] = '\r'
	for _, r := range rows {
		head = fmt.Appendf(head, " %-8s%-24s", r[0], r[1])
	}
	return append(head, 0x1a)
}

// archive is a zip archive of files; names and contents alternate.
func archive(t testing.TB, parts ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// seeds are whole files of every kind, from which fuzzing starts.
func seeds(t testing.TB) [][]byte {
	return [][]byte{[]byte(twoKML), []byte(twoTCX), []byte(oneNMEA()), []byte(onePLT), []byte(twoMF),
		twoParquet(t), twoArrow(t, false), twoArrow(t, true, ipc.WithZstd()), oneFIT(t), twoGeoPackage(t)}
}
