package ui

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// memory reports what the window holds against the size of its workspace, and
// whose it is, after a round of use.
func (w *bench) memory(b *testing.B) {
	w.script()
	file, held := fileSize(b, w.path), heap()
	b.ReportMetric(file/1e6, "workspace-MB")
	b.ReportMetric(w.opened/1e6, "opened-MB")
	b.ReportMetric(held/1e6, "heap-MB")
	b.ReportMetric(held/file, "heap/workspace")
	b.ReportMetric(held/w.opened, "heap/opened")
	b.ReportMetric(resident()/1e6, "resident-MB")
	for owner, bytes := range owned(held) {
		b.ReportMetric(bytes/1e6, owner+"-held-MB")
	}
	b.ReportMetric(0, "ns/op")
}

// fileSize is the size of a file, in bytes.
func fileSize(b *testing.B, path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return float64(info.Size())
}

// heap is what is in use, in bytes, after what is not any more was collected.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// resident is how many bytes of the machine's memory the process takes; 0 where
// the system does not tell.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		return 0
	}
	return pages * float64(os.Getpagesize())
}

// owners lead from functions to whose the bytes are that they have asked for:
// the innermost function that any of these begins decides.
func owners() [][2]string {
	return [][2]string{
		{"retrace/mapview.pack", "tiles"}, {"retrace/mapview.(*tileCache)", "tiles"}, {"retrace/mapview.(*workshop).draw", "frame"},
		{"retrace/mapview.newBrush", "frame"}, {"retrace/mapview.(*Map).paint", "frame"},
		{"retrace/mapview/render.newRaster", "frame"}, {"retrace/mapview/render.newMask", "frame"}, {"retrace/mapview/render.(*area)", "frame"},
		{"retrace/mapview/render.(*LabelPainter)", "labels"}, {"retrace/mapview/render.(*labeler)", "labels"},
		{"retrace/mapview/render.(*Tracks)", "paths"}, {"retrace/mapview/render.NewLinkMap", "links"}, {"retrace/mapview/render.NewBase", "roads"},
		{"retrace/mapview/render.(*typesetter)", "fonts"}, {"github.com/go-text/", "fonts"}, {"fyne.io/fyne/v2/internal/painter", "fonts"},
		{"github.com/nicksnyder/go-i18n", "translations"}, {"fyne.io/fyne/v2/lang", "translations"}, {"retrace/ui.speak", "translations"},
		{"github.com/tidwall/rtree", "index"}, {"retrace/engine/roadnet.newIndex", "index"},
		{"retrace/engine/basemap", "background"}, {"retrace/storage.decodeBasemap", "background"},
		{"retrace/engine/roadnet", "network"}, {"retrace/storage.newColumn", "network"},
		{"retrace/storage.decodeRecovery", "recoveries"}, {"retrace/storage.decodeTrajectory", "samples"},
		{"retrace/engine/flow", "flows"}, {"retrace/ui/state", "state"}, {"fyne.io/fyne/v2", "widgets"}, {"retrace/ui/", "widgets"}, {"retrace/ui.", "widgets"},
	}
}

// owned says whose the bytes of the heap are, estimated from the samples of the
// runtime's profile; what the profile does not tell is "rest".
func owned(heap float64) map[string]float64 {
	records := make([]runtime.MemProfileRecord, 100000)
	n, ok := runtime.MemProfile(records, false)
	if !ok {
		return nil
	}
	rules, by := owners(), map[string]float64{}
	by["rest"] = heap
	for _, r := range records[:n] {
		bytes := float64(r.InUseBytes())
		mean := bytes / float64(max(r.InUseObjects(), 1))
		bytes /= 1 - math.Exp(-mean/float64(runtime.MemProfileRate)) // as many were passed over
		owner := ownerOf(r.Stack(), rules)
		by[owner] += bytes
		by["rest"] -= bytes
	}
	return by
}

func ownerOf(stack []uintptr, rules [][2]string) string {
	frames := runtime.CallersFrames(stack)
	for {
		f, more := frames.Next()
		for _, rule := range rules {
			if strings.HasPrefix(f.Function, rule[0]) {
				return rule[1]
			}
		}
		if !more {
			return "rest"
		}
	}
}

// growth uses the window by a script and reports how what it holds grows.
// RETRACE_MINUTES says for how long.
func (w *bench) growth(b *testing.B) {
	minutes, err := strconv.ParseFloat(os.Getenv("RETRACE_MINUTES"), 64)
	if err != nil {
		minutes = 1
	}
	w.script() // what is made once is made
	w.script()
	var at, held []float64 // hours, MB
	first := owned(heap())
	began := time.Now()
	for time.Since(began).Minutes() < minutes {
		at, held = append(at, time.Since(began).Hours()), append(held, heap()/1e6)
		w.script()
		if len(held)%20 == 1 {
			b.Logf("after %.1f minutes and %d rounds: %.1f MB", time.Since(began).Minutes(), len(held)-1, held[len(held)-1])
		}
	}
	for owner, bytes := range owned(heap()) {
		b.Logf("%s grew by %.2f MB", owner, (bytes-first[owner])/1e6)
	}
	half := len(at) / 2
	b.ReportMetric(float64(len(at)), "rounds")
	b.ReportMetric(time.Since(began).Minutes(), "minutes")
	b.ReportMetric(held[0], "first-MB")
	b.ReportMetric(heap()/1e6, "last-MB")
	b.ReportMetric(slope(at, held), "growth-MB/h")
	b.ReportMetric(slope(at[half:], held[half:]), "later-growth-MB/h")
	b.ReportMetric(0, "ns/op")
}

// slope is that of the line that fits points best: by how much y grows with x.
func slope(x, y []float64) float64 {
	var meanX, meanY, up, across float64
	for i := range x {
		meanX, meanY = meanX+x[i]/float64(len(x)), meanY+y[i]/float64(len(x))
	}
	for i := range x {
		up, across = up+(x[i]-meanX)*(y[i]-meanY), across+(x[i]-meanX)*(x[i]-meanX)
	}
	if across == 0 {
		return 0
	}
	return up / across
}

func TestSlopeIsThatOfALineThroughNoise(t *testing.T) {
	x, y := []float64{0, 1, 2, 3}, []float64{5, 8, 8, 11} // 5.3 and 1.8 a step
	if s := slope(x, y); math.Abs(s-1.8) > 1e-9 {
		t.Errorf("the slope is %v, not 1.8", s)
	}
}
