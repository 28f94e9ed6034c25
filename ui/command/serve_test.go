package command

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"retrace/engine/enginetest"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/read"
)

// arrowTrips are the trips of the sample as a stream of samples.
func (b *bench) arrowTrips(size int) []byte {
	b.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "trajectory", Type: arrow.BinaryTypes.String}, {Name: "time", Type: arrow.FixedWidthTypes.Timestamp_ms},
		{Name: "lon", Type: arrow.PrimitiveTypes.Float64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64}}, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	rows := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	n := 0
	flush := func() {
		if err := w.Write(rows.NewRecordBatch()); err != nil {
			b.Fatal(err)
		}
	}
	for t, err := range read.Files(context.Background(), []string{b.trips()}, nil, read.Options{Clean: clean.Default()}) {
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range t.Samples {
			rows.Field(0).(*array.StringBuilder).Append(t.ID)
			rows.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(s.Time))
			rows.Field(2).(*array.Float64Builder).Append(s.Lon)
			rows.Field(3).(*array.Float64Builder).Append(s.Lat)
			if n++; n%size == 0 {
				flush()
			}
		}
	}
	flush()
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// streamed is the table that a stream is answered with, its texts by column.
func (b *bench) streamed(in []byte, args ...string) map[string][]string {
	b.Helper()
	b.stdin = bytes.NewReader(in)
	out, _ := b.run(OK, append([]string{"stream"}, args...)...)
	r, err := ipc.NewReader(strings.NewReader(out))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Release()
	table := map[string][]string{}
	for r.Next() {
		for i, c := range r.RecordBatch().Columns() {
			for k := range c.Len() {
				text := c.ValueStr(k)
				if f, ok := c.(*array.Float64); ok {
					text = fmt.Sprintf("%.6f", f.Value(k))
				}
				table[r.Schema().Field(i).Name] = append(table[r.Schema().Field(i).Name], text)
			}
		}
	}
	if r.Err() != nil {
		b.Fatal(r.Err())
	}
	return table
}

// What a stream answers is what the command writes, instant by instant; every row says the
// method.
func TestAStreamIsAnsweredAsFilesAre(t *testing.T) {
	b := newBench(t)
	b.models = &enginetest.Models{}
	in := b.arrowTrips(50)
	for _, method := range []string{"hmm", "rntrajrec"} {
		b.run(OK, "recover", b.trips(), "--network", b.extract(), "--method", method, "--device", "cpu", "--in-order", "-o", b.file("plain.csv"))
		plain := b.rows(b.file("plain.csv"))
		got := b.streamed(in, "--network", b.extract(), "--method", method, "--table", "points")
		if len(got["segment"]) != len(plain) || len(plain) == 0 {
			t.Fatalf("%s: %d rows, want %d", method, len(got["segment"]), len(plain))
		}
		for i, want := range plain {
			for _, column := range []string{"trajectory", "segment", "ratio", "probability", "deck"} {
				if got[column][i] != want[column] {
					t.Fatalf("%s: row %d: %s is %s, want %s", method, i, column, got[column][i], want[column])
				}
			}
		}
		if methods := slices.Compact(slices.Clone(got["method"])); !slices.Equal(methods, []string{method}) {
			t.Errorf("methods %v", methods)
		}
	}
}

// Drives over segments sum up to what the command says of links.
func TestDrivesOfAStreamSumUpToLinks(t *testing.T) {
	b := newBench(t)
	b.run(OK, "recover", b.trips(), "--network", b.extract(), "--method", "hmm", "-o", b.file("plain.csv"), "--links", b.file("links.csv"))
	got := b.streamed(b.arrowTrips(1000), "--network", b.extract(), "--method", "hmm", "--table", "links")
	trips := map[string]map[string]bool{}
	for i, segment := range got["segment"] {
		if trips[segment] == nil {
			trips[segment] = map[string]bool{}
		}
		trips[segment][got["trajectory"][i]] = true
	}
	links := b.rows(b.file("links.csv"))
	if len(links) != len(trips) {
		t.Errorf("%d segments, want %d", len(trips), len(links))
	}
	for _, l := range links {
		if n := fmt.Sprint(len(trips[l["segment"]])); n != l["trips"] {
			t.Errorf("segment %s: %s trips, want %s", l["segment"], n, l["trips"])
		}
	}
}

func TestAStreamSaysWhatEndsIt(t *testing.T) {
	b := newBench(t)
	in := b.arrowTrips(100)
	b.stdin = bytes.NewReader(in[:len(in)/2])
	_, told := b.run(NothingRead, "stream", "--network", b.extract(), "--method", "hmm")
	says(t, told, "standard input: the stream ends without its end mark", "answered before: ")
	b.stdin = strings.NewReader("trajectory,time,lon,lat\n")
	_, told = b.run(NothingRead, "stream", "--network", b.extract(), "--method", "hmm")
	says(t, told, "standard input: the stream is broken")
	_, told = b.run(WrongUsage, "stream", "--network", b.extract())
	says(t, told, "--method")
	_, told = b.run(WrongUsage, "stream", "--network", b.extract(), "--method", "rntrajrec")
	says(t, told, "put together without models")
	out, _ := b.run(WrongUsage, "stream", "--network", b.extract(), "--method", "hmm", "--layers", "roads")
	if out != "" {
		t.Errorf("standard output is %q", out)
	}
}
