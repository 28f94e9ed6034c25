package osmimport

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// Whatever the format, the same objects make the same network and background.
func TestFormatsAgree(t *testing.T) {
	o := town(12, 1)
	x := encodeXML(o)
	files := map[string][]byte{
		"dense.osm.pbf":   encodePBF(o, pbfOptions{}),
		"plain.osm.pbf":   encodePBF(o, pbfOptions{plainNodes: true, raw: true, perBlock: 7}),
		"mixed.osm.pbf":   encodePBF(o, pbfOptions{mixed: true, gran: 1000}),
		"packed.osm.gz":   gzipped(x),
		"wrong-name.data": x,
	}
	if _, err := exec.LookPath("bzip2"); err == nil {
		cmd := exec.Command("bzip2", "-c")
		cmd.Stdin = strings.NewReader(string(x))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		files["packed.osm.bz2"] = out
	}
	want := mustImport(t, writeFile(t, "town.osm", x))
	if n := want.Basemap.Len(basemap.Water); n != 1 {
		t.Errorf("%d lakes, want 1", n)
	}
	if want.Network.NumSegments() == 0 || want.Network.Info().TimeZone == "" {
		t.Errorf("an empty network or no time zone: %+v", want.Network.Info())
	}
	for name, data := range files {
		got := mustImport(t, writeFile(t, name, data))
		if g, w := got.Network.Info().Fingerprint, want.Network.Info().Fingerprint; g != w {
			t.Errorf("%s: fingerprint %s, want %s", name, g, w)
		}
		if d := cmp.Diff(want.Basemap.Columns(), got.Basemap.Columns()); d != "" {
			t.Errorf("%s: the background differs:\n%s", name, d)
		}
		if d := cmp.Diff(want.Report.Kept, got.Report.Kept); d != "" {
			t.Errorf("%s: kept differs:\n%s", name, d)
		}
	}
}

// A file in any order, cut into several files that overlap, gives the same
// network.
func TestMergeAndDisorder(t *testing.T) {
	o := town(10, 2)
	want := mustImport(t, writeFile(t, "town.osm", encodeXML(o)))
	half := len(o.Ways) / 2
	a := Objects{Nodes: o.Nodes[:80], Ways: o.Ways[:half+3], Relations: o.Relations}
	b := Objects{Nodes: o.Nodes[40:], Ways: o.Ways[half:], Relations: o.Relations[:1]}
	got := mustImport(t, writeFile(t, "a.osm", encodeXML(a)), writeFile(t, "b.osm.pbf", encodePBF(b, pbfOptions{})))
	if g, w := got.Network.Info().Fingerprint, want.Network.Info().Fingerprint; g != w {
		t.Errorf("two halves: fingerprint %s, want %s", g, w)
	}
	if n := count(got.Report.Oddities, oddOverlap); n == 0 {
		t.Error("the overlap is not reported")
	}
	shuffled := Objects{Nodes: o.Nodes, Ways: append(append([]Way{}, o.Ways[half:]...), o.Ways[:half]...), Relations: o.Relations}
	for name, data := range map[string][]byte{"s.osm": encodeXML(shuffled), "s.osm.pbf": encodePBF(shuffled, pbfOptions{perBlock: 5})} {
		got := mustImport(t, writeFile(t, name, data))
		if g, w := got.Network.Info().Fingerprint, want.Network.Info().Fingerprint; g != w {
			t.Errorf("%s: fingerprint %s, want %s", name, g, w)
		}
		if n := count(got.Report.Oddities, oddUnsorted); n != 1 {
			t.Errorf("%s: %d objects out of order, want 1", name, n)
		}
	}
}

// What a file gets wrong is reported with the ids of the objects.
func TestOddities(t *testing.T) {
	o := town(6, 3)
	o.Ways = append(o.Ways,
		Way{ID: 2000, Nodes: []int64{1, 999999, 8}, Tags: []Tag{{"highway", "residential"}}},
		Way{ID: 2001, Nodes: []int64{1, -5}, Tags: []Tag{{"highway", "primary"}, {"bridge", "yes"}}},
		Way{ID: 2001, Nodes: []int64{1, 2}, Tags: []Tag{{"highway", "primary"}}},
		Way{ID: 2002, Nodes: []int64{7}, Tags: []Tag{{"highway", "primary"}}})
	o.Nodes = append(o.Nodes, Node{ID: -5, Coord: roadnet.Coord{Lon: 85e6, Lat: 410e6}}, Node{ID: -5, Coord: roadnet.Coord{Lon: 1, Lat: 1}})
	o.Relations = append(o.Relations, Relation{ID: 3, Members: []Member{{"way", 1002, "outer"}, {"way", 77777, "outer"}},
		Tags: []Tag{{"landuse", "forest"}, {"type", "multipolygon"}}})
	want := map[string][]string{
		oddMissing:   {"node 999999"},
		oddNegative:  {"node -5", "node -5"},
		oddDuplicate: {"way 2001", "node -5"},
		oddCut:       {"way 2000"},
		oddLayer:     {"way 2001"},
		oddMember:    {"relation 3"},
		oddUnsorted:  {"node -5"},
	}
	for name, data := range map[string][]byte{"odd.osm": encodeXML(o), "odd.osm.pbf": encodePBF(o, pbfOptions{box: &roadnet.Bounds{MaxLon: 1, MaxLat: 1}})} {
		r := mustImport(t, writeFile(t, name, data)).Report
		got := map[string][]string{}
		for _, it := range r.Oddities {
			got[it.What] = it.Objects
		}
		for what, objects := range want {
			if d := cmp.Diff(objects, got[what]); d != "" {
				t.Errorf("%s: %s:\n%s", name, what, d)
			}
		}
		if strings.HasSuffix(name, "pbf") && len(got[oddBox]) != 1 {
			t.Errorf("%s: the wrong box is not reported: %v", name, got)
		}
		if n := count(r.Dropped, dropShort); n != 1 {
			t.Errorf("%s: %d short ways, want 1", name, n)
		}
	}
}

