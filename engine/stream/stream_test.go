package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
)

// city is a network and trips over it.
func city(t testing.TB, count int) (*roadnet.Network, *engine.Recoverer, []*trajectory.Trajectory) {
	t.Helper()
	net := roadnettest.GridCity(12)
	settings := engine.DefaultSettings()
	settings.Threads = 2
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		t.Fatal(err)
	}
	b := net.Info().Bounds
	var all []*trajectory.Trajectory
	for i := range count {
		one := &trajectory.Trajectory{ID: fmt.Sprintf("trip %d", i)}
		for k := range 5 {
			f := 0.1 + float64(k)/8*float64(1+i%3)/3
			one.Samples = append(one.Samples, trajectory.Sample{Time: 1_700_000_000_000 + int64(k)*60_000,
				Lon: b.MinLon + (b.MaxLon-b.MinLon)*f, Lat: b.MinLat + (b.MaxLat-b.MinLat)*(0.2+f/2)})
		}
		all = append(all, one)
	}
	return net, r, all
}

// inLists is a stream with a row a trajectory, in batches of so many.
func inLists(t testing.TB, all []*trajectory.Trajectory, size int) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.BinaryTypes.LargeString}, {Name: "time", Type: arrow.ListOf(arrow.FixedWidthTypes.Timestamp_us)},
		{Name: "lon", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)}, {Name: "speed", Type: arrow.PrimitiveTypes.Float64}, {Name: "lat", Type: arrow.LargeListOf(arrow.PrimitiveTypes.Float64)}}, nil)
	return stream(t, schema, len(all), size, func(b *array.RecordBuilder, i int) {
		b.Field(0).(*array.LargeStringBuilder).Append(all[i].ID)
		times, lons, lats := b.Field(1).(*array.ListBuilder), b.Field(2).(*array.ListBuilder), b.Field(4).(*array.LargeListBuilder)
		times.Append(true)
		lons.Append(true)
		lats.Append(true)
		b.Field(3).AppendNull()
		for k, s := range all[i].Samples {
			times.ValueBuilder().(*array.TimestampBuilder).Append(arrow.Timestamp(s.Time * 1000))
			lons.ValueBuilder().(*array.Float64Builder).Append(s.Lon)
			if k > 0 || all[i].ID != "crooked" {
				lats.ValueBuilder().(*array.Float64Builder).Append(s.Lat)
			}
		}
	})
}

// inRows is a stream with a row a sample.
func inRows(t testing.TB, all []*trajectory.Trajectory, size int) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "trajectory", Type: arrow.BinaryTypes.String}, {Name: "time", Type: arrow.PrimitiveTypes.Int64},
		{Name: "lon", Type: arrow.PrimitiveTypes.Float64}, {Name: "lat", Type: arrow.PrimitiveTypes.Float64}}, nil)
	type row struct {
		id string
		trajectory.Sample
	}
	var rows []row
	for _, one := range all {
		for _, s := range one.Samples {
			rows = append(rows, row{one.ID, s})
		}
	}
	return stream(t, schema, len(rows), size, func(b *array.RecordBuilder, i int) {
		b.Field(0).(*array.StringBuilder).Append(rows[i].id)
		b.Field(1).(*array.Int64Builder).Append(rows[i].Time)
		b.Field(2).(*array.Float64Builder).Append(rows[i].Lon)
		b.Field(3).(*array.Float64Builder).Append(rows[i].Lat)
	})
}

