package read

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
)

// dbf is the table of attributes of a shapefile.
type dbf struct {
	r      *bufio.Reader
	names  []string
	widths []int
	kinds  []byte
	row    []byte
	fields [][]byte
	left   int // records
}

// openDBF opens the attributes of a shapefile; without them there is a table of
// no columns.
func openDBF(in *input) (*dbf, io.Closer, error) {
	f, err := sibling(in.path, ".dbf")
	if errors.Is(err, os.ErrNotExist) {
		return &dbf{left: -1}, io.NopCloser(nil), nil
	}
	if err != nil {
		return nil, nil, err
	}
	d, err := newDBF(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		_ = f.Close()
		return nil, nil, fmt.Errorf("the .dbf beside it: %w", err)
	}
	return d, f, nil
}

func newDBF(r *bufio.Reader) (*dbf, error) {
	var head [32]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	d := &dbf{r: r, left: int(binary.LittleEndian.Uint32(head[4:]))}
	columns := (int(binary.LittleEndian.Uint16(head[8:])) - 33) / 32
	width := 1
	for range columns {
		var field [32]byte
		if _, err := io.ReadFull(r, field[:]); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		name, _, _ := bytes.Cut(field[:11], []byte{0})
		d.names = append(d.names, text(name))
		d.kinds, d.widths = append(d.kinds, field[11]), append(d.widths, int(field[16]))
		width += int(field[16])
	}
	if _, err := r.Discard(int(binary.LittleEndian.Uint16(head[8:])) - 32 - 32*max(columns, 0)); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if columns < 0 || width != int(binary.LittleEndian.Uint16(head[10:])) {
		return nil, fmt.Errorf("its columns are %d bytes wide, but it says %d", width, binary.LittleEndian.Uint16(head[10:]))
	}
	d.row = make([]byte, width)
	d.fields = make([][]byte, len(d.names))
	return d, nil
}

// next is the next record: its values as text, dates as ISO 8601.
func (d *dbf) next() (fields [][]byte, deleted bool, err error) {
	if d.left < 0 { // there is no table
		return nil, false, nil
	}
	if d.left == 0 {
		return nil, false, errors.New("it has fewer records than the .shp")
	}
	d.left--
	if _, err := io.ReadFull(d.r, d.row); err != nil {
		return nil, false, io.ErrUnexpectedEOF
	}
	at := 1
	for i, w := range d.widths {
		d.fields[i] = dbfValue(bytes.TrimSpace(bytes.Trim(d.row[at:at+w], "\x00")), d.kinds[i])
		at += w
	}
	return d.fields, d.row[0] == '*', nil
}

func dbfValue(v []byte, kind byte) []byte {
	switch {
	case kind == 'D' && len(v) == 8:
		return []byte(string(v[:4]) + "-" + string(v[4:6]) + "-" + string(v[6:]))
	case kind == 'N' && bytes.HasPrefix(v, []byte("*")): // too wide for its column
		return nil
	case kind == 'F' || kind == 'N':
		if f, err := strconv.ParseFloat(string(v), 64); err == nil && bytes.ContainsAny(v, "eE") {
			return strconv.AppendFloat(nil, f, 'f', -1, 64)
		}
	}
	return v
}
