package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// isArrow tells files and streams of Arrow IPC; a stream begins with a marker and
// the length of the schema.
func isArrow(head []byte) bool {
	if bytes.HasPrefix(head, []byte("ARROW1\x00\x00")) {
		return true
	}
	return len(head) >= 16 && bytes.HasPrefix(head, []byte{0xff, 0xff, 0xff, 0xff}) && head[7] == 0 && head[6] < 0x10
}

// readArrow reads the record batches of a file or stream one after another.
func readArrow(in *input) error {
	if bytes.HasPrefix(in.head, []byte("ARROW1")) {
		if _, err := in.text.Discard(8); err != nil {
			return io.ErrUnexpectedEOF
		}
	}
	memory := &boundedMemory{limit: in.opt.Limits.Packed}
	messages := &arrowMessages{r: in.text, memory: memory, limit: arrowMemory, meta: in.opt.Limits.Row}
	r, err := ipc.NewReaderFromMessageReader(messages, ipc.WithAllocator(memory), ipc.WithDelayReadSchema(false))
	if err != nil {
		return messages.failure(err)
	}
	defer r.Release()
	rows, names, geometry, err := newArrowRows(in, r, messages)
	if err != nil {
		return err
	}
	if geometry >= 0 {
		return readTable(in, flatten(in, names, rows, geometry))
	}
	return readTable(in, table{names: names, rows: rows, row: -1})
}

// arrowRows are the rows of the record batches.
type arrowRows struct {
	r        *ipc.Reader
	messages *arrowMessages
	columns  []arrowColumn
	batch    arrow.RecordBatch
	at       int // row of the batch
	n        int
	fields   [][]byte
	leaves   []arrow.Array // of the batch, by column
}

// arrowColumn is where a column lies: a field, perhaps of a struct.
type arrowColumn struct{ field, child int }

// newArrowRows chooses the columns that hold single values.
func newArrowRows(in *input, r *ipc.Reader, messages *arrowMessages) (rows *arrowRows, names []string, geometry int, err error) {
	rows, geometry = &arrowRows{r: r, messages: messages}, -1
	geo, _ := r.Schema().Metadata().GetValue("geo")
	main, crs := geoColumn(geo)
	for i, f := range r.Schema().Fields() {
		if s, ok := f.Type.(*arrow.StructType); ok {
			for k, child := range s.Fields() {
				if isSingle(child.Type) {
					rows.columns, names = append(rows.columns, arrowColumn{i, k}), append(names, child.Name)
				}
			}
			continue
		}
		if !isSingle(f.Type) {
			continue
		}
		extension, _ := f.Metadata.GetValue("ARROW:extension:name")
		if isBytes(f.Type) && geometry < 0 && (f.Name == main || strings.HasSuffix(extension, "wkb") || main == "" && isGeometryName(f.Name)) {
			geometry = len(names)
			if meta, ok := f.Metadata.GetValue("ARROW:extension:metadata"); ok && len(crs) == 0 {
				crs = []byte(meta)
			}
		}
		rows.columns, names = append(rows.columns, arrowColumn{i, -1}), append(names, f.Name)
	}
	if len(names) > maxColumns {
		return nil, nil, -1, fmt.Errorf("there are %d columns; more than %d are no table of trajectories", len(names), maxColumns)
	}
	if geometry >= 0 && in.opt.CRS == "" {
		in.projection, err = projectionOfJSON(crs)
	}
	rows.fields, rows.leaves = make([][]byte, len(names)), make([]arrow.Array, len(names))
	return rows, names, geometry, err
}

// maxColumns bounds the columns of a table that is no text.
const maxColumns = 2000

// isSingle reports whether a type holds one value that a column of text can hold.
func isSingle(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.LIST, arrow.LARGE_LIST, arrow.FIXED_SIZE_LIST, arrow.MAP, arrow.STRUCT, arrow.SPARSE_UNION, arrow.DENSE_UNION,
		arrow.RUN_END_ENCODED, arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW, arrow.NULL, arrow.EXTENSION:
		return false
	}
	return true
}

func isBytes(t arrow.DataType) bool {
	return t.ID() == arrow.BINARY || t.ID() == arrow.LARGE_BINARY || t.ID() == arrow.BINARY_VIEW
}

func isGeometryName(name string) bool {
	switch strings.ToLower(name) {
	case "geometry", "geom", "wkb_geometry", "wkb", "the_geom", "geog":
		return true
	}
	return false
}

func (r *arrowRows) next() ([][]byte, int, error) {
	for r.batch == nil || r.at >= int(r.batch.NumRows()) {
		if !r.r.Next() {
			if err := r.r.Err(); err != nil && !errors.Is(err, io.EOF) {
				return nil, r.n, r.messages.failure(err)
			}
			return nil, r.n, io.EOF
		}
		r.batch, r.at = r.r.RecordBatch(), 0
		for i, c := range r.columns {
			r.leaves[i] = r.batch.Column(c.field)
			if c.child >= 0 {
				r.leaves[i] = r.leaves[i].(*array.Struct).Field(c.child)
			}
		}
	}
	for i, a := range r.leaves {
		r.fields[i] = appendArrow(r.fields[i][:0], a, r.at)
	}
	r.at++
	r.n++
	return r.fields, r.n, nil
}

// appendArrow appends a value as text; nothing for none.
func appendArrow(b []byte, a arrow.Array, i int) []byte {
	if a.IsNull(i) {
		return b
	}
	switch a := a.(type) {
	case *array.Binary:
		return append(b, a.Value(i)...)
	case *array.LargeBinary:
		return append(b, a.Value(i)...)
	case *array.BinaryView:
		return append(b, a.Value(i)...)
	case *array.String:
		return append(b, a.Value(i)...)
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType)
		layout := "2006-01-02T15:04:05.999999999"
		if unit.TimeZone != "" {
			layout = time.RFC3339Nano
		}
		return a.Value(i).ToTime(unit.Unit).UTC().AppendFormat(b, layout)
	}
	return append(b, a.ValueStr(i)...)
}

// arrowMessages reads the messages of a stream, none larger than a limit.
type arrowMessages struct {
	r      *bufio.Reader
	memory *boundedMemory
	limit  int  // bytes of a body
	meta   int  // bytes of its description
	n      int  // messages read
	marked bool // the mark that ends a stream was read
	err    error
}

func (*arrowMessages) Retain()  {}
func (*arrowMessages) Release() {}

// failure says behind which message a file breaks.
func (m *arrowMessages) failure(err error) error {
	if m.err != nil {
		err = m.err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errBudget) || errors.Is(err, errPacked) {
		return err
	}
	return fmt.Errorf("message %d cannot be read: %w", m.n, err)
}

// Message reads the next message; io.EOF at the end of the stream.
func (m *arrowMessages) Message() (*ipc.Message, error) {
	msg, err := m.message()
	if err != nil && !errors.Is(err, io.EOF) {
		m.err = err
	}
	return msg, err
}
