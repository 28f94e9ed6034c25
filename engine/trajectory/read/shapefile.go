package read

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

func isShapefile(head []byte) bool {
	return len(head) >= 100 && binary.BigEndian.Uint32(head) == 9994 && binary.LittleEndian.Uint32(head[28:]) == 1000
}

// readShapefile reads points with a time among their attributes, and lines whose
// measures are times. The .dbf with the attributes and the .prj with the
// coordinate system lie beside the .shp, or in the same archive.
func readShapefile(in *input) error {
	if in.path == "" || in.compressed {
		return errors.New("a shapefile is several files: give the .shp with its .dbf beside it, or all of them in one zip archive")
	}
	if in.opt.CRS == "" {
		definition, err := readPart(in.path, ".prj", 64<<10)
		if err != nil {
			return err
		}
		if in.projection, err = projectionOfWKT(string(definition)); err != nil {
			return err
		}
	}
	table, closer, err := openDBF(in)
	if err != nil {
		return err
	}
	defer closer.Close()
	if _, err := io.CopyN(io.Discard, in.text, 100); err != nil {
		return io.ErrUnexpectedEOF
	}
	r := &shpRows{in: in, r: in.text, table: table}
	names := append([]string{"geometry"}, table.names...)
	return readTable(in, flatten(in, names, r, 0))
}

// sibling is the part of a shapefile with another ending, in either case.
func sibling(path, ext string) (*os.File, error) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	f, err := os.Open(stem + ext)
	if errors.Is(err, os.ErrNotExist) {
		f, err = os.Open(stem + strings.ToUpper(ext))
	}
	return f, err
}

// readPart reads a small part of a shapefile; empty where there is none.
func readPart(path, ext string, most int64) ([]byte, error) {
	f, err := sibling(path, ext)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}

// shpRows are the records of a shapefile with their attributes, the geometry as
// well-known binary before them.
type shpRows struct {
	in     *input
	r      *bufio.Reader
	table  *dbf
	n      int
	body   []byte
	wkb    []byte
	fields [][]byte
}

func (r *shpRows) next() ([][]byte, int, error) {
	var header [8]byte
	if _, err := io.ReadFull(r.r, header[:]); err != nil {
		return nil, r.n, err // io.EOF between two records is the end
	}
	r.n++
	size := int(binary.BigEndian.Uint32(header[4:])) * 2
	if size < 4 || size > r.in.opt.Limits.Row {
		return nil, r.n, fmt.Errorf("record %d: %d bytes are more than a record may have (%d)", r.n, size, r.in.opt.Limits.Row)
	}
	if cap(r.body) < size {
		r.body = make([]byte, size)
	}
	r.body = r.body[:size]
	if _, err := io.ReadFull(r.r, r.body); err != nil {
		return nil, r.n, io.ErrUnexpectedEOF
	}
	attributes, deleted, err := r.table.next()
	if err != nil {
		return nil, r.n, fmt.Errorf("record %d of the .dbf: %w", r.n, err)
	}
	if deleted {
		return nil, r.n, &rowError{reason: "the record is marked as deleted"}
	}
	if r.wkb, err = shpGeometry(r.wkb[:0], r.body); err != nil {
		return nil, r.n, &rowError{reason: err.Error()}
	}
	r.fields = append(append(r.fields[:0], r.wkb), attributes...)
	return r.fields, r.n, nil
}

// The types of shapes; those with Z are 10 more, those with measures 20 more.
const (
	shpNull, shpPoint, shpLine, shpMultiPoint = 0, 1, 3, 8
)

// shpGeometry turns a shape into well-known binary with measures, or without.
func shpGeometry(to, b []byte) ([]byte, error) {
	kind := binary.LittleEndian.Uint32(b)
	b = b[4:]
	z, m := kind/10 == 1, kind/10 == 2
	switch kind % 10 {
	case shpNull:
		return nil, errors.New("there is no geometry")
	case shpPoint:
		want := 16
		if z {
			want += 8
		}
		if m {
			want += 8
		}
		if len(b) < want || kind > 29 {
			return nil, errGeometry
		}
		measure := noMeasure
		if len(b) >= want && m || z && len(b) >= want+8 {
			measure = float64At(b, len(b)/8-1)
		}
		return appendVertex(appendWKBHeader(to, 1, 0), float64At(b, 0), float64At(b, 1), measure), nil
	case shpLine, shpMultiPoint:
		return shpPoints(to, b, kind%10 == shpLine, z)
	}
	return nil, errNoLine
}

// noMeasure stands for a measure that is not there.
const noMeasure = -1e39

// shpPoints reads a box, counts, and then points, perhaps with heights, perhaps
// with measures.
func shpPoints(to, b []byte, line, z bool) ([]byte, error) {
	at := 36
	if line {
		at = 40
	}
	if len(b) < at {
		return nil, errGeometry
	}
	n := int(binary.LittleEndian.Uint32(b[at-4:]))
	if line {
		at += 4 * int(binary.LittleEndian.Uint32(b[32:]))
	}
	if at < 0 || n < 1 || at > len(b) || n > (len(b)-at)/16 {
		return nil, errGeometry
	}
	points := b[at:]
	measures := points[16*n:]
	if z {
		if len(measures) < 16+8*n {
			return nil, errGeometry
		}
		measures = measures[16+8*n:]
	}
	has := len(measures) >= 16+8*n
	to = appendWKBHeader(to, 2, n)
	for i := range n {
		m := noMeasure
		if has {
			m = float64At(measures, 2+i)
		}
		to = appendVertex(to, float64At(points, 2*i), float64At(points, 2*i+1), m)
	}
	return to, nil
}

func float64At(b []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
}

// appendWKBHeader begins a point (1) or a line (2) with measures.
func appendWKBHeader(b []byte, kind uint32, count int) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, 1), kind+2000)
	if kind == 2 {
		b = binary.LittleEndian.AppendUint32(b, uint32(count))
	}
	return b
}

func appendVertex(b []byte, x, y, m float64) []byte {
	for _, v := range []float64{x, y, m} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}