func stream(t testing.TB, schema *arrow.Schema, rows, size int, add func(*array.RecordBuilder, int)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for i := range rows {
		add(b, i)
		if (i+1)%size == 0 || i == rows-1 {
			if err := w.Write(b.NewRecordBatch()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// answer reads an answer: its batches, row by row as JSON.
func readAnswer(t testing.TB, b []byte) (batches [][]string, schema *arrow.Schema) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		batch := r.RecordBatch()
		var rows []string
		for i := range int(batch.NumRows()) {
			var cells []string
			for _, c := range batch.Columns() {
				cells = append(cells, c.ValueStr(i))
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		batches = append(batches, rows)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return batches, r.Schema()
}

func serve(t testing.TB, in []byte, net *roadnet.Network, r *engine.Recoverer, opt Options) ([]byte, Told, error) {
	t.Helper()
	opt.Rules, opt.About = clean.Default(), write.About{Network: net.Info(), Method: "hmm", Version: "test"}
	var out bytes.Buffer
	told, err := Serve(context.Background(), bytes.NewReader(in), &out, r, net, opt)
	return out.Bytes(), told, err
}

var points = Options{Layers: []write.Layer{write.Points}}

// ends reports whether an answer has its end mark.
func ends(b []byte) bool { return bytes.HasSuffix(b, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) }

func TestOneBatchOutForEachBatchIn(t *testing.T) {
	net, r, all := city(t, 10)
	out, told, err := serve(t, inLists(t, all, 4), net, r, Options{Layers: write.BatchLayers()})
	if err != nil || !ends(out) {
		t.Fatal(err, ends(out))
	}
	batches, schema := readAnswer(t, out)
	if len(batches) != 3 || len(batches[0]) != 4 || len(batches[2]) != 2 {
		t.Fatalf("batches of %d rows", len(batches))
	}
	if told != (Told{Batches: 3, Recovered: 10}) {
		t.Errorf("told %+v", told)
	}
	for i, row := range slices.Concat(batches...) {
		if !strings.HasPrefix(row, fmt.Sprintf("trip %d trip %d recovered (null) hmm [] 5 cpu", i, i)) {
			t.Errorf("row %d begins %.80s", i, row)
		}
	}
	for _, want := range []string{"retrace:schema_version", "retrace:network_fingerprint", "retrace:settings"} {
		if v, ok := schema.Metadata().GetValue(want); !ok && want != "retrace:settings" || ok && v == "" {
			t.Errorf("the schema does not say %s", want)
		}
	}
}

// However the rows are cut into batches, the trips are the same.
func TestRowsAndListsAndEveryBatchSizeAgree(t *testing.T) {
	net, r, all := city(t, 7)
	out, _, err := serve(t, inLists(t, all, 7), net, r, points)
	if err != nil {
		t.Fatal(err)
	}
	batches, _ := readAnswer(t, out)
	want := slices.Concat(batches...)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	for range 8 {
		size := 1 + draw.IntN(40)
		out, _, err := serve(t, inRows(t, all, size), net, r, points)
		if err != nil {
			t.Fatal(err)
		}
		batches, _ := readAnswer(t, out)
		if in := (7*5 + size - 1) / size; len(batches) != in+1 {
			t.Errorf("batches of %d rows: %d came, for %d and what was left", size, len(batches), in)
		}
		if got := slices.Concat(batches...); !slices.Equal(got, want) {
			t.Errorf("batches of %d rows give other trips", size)
		}
	}
}

func TestABadTripCostsItselfAlone(t *testing.T) {
	net, r, all := city(t, 2)
	long := *all[0]
	long.ID, long.Samples = "very long", slices.Clone(long.Samples)
	long.Samples[4].Time = 7_000_000_000_000
	far := &trajectory.Trajectory{ID: "far away", Samples: []trajectory.Sample{{Time: 1, Lon: 100, Lat: 60}, {Time: 60_000, Lon: 100, Lat: 60}}}
	crooked, none, zero := *all[0], *all[0], &trajectory.Trajectory{ID: "no fix", Samples: []trajectory.Sample{{Time: 1}, {Time: 2}}}
	crooked.ID, none.ID = "crooked", ""
	in := []*trajectory.Trajectory{all[0], far, &crooked, &none, zero, {ID: "empty"}, all[1]}
	out, told, err := serve(t, inLists(t, in, 3), net, r, points)
	if err != nil || told.Recovered != 2 || told.Refused != 5 {
		t.Fatalf("%v, %+v", err, told)
	}
	batches, _ := readAnswer(t, out)
	rows := slices.Concat(batches...)
	for i, want := range []string{"recovered", "refused no path: ", "refused its lists differ in length: 5 times, 5 longitudes, 4 latitudes",
		"refused the row names no trajectory", "refused none of its points can be used: position is 0, 0", "refused it has no points", "recovered"} {
		if !strings.Contains(rows[i], want) {
			t.Errorf("row %d is %.120s, want %q", i, rows[i], want)
		}
	}
	flat, _, err := serve(t, inLists(t, in, 3), net, r, Options{Layers: points.Layers, Flat: true})
	if err != nil {
		t.Fatal(err)
	}
	batches, _ = readAnswer(t, flat)
	refused := 0
	for _, row := range slices.Concat(batches...) {
		if strings.Contains(row, " refused ") {
			refused++
		}
	}
	if refused != 5 {
		t.Errorf("the table tells of %d refused trips", refused)
	}
}

func TestATripThatComesAgainIsRefused(t *testing.T) {
	net, r, all := city(t, 3)
	again := *all[0]
	out, told, err := serve(t, inRows(t, append(all, &again), 4), net, r, points)
	if err != nil || told.Recovered != 3 || told.Refused != 1 {
		t.Fatalf("%v, %+v", err, told)
	}
	batches, _ := readAnswer(t, out)
	if last := slices.Concat(batches...)[3]; !strings.Contains(last, "do not stand together") {
		t.Errorf("the last row is %s", last)
	}
}

// A long pause cuts a trip as it does in files, and both pieces tell where they come from.
func TestTripsAreCutAsInFiles(t *testing.T) {
	net, r, all := city(t, 1)
	for i := range all[0].Samples[3:] {
		all[0].Samples[3+i].Time += 5 * 3_600_000
	}
	out, _, err := serve(t, inRows(t, all, 100), net, r, points)
	if err != nil {
		t.Fatal(err)
	}
	batches, _ := readAnswer(t, out)
	rows := slices.Concat(batches...)
	if len(rows) != 2 || !strings.HasPrefix(rows[0], "trip 0 trip 0/1 recovered") || !strings.HasPrefix(rows[1], "trip 0 trip 0/2 recovered") {
		t.Errorf("rows %.200q", rows)
	}
}

func TestACutStreamEndsWithAnErrorAndNoEndMark(t *testing.T) {
	net, r, all := city(t, 6)
	whole := inLists(t, all, 2)
	for _, n := range []int{0, 1, 40, len(whole) / 3, len(whole) / 2, len(whole) - 100, len(whole) - 8, len(whole) - 1} {
		out, _, err := serve(t, whole[:n], net, r, points)
		if !errors.Is(err, read.ErrCut) || ends(out) {
			t.Errorf("cut behind %d of %d bytes: %v, end mark %v", n, len(whole), err, ends(out))
		}
	}
	for _, text := range []string{"a,b\n1,2\n", strings.Repeat("x", 5000), "\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		if _, _, err := serve(t, []byte(text), net, r, points); err == nil || errors.Is(err, read.ErrCut) && len(text) > 100 {
			t.Errorf("%.10q: %v", text, err)
		}
	}
}

func TestAnEmptyStreamIsAnsweredByAnEmptyOne(t *testing.T) {
	net, r, _ := city(t, 0)
	out, told, err := serve(t, inLists(t, nil, 1), net, r, points)
	if err != nil || !ends(out) || told != (Told{}) {
		t.Fatal(err, told)
	}
	if batches, schema := readAnswer(t, out); len(batches) != 0 || len(schema.Fields()) != 13 {
		t.Errorf("%d batches, %d fields", len(batches), len(schema.Fields()))
	}
}

// Whoever sends may wait for the answer to each batch, and may be silent for long.
func TestAnswersComeBeforeTheNextBatch(t *testing.T) {
	net, r, all := city(t, 6)
	whole := inLists(t, all, 2)
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := Serve(ctx, in, out, r, net, points)
		_ = out.Close()
		ended <- err
	}()
	go func() { _, _ = send.Write(whole[:len(whole)-8]) }() // all but the end mark
	answers, err := ipc.NewReader(receive)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if !answers.Next() || answers.RecordBatch().NumRows() != 2 {
			t.Fatal("no answer while the stream is open", answers.Err())
		}
	}
	cancel() // the sender is silent: nobody waits for it
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAReaderThatGoesEndsTheStream(t *testing.T) {
	net, r, all := city(t, 40)
	whole := inLists(t, all, 1)
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ended := make(chan error)
	go func() { _, err := Serve(context.Background(), in, out, r, net, points); ended <- err }()
	go func() { _, _ = send.Write(whole[:len(whole)-8]) }() // and then is silent
	if _, err := io.CopyN(io.Discard, receive, 20_000); err != nil {
		t.Fatal(err)
	}
	_ = receive.Close()
	if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestWhatCannotBeTakenIsSaid(t *testing.T) {
	net, r, _ := city(t, 0)
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	field := func(name string, of arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: of} }
	for want, fields := range map[string][]arrow.Field{
		"has no column lat":         {field("id", text), field("time", arrow.PrimitiveTypes.Int64), field("lon", number)},
		"want timestamps, or int64": {field("id", text), field("time", text), field("lon", number), field("lat", number)},
		"must both be lists":        {field("id", text), field("time", arrow.PrimitiveTypes.Int64), field("lon", arrow.ListOf(number)), field("lat", number)},
		"want a text or a whole":    {field("id", number), field("time", arrow.PrimitiveTypes.Int64), field("lon", number), field("lat", number)},
		"want degrees as double":    {field("id", text), field("time", arrow.PrimitiveTypes.Int64), field("lon", text), field("lat", number)},
	} {
		in := stream(t, arrow.NewSchema(fields, nil), 0, 1, nil)
		if _, _, err := serve(t, in, net, r, points); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, _, err := serve(t, nil, net, r, Options{Layers: []write.Layer{"roads"}}); err == nil || !strings.Contains(err.Error(), "points, path, spans, gaps, links") {
		t.Error(err)
	}
}

// Whatever comes, the stream ends or is answered; it never breaks the program.
func FuzzServe(f *testing.F) {
	net, r, all := city(f, 3)
	f.Add(inLists(f, all, 2))
	f.Add(inRows(f, all, 4))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, _, err := serve(t, in, net, r, points)
		if ends(out) == (err != nil) {
			t.Errorf("end mark %v, error %v", ends(out), err)
		}
	})
}
