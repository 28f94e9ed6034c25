package write

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// BatchVersion is the version of the columns that [Batches] writes and of what they
// mean. It changes when one goes or means something else, not when one is added.
const BatchVersion = 1

// The statuses of a trip.
const (
	StatusRecovered = "recovered"
	StatusParts     = "parts"   // with a break: the path is told in parts
	StatusRefused   = "refused" // nothing was recovered; reason says why
)

// Outcome is what became of one trip.
type Outcome struct {
	Input      string               // name of the trajectory that was sent
	Trajectory string               // of the trip, which may be a piece of that
	Samples    int                  // of the trip
	Recovery   *trajectory.Recovery // nil: it was refused
	Refused    string               // why
	Notes      []string             // what was left out, mended or cut
}

// status is the word for what became of a trip.
func (o *Outcome) status() string {
	switch {
	case o.Recovery == nil:
		return StatusRefused
	case len(o.Recovery.Parts) > 1:
		return StatusParts
	}
	return StatusRecovered
}

// Batches writes what became of trips as an Arrow IPC stream: a row a trip, with the
// layers asked for as lists; or, flat, a row for every row of one layer, and one for
// every trip that has none in it, so that each trip is told of in either case.
type Batches struct {
	w      *bufio.Writer
	schema *arrow.Schema
	make   *array.RecordBuilder
	about  About
	rows   *rows
	layers []Layer
	flat   bool
	count  int // rows of the layers in the batch
	err    error
}

// BatchLayers are the layers that a stream of batches can have. That of links holds each
// drive over a segment.
func BatchLayers() []Layer { return []Layer{Points, Path, Spans, Gaps, Links} }

// mostRows bounds the rows of a layer in one batch: lists count them in 32 bits.
const mostRows = math.MaxInt32 / 2

// NewBatches begins a stream: its schema is written at once. Flat wants one layer.
func NewBatches(w io.Writer, net *roadnet.Network, about About, layers []Layer, flat bool) (*Batches, error) {
	if flat && len(layers) != 1 {
		return nil, fmt.Errorf("%d layers are wanted as one table: choose one", len(layers))
	}
	if err := CheckBatchLayers(layers); err != nil {
		return nil, err
	}
	b := &Batches{w: bufio.NewWriterSize(w, 1<<18), about: about, rows: newRows(net), layers: layers, flat: flat}
	b.schema = b.schemaOf()
	b.make = array.NewRecordBuilder(memory.DefaultAllocator, b.schema)
	payload := ipc.GetSchemaPayload(b.schema, memory.DefaultAllocator)
	defer payload.Release()
	if _, err := payload.WritePayload(b.w); err != nil {
		return nil, err
	}
	return b, b.w.Flush()
}

// CheckBatchLayers says which of some layers is unknown or named twice.
func CheckBatchLayers(layers []Layer) error {
	var names []string
	for _, l := range BatchLayers() {
		names = append(names, string(l))
	}
	for i, l := range layers {
		if !slices.Contains(BatchLayers(), l) || slices.Contains(layers[:i], l) {
			return fmt.Errorf("layer %q is unknown or named twice: want some of %s", l, strings.Join(names, ", "))
		}
	}
	return nil
}

// schemaOf says in its metadata where the rows come from.
func (b *Batches) schemaOf() *arrow.Schema {
	names, values := []string{"retrace:schema_version"}, []string{fmt.Sprint(BatchVersion)}
	for _, m := range b.about.Members() {
		names, values = append(names, "retrace:"+m[0]), append(values, m[1])
	}
	fields := tripFields()
	if b.flat {
		fields = fields[:flatFields]
		for _, c := range batchColumnsOf(b.layers[0]) {
			fields = append(fields, arrow.Field{Name: c.name, Type: c.kind.arrow(), Nullable: true})
		}
	} else {
		for _, l := range b.layers {
			var inner []arrow.Field
			for _, c := range batchColumnsOf(l) {
				inner = append(inner, arrow.Field{Name: c.name, Type: c.kind.arrow(), Nullable: true})
			}
			fields = append(fields, arrow.Field{Name: string(l), Type: arrow.ListOf(arrow.StructOf(inner...)), Nullable: true})
		}
	}
	meta := arrow.NewMetadata(names, values)
	return arrow.NewSchema(fields, &meta)
}

// flatFields is how many of the fields of a trip a flat table has.
const flatFields = 5

// tripFields are the columns of a trip.
func tripFields() []arrow.Field {
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	return []arrow.Field{
		{Name: "input", Type: text, Nullable: true}, {Name: "trajectory", Type: text, Nullable: true},
		{Name: "status", Type: text}, {Name: "reason", Type: text, Nullable: true}, {Name: "method", Type: text},
		{Name: "warnings", Type: arrow.ListOf(text), Nullable: true}, {Name: "samples", Type: arrow.PrimitiveTypes.Int64},
		{Name: "device", Type: text, Nullable: true}, {Name: "model", Type: text, Nullable: true}, {Name: "network", Type: text},
		{Name: "risk", Type: number, Nullable: true}, {Name: "error_m", Type: number, Nullable: true},
	}
}

// batchColumnsOf are the columns of a layer, without the trajectory.
func batchColumnsOf(l Layer) []column {
	if l == Links {
		return []column{{name: "part", kind: whole}, {name: "segment", kind: whole}, {name: "way", kind: whole}, {name: "from_node", kind: whole}, {name: "to_node", kind: whole},
			{name: "enter_time", kind: instant}, {name: "exit_time", kind: instant}, {name: "driven_m", kind: decimal}, {name: "millis", kind: decimal}, {name: "speed_kmh", kind: decimal}}
	}
	return tableColumns(l)[1:]
}

