package ui

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sort"
	"strconv"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	tracks "retrace/engine/trajectory/write"
	"retrace/osmimport"
	"retrace/ui/state"
)

// benchTrips is how many recovered trips the benchmarks show; RETRACE_TRIPS
// names another number.
func benchTrips() int {
	if n, err := strconv.Atoi(os.Getenv("RETRACE_TRIPS")); err == nil {
		return n
	}
	return 1000
}

// The size of the benchmarks' window, in pixels.
const benchWidth, benchHeight = 1600, 1000

// bench is a window over a large city with many trips.
type bench struct {
	*stage
	b      *testing.B
	raster *canvas.Raster // of the map
	opened float64        // size of the workspace file when it was opened, in bytes
}

// BenchmarkWindow measures the window over the shared extract with the most
// segments: see tools/windowbench, which runs each part in a process of its own,
// as there is one window in a program. RETRACE_WORKSPACE is the workspace that
// "fill" makes and the others open; without it all is done in one process.
func BenchmarkWindow(b *testing.B) {
	path := os.Getenv("RETRACE_WORKSPACE")
	if path == "" {
		path = filepath.Join(b.TempDir(), "w.retrace")
	}
	extracts := sync.OnceValue(func() []extract { return largest(b, 4) })
	b.Run("fill", func(b *testing.B) { fillWorkspace(b, path, extracts()[0]) })
	b.Run("start", func(b *testing.B) { benchStart(b, path) })
	b.Run("use", func(b *testing.B) {
		second := extracts()[1].path
		debug.FreeOSMemory() // what looking for it took is not the window's
		w := newBench(b, path)
		b.Run("frame", w.frames)
		b.Run("import", func(b *testing.B) { w.framesBesides(b, second) })
		b.Run("play", func(b *testing.B) { w.play(b, state.PlayDay) })
		b.Run("together", func(b *testing.B) { w.play(b, state.PlayStart) })
		b.Run("answer", w.answers)
		b.Run("memory", w.memory)
	})
	b.Run("growth", func(b *testing.B) { newBench(b, path).growth(b) })
}

type extract struct {
	path     string
	segments int
}

// largest are the shared extracts with the most segments, of the n largest files.
func largest(b *testing.B, n int) []extract {
	files, err := filepath.Glob(filepath.Join(data(b, "osm"), "*"))
	if err != nil || len(files) < n {
		b.Skip("too little shared data")
	}
	size := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	sort.Slice(files, func(i, j int) bool { return size(files[i]) > size(files[j]) })
	var all []extract
	for _, f := range files[:n] {
		all = append(all, extract{f, network(b, f).NumSegments()})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].segments > all[j].segments })
	return all
}

func network(b *testing.B, path string) *roadnet.Network {
	res, err := osmimport.Import(context.Background(), []string{path}, osmimport.Options{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return res.Network
}

// fillWorkspace makes a workspace of an extract and recovered trips, as a user
// would.
func fillWorkspace(b *testing.B, path string, e extract) {
	file := filepath.Join(b.TempDir(), "trips.csv")
	out, err := tracks.CreateSamples(file, tracks.About{Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	for trip, err := range simulate.Trips(context.Background(), network(b, e.path), simulate.Options{Seed: 7, Count: benchTrips()}) {
		if err == nil {
			err = out.Write(trip.Trajectory)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	s := openStage(b, path, benchWidth, benchHeight, 1, e.path, file)
	o := s.m.Options()
	o.Method = "hmm"
	s.m.SetOptions(o)
	s.long("the trips are read", func() bool { return len(s.m.Trips()) > 0 && len(s.tasks.Running()) == 0 })
	s.actions.Do("recoverrest")
	s.long("the trips are recovered", func() bool { return s.m.Count().Pending == 0 && len(s.tasks.Running()) == 0 })
	s.end()
	b.ReportMetric(0, "ns/op")
}

// long runs what is posted until ok holds, for minutes where it must be.
func (s *stage) long(what string, ok func() bool) {
	s.t.Helper()
	defer func(began time.Time) { s.t.Logf("%s after %v", what, time.Since(began)) }(time.Now())
	for end := time.Now().Add(10 * time.Minute); !ok(); {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(5 * time.Millisecond):
			if time.Now().After(end) {
				s.t.Fatalf("waited in vain: %s; messages: %v", what, s.m.Notices())
			}
		}
	}
}

func newBench(b *testing.B, path string) *bench {
	w := &bench{b: b, opened: fileSize(b, path)}
	w.stage = openStage(b, path, benchWidth, benchHeight, 1)
	w.long("the trips are there", func() bool { return w.m.Count().Recovered > 0 && len(w.tasks.Running()) == 0 })
	w.raster = mapRaster(w.stage)
	w.fitAll()
	w.settle()
	o := w.m.Options()
	o.Method = "hmm"
	w.m.SetOptions(o)
	return w
}

// mapRaster is the raster that the map draws its frames into.
func mapRaster(s *stage) *canvas.Raster {
	var largest *canvas.Raster
	for _, o := range test.LaidOutObjects(s.view) {
		if r, ok := o.(*canvas.Raster); ok && (largest == nil || r.Size().Width > largest.Size().Width) {
			largest = r
		}
	}
	return largest
}

// frame does what the window's goroutine does for one frame: what was posted to
// it, and the map's picture.
func (w *bench) frame() image.Image {
	for len(w.queue) > 0 {
		(<-w.queue)()
	}
	size := w.raster.Size()
	return w.raster.Generator(int(size.Width), int(size.Height))
}

// settle draws frames until nothing is missing.
func (w *bench) settle() {
	w.long("the map is drawn", func() bool { w.frame(); return w.view.Ready() })
}

// times are how long things took.
type times struct{ wall, own []time.Duration }

// measure times what f does: by the clock, and in the processor's time of the
// window's goroutine alone, which other programs do not touch.
func (t *times) measure(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, own := time.Now(), threadTime()
	f()
	t.own = append(t.own, threadTime()-own)
	t.wall = append(t.wall, time.Since(start))
}

func (t *times) report(b *testing.B) {
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(percentile(t.own, p), "p"+strconv.Itoa(p)+"-own-ms")
		b.ReportMetric(percentile(t.wall, p), "p"+strconv.Itoa(p)+"-wall-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// percentile is in milliseconds.
func percentile(d []time.Duration, p int) float64 {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	return float64(sorted[min(len(sorted)*p/100, len(sorted)-1)].Microseconds()) / 1000
}

// pace is a sixtieth of a second: frames come no faster.
const pace = time.Second / 60
