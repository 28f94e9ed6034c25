package read

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"
)

// lyingWKB are geometries of a few bytes that say that they have four thousand
// million parts.
func lyingWKB() map[string][]byte {
	le := func(kind uint32, more ...uint32) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{1}, kind)
		for _, n := range more {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return append(b, make([]byte, 16)...)
	}
	big := append([]byte{0, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff}, make([]byte, 16)...)
	return map[string][]byte{
		"line": le(2, math.MaxUint32), "points": le(4, math.MaxUint32), "lines": le(5, math.MaxUint32), "polygon": le(3, math.MaxUint32),
		"ring": le(3, 1, math.MaxUint32), "polygons": le(6, math.MaxUint32), "collection": le(7, math.MaxUint32),
		"measured line": le(2002, math.MaxUint32), "line of PostGIS": le(0x20000002, 4326, math.MaxUint32),
		"big-endian line": big, "line in lines": le(5, 1, 0x0201, math.MaxUint32), "small line": le(2, 1<<20),
	}
}

// A count in a geometry takes no memory, in whatever file it lies.
func TestCountsOfGeometriesAreBounded(t *testing.T) {
	for name, wkb := range lyingWKB() {
		for kind, content := range map[string][]byte{
			"CSV":        fmt.Appendf(nil, "time,geom\n2024-01-02T08:00:00Z,%x\n2024-01-02T08:01:00Z,%[1]x\n", wkb),
			"GeoPackage": gpkgOf(t, wkb),
			"Parquet":    parquetOf(t, wkb),
			"Arrow":      arrowOf(t, wkb),
		} {
			inMemory(t, len(content), func() {
				if r := readFile(t, "a", content, Options{}); len(r.errs) != 1 || len(r.all) > 0 {
					t.Errorf("%s of %s: %s%v", kind, name, r.text(), r.errs)
				}
			})
			if t.Failed() {
				t.Fatalf("%s of %s", kind, name)
			}
		}
	}
}

func gpkgOf(t testing.TB, wkb []byte) []byte {
	return gpkg(t, "CREATE TABLE trips (time TEXT, geom BLOB)", fmt.Sprintf("INSERT INTO trips VALUES ('2024-01-02T08:00:00Z', x'4750000100000000%x')", wkb),
		"INSERT INTO gpkg_geometry_columns VALUES ('trips', 'geom', 'POINT', 4326, 0, 0)")
}

func parquetOf(t testing.TB, wkb []byte) []byte {
	var b bytes.Buffer
	type row struct {
		Time int64  `parquet:"time"`
		Geom []byte `parquet:"geometry"`
	}
	if err := parquet.Write(&b, []row{{1704182400, wkb}}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func arrowOf(t testing.TB, wkb []byte) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "time", Type: arrow.PrimitiveTypes.Int64}, {Name: "geometry", Type: arrow.BinaryTypes.Binary}}, nil)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	rows.Field(0).(*array.Int64Builder).Append(1704182400)
	rows.Field(1).(*array.BinaryBuilder).Append(wkb)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(rows.NewRecordBatch()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What a Parquet file names beyond what it has room for is refused before the
// library takes the memory: lists in its description, and values of a page.
func TestCountsOfParquetAreBounded(t *testing.T) {
	end := func(description []byte) []byte {
		b := append([]byte("PAR1"), description...)
		return append(binary.LittleEndian.AppendUint32(b, uint32(len(description))), "PAR1"...)
	}
	huge := binary.AppendUvarint(nil, math.MaxInt32)
	whole := twoParquet(t)
	for name, content := range map[string][]byte{
		"list of columns":     end(append(append([]byte{0x15, 2, 0x19, 0xfc}, huge...), make([]byte, 100)...)),
		"list of row groups":  end(append(append([]byte{0x15, 2, 0x29, 0xfc}, huge...), make([]byte, 100)...)),
		"text":                end(append(append([]byte{0x68}, huge...), make([]byte, 100)...)),
		"empty structs":       end(append(append([]byte{0x15, 2, 0x19, 0xfc}, binary.AppendUvarint(nil, 3<<20)...), make([]byte, 3<<20+1)...)),
		"statistics of pages": lyingPage(t, whole),
	} {
		inMemory(t, len(content), func() {
			r := readFile(t, "a.parquet", content, Options{})
			if len(r.errs) != 1 || len(r.all) > 0 || !strings.Contains(r.errs[0].Error(), errThrift.Error()) {
				t.Errorf("%s: %s%v", name, r.text(), r.errs)
			}
		})
	}
}

// lyingPage puts a text of two thousand million bytes into the header of the
// first page.
func lyingPage(t testing.TB, whole []byte) []byte {
	lie := append([]byte{0x15, 0, 0x15, 8, 0x15, 8, 0x2c, 0x15, 2, 0x15, 0, 0x15, 6, 0x15, 6, 0x1c, 0x18}, binary.AppendUvarint(nil, math.MaxInt32)...)
	if len(whole) < 4+len(lie)+100 {
		t.Fatal("the file is too short")
	}
	return append(append([]byte("PAR1"), lie...), whole[4+len(lie):]...)
}

// A compressed column of an Arrow file does not say itself how much memory it gets.
func TestCountsOfArrowAreBounded(t *testing.T) {
	content := twoArrow(t, false, ipc.WithZstd())
	at := bytes.Index(content, []byte{0x28, 0xb5, 0x2f, 0xfd}) // where compressed data begins, its length before
	if at < 8 {
		t.Fatal("no compressed column")
	}
	binary.LittleEndian.PutUint64(content[at-8:], 900<<20)
	inMemory(t, len(content), func() {
		if r := readFile(t, "a.arrow", content, Options{}); len(r.errs) != 1 || len(r.all) > 0 {
			t.Errorf("%s%v", r.text(), r.errs)
		}
	})
}