// arrow is the type of a column of the kind. Times are microseconds, which Spark asks for.
func (k kind) arrow() arrow.DataType {
	switch k {
	case words:
		return arrow.BinaryTypes.String
	case whole:
		return arrow.PrimitiveTypes.Int64
	case instant:
		return arrow.FixedWidthTypes.Timestamp_us
	}
	return arrow.PrimitiveTypes.Float64
}

// Add adds a trip to the batch.
func (b *Batches) Add(o Outcome) error {
	if b.flat {
		b.addFlat(&o)
		return b.err
	}
	b.trip(&o, len(tripFields()))
	for i, l := range b.layers {
		list := b.make.Field(len(tripFields()) + i).(*array.ListBuilder)
		if o.Recovery == nil {
			list.AppendNull()
			continue
		}
		list.Append(true)
		row := list.ValueBuilder().(*array.StructBuilder)
		b.each(l, o.Recovery, func(values []any) error {
			row.Append(true)
			for k, v := range values {
				appendArrow(row.FieldBuilder(k), v)
			}
			return nil
		})
	}
	return b.err
}

// addFlat adds the rows of the layer, or one without its columns where there is none.
func (b *Batches) addFlat(o *Outcome) {
	before := b.count
	if o.Recovery != nil {
		b.each(b.layers[0], o.Recovery, func(values []any) error {
			b.trip(o, flatFields)
			for k, v := range values {
				appendArrow(b.make.Field(flatFields+k), v)
			}
			return nil
		})
	}
	if b.count > before {
		return
	}
	b.count++
	b.trip(o, flatFields)
	for k := flatFields; k < len(b.schema.Fields()); k++ {
		b.make.Field(k).AppendNull()
	}
}

// each calls f with the values of every row of a layer.
func (b *Batches) each(l Layer, r *trajectory.Recovery, f func([]any) error) {
	add := func(values []any) error {
		if b.count++; b.count > mostRows {
			return fmt.Errorf("the answer to one batch has more than %d rows: send smaller batches", mostRows)
		}
		return f(values)
	}
	var err error
	if l == Links {
		err = b.rows.drives(r, add)
	} else {
		err = b.rows.table(l, r, func(values []any) error { return add(values[1:]) })
	}
	if b.err == nil {
		b.err = err
	}
}

// drives calls f with the values of every drive over a segment.
func (w *rows) drives(r *trajectory.Recovery, f func([]any) error) (err error) {
	eachDrive(w.net, r, func(d drive) {
		if err != nil {
			return
		}
		line, _ := w.net.LineOf(d.segment)
		from, to := w.net.Ends(d.segment)
		speed := math.NaN()
		if d.counts {
			speed = float64(d.speed()) / 100
		}
		err = f([]any{int64(d.part), int64(d.segment), w.net.LineWay(line), w.net.NodeOSM(from), w.net.NodeOSM(to),
			int64(math.Round(d.enter)), int64(math.Round(d.exit)), d.metres, d.exit - d.enter, speed})
	})
	return err
}

// trip adds the first columns of a row, which are of the trip.
func (b *Batches) trip(o *Outcome, columns int) {
	made := trajectory.Provenance{Method: b.about.Method, Fingerprint: b.about.Network.Fingerprint}
	risk, off := math.NaN(), math.NaN()
	var warnings []string
	if r := o.Recovery; r != nil {
		made, warnings = r.Provenance, r.Warnings
		if len(r.Doubts) > 0 {
			risk, off = float64(r.Risk.Wrong), float64(r.Risk.Error)
		}
	}
	values := []any{o.Input, o.Trajectory, o.status(), o.Refused, made.Method, slices.Concat(o.Notes, warnings), int64(o.Samples),
		made.Device, made.Model, made.Fingerprint, risk, off}
	for i, v := range values[:columns] {
		appendArrow(b.make.Field(i), v)
	}
}

// appendArrow appends a value; an empty text, no value and no number are null.
func appendArrow(to array.Builder, v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			to.(*array.StringBuilder).Append(v)
			return
		}
	case []string:
		list := to.(*array.ListBuilder)
		list.Append(true)
		for _, s := range v {
			list.ValueBuilder().(*array.StringBuilder).Append(s)
		}
		return
	case int64:
		if t, ok := to.(*array.TimestampBuilder); ok {
			t.Append(arrow.Timestamp(v * 1000))
			return
		}
		if v != noValue {
			to.(*array.Int64Builder).Append(v)
			return
		}
	case float64:
		if !math.IsNaN(v) {
			to.(*array.Float64Builder).Append(v)
			return
		}
	}
	to.AppendNull()
}

// Flush writes what was added as one batch, even if that is nothing, and sends it off.
func (b *Batches) Flush() error {
	batch := b.make.NewRecordBatch()
	defer batch.Release()
	b.count = 0
	payload, err := ipc.GetRecordBatchPayload(batch, ipc.WithSchema(b.schema))
	if err != nil {
		return err
	}
	defer payload.Release()
	if _, err := payload.WritePayload(b.w); err != nil {
		return err
	}
	return b.w.Flush()
}

// Close writes the mark that ends the stream. Without it whoever reads knows that it was
// cut.
func (b *Batches) Close() error {
	b.make.Release()
	if _, err := b.w.Write([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}); err != nil {
		return err
	}
	return b.w.Flush()
}
