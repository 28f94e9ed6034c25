package read

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// madeTable makes the rows of 500 vehicles that report in turn, as they are read.
type madeTable struct {
	left []byte
	row  int
	size int64 // bytes after which it ends
	n    int64
}

func (m *madeTable) Read(p []byte) (int, error) {
	if len(m.left) == 0 {
		if m.n >= m.size {
			return 0, io.EOF
		}
		m.left = m.left[:0]
		if m.row == 0 {
			m.left = append(m.left, "trip,time,lon,lat\n"...)
		}
		for range 200 {
			m.left = fmt.Appendf(m.left, "trip-%d,%d,%.6f,52.500000\n", m.row%500, 1_704_182_400+m.row/500*15, 13.5+float64(m.row%1000)*1e-6)
			m.row++
		}
		m.n += int64(len(m.left))
	}
	n := copy(p, m.left)
	m.left = m.left[n:]
	return n, nil
}

// Of a table of 10 GB no more than the beginning is read to show what it is.
func TestAHugeTableIsPreviewedByItsHead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file would take 10 GB there")
	}
	path := filepath.Join(t.TempDir(), "huge.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const size = 10 << 30
	if _, err := io.Copy(f, &madeTable{size: inspectBytes + 1<<20}); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil {
		t.Skip("no room for a file with holes:", err)
	}
	i, err := Inspect(context.Background(), path, nil, Options{})
	if err != nil || i.Failure != "" {
		t.Fatal(err, i)
	}
	if i.Complete || i.Bytes != size || i.Trajectories != 500 || i.Estimate < 200_000_000 || i.Estimate > 400_000_000 {
		t.Errorf("complete %t, %d bytes, %d trajectories, about %d samples", i.Complete, i.Bytes, i.Trajectories, i.Estimate)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	count := &source{ctx: context.Background(), r: f}
	if _, err := inspect(context.Background(), "huge.csv", "", count, size, Options{}); err != nil {
		t.Fatal(err)
	}
	if count.n > inspectBytes {
		t.Errorf("%d bytes were read", count.n)
	}
}

// A table much larger than what may be held in memory is read whole, with
// progress, and its memory does not grow with it.
func TestALargeTableIsReadInBoundedMemory(t *testing.T) {
	size, most := int64(48<<20), int64(20<<20) // its samples alone would take 28 MiB
	table := &madeTable{size: size}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak, told := uint64(0), int64(0)
	opt := Options{Limits: Limits{Held: 50_000}, Progress: func(n int64) {
		if n < told {
			t.Fatalf("progress goes back from %d to %d", told, n)
		}
		if n>>22 != told>>22 {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		told = n
	}}
	trips, samples := 0, 0
	for tr, err := range Reader(context.Background(), "large.csv", table, opt) {
		if err != nil {
			t.Fatal(err)
		}
		if trips++; trips%100 == 0 {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		samples += len(tr.Samples)
	}
	if trips != 500 || samples != table.row || told != table.n {
		t.Errorf("%d trips with %d samples of %d, %d bytes of %d", trips, samples, table.row, told, table.n)
	}
	grown := int64(peak) - int64(before.HeapAlloc)
	t.Logf("%d MiB with %d samples: %d MiB of memory", table.n>>20, samples, grown>>20)
	if grown > most {
		t.Errorf("%d MiB were taken, want no more than %d", grown>>20, most>>20)
	}
}

// Reading ends soon after it is called off, and nothing of the file is kept.
func TestReadingALargeTableCanBeCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	table := &madeTable{size: 1 << 40}
	opt := Options{Progress: func(n int64) {
		if n > 10<<20 {
			cancel()
		}
	}}
	var last error
	for tr, err := range Reader(ctx, "large.csv", table, opt) {
		if tr != nil {
			t.Errorf("got %s", tr.ID)
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || table.n > 11<<20 {
		t.Errorf("%v after %d bytes", last, table.n)
	}
}

// BenchmarkPreview looks at a table of 10 GB, of which only the beginning is
// there.
func BenchmarkPreview(b *testing.B) {
	var head bytes.Buffer
	if _, err := io.Copy(&head, &madeTable{size: inspectBytes + 1<<20}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := inspect(context.Background(), "huge.csv", "", strings.NewReader(head.String()), 10<<30, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