// An import stops within 0.2 s of being cancelled, wherever it is.
func TestCancel(t *testing.T) {
	o := town(200, 4)
	paths := []string{writeFile(t, "big.osm.pbf", encodePBF(o, pbfOptions{})), writeFile(t, "big.osm", encodeXML(o))}
	for _, phase := range []string{"roads", "nodes", "background", "network"} {
		stopsInTime(t, "in "+phase, func() time.Duration {
			ctx, cancel := context.WithCancel(context.Background())
			var at time.Time
			_, err := Import(ctx, paths, Options{Progress: func(p Progress) {
				if p.Phase == phase && at.IsZero() {
					at = time.Now()
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled in %s: error %v", phase, err)
			}
			return time.Since(at)
		})
	}
}

// An import that is called off in the middle of many small blocks ends with all
// its goroutines; the race detector sees what they share.
func TestCancelAmongManyBlocks(t *testing.T) {
	path := writeFile(t, "blocks.osm.pbf", encodePBF(town(40, 4), pbfOptions{perBlock: 4}))
	start := time.Now()
	mustImport(t, path)
	whole := time.Since(start)
	seed := uint64(start.UnixNano())
	t.Logf("seed %d, a whole import takes %v", seed, whole)
	rng := rand.New(rand.NewPCG(seed, 0))
	before := runtime.NumGoroutine()
	for range 60 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.Float64()*float64(whole)))
		if _, err := Import(ctx, []string{path}, Options{}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
}

// stopsInTime tries a few times, for on a busy machine any goroutine can be
// late.
func stopsInTime(t *testing.T, where string, late func() time.Duration) {
	t.Helper()
	var took time.Duration
	for range 5 {
		if took = late(); took <= 200*time.Millisecond {
			return
		}
	}
	t.Errorf("cancelled %s: stopped after %v", where, took)
}

// Progress runs from nothing to all bytes in every phase that reads.
func TestProgress(t *testing.T) {
	path := writeFile(t, "town.osm.pbf", encodePBF(town(30, 5), pbfOptions{perBlock: 50}))
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]int64{}
	_, err = Import(context.Background(), []string{path}, Options{Progress: func(p Progress) {
		if p.Done < last[p.Phase] || p.Done > p.Total {
			t.Errorf("%s: %d of %d after %d", p.Phase, p.Done, p.Total, last[p.Phase])
		}
		if p.Total != 0 && p.Total != st.Size() {
			t.Errorf("%s: total %d, the file has %d", p.Phase, p.Total, st.Size())
		}
		last[p.Phase] = p.Done
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(last) != 4 {
		t.Errorf("phases seen: %v", last)
	}
}

func TestIsExtract(t *testing.T) {
	o := town(4, 6)
	x := encodeXML(o)
	for name, c := range map[string]struct {
		head []byte
		want bool
	}{
		"pbf":           {encodePBF(o, pbfOptions{}), true},
		"xml":           {x, true},
		"gzip":          {gzipped(x), true},
		"long comment":  {append([]byte("<?xml version='1.0'?><!-- "), make([]byte, 600)...), true},
		"gpx":           {[]byte(`<?xml version="1.0"?><gpx version="1.1">`), false},
		"osmChange":     {[]byte(`<?xml version="1.0"?><osmChange version="0.6">`), false},
		"csv":           {[]byte("id,time,lon,lat\n"), false},
		"gzipped csv":   {gzipped([]byte("id,time,lon,lat\n1,2,3,4\n")), false},
		"nothing":       {nil, false},
		"zeros":         {make([]byte, 512), false},
		"bzip2's magic": {[]byte("BZh91AY&SY0000"), true},
	} {
		if got := IsExtract(c.head[:min(len(c.head), 512)]); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is left out is counted by reason.
func TestDropped(t *testing.T) {
	o := town(6, 7)
	for i, tags := range [][]Tag{
		{{"route", "ferry"}, {"motor_vehicle", "yes"}}, {{"route", "ferry"}, {"foot", "yes"}},
		{{"highway", "proposed"}}, {{"highway", "primary"}, {"access", "no"}}, {{"highway", "busway"}},
	} {
		o.Ways = append(o.Ways, Way{ID: int64(3000 + i), Nodes: []int64{1, 2}, Tags: tags})
	}
	want := map[string][]string{dropFerry: {"way 3000"}, dropConstruction: {"way 3002"}, dropAccess: {"way 3003"}, dropBus: {"way 3004"}}
	for name, data := range map[string][]byte{"d.osm": encodeXML(o), "d.osm.pbf": encodePBF(o, pbfOptions{})} {
		got := map[string][]string{}
		for _, it := range mustImport(t, writeFile(t, name, data)).Report.Dropped {
			if want[it.What] != nil {
				got[it.What] = it.Objects
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}
