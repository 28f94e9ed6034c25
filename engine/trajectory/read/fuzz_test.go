package read

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"retrace/engine/trajectory"
)

// Whatever a file holds, a reader comes to an end, and what it hands on is
// sound.

func FuzzCSV(f *testing.F)        { fuzz(f, readCSV) }
func FuzzPorto(f *testing.F)      { fuzz(f, readPorto) }
func FuzzPLT(f *testing.F)        { fuzz(f, readPLT) }
func FuzzGPX(f *testing.F)        { fuzz(f, readGPX) }
func FuzzKML(f *testing.F)        { fuzz(f, readKML) }
func FuzzTCX(f *testing.F)        { fuzz(f, readTCX) }
func FuzzGeoJSON(f *testing.F)    { fuzz(f, readGeoJSON) }
func FuzzNMEA(f *testing.F)       { fuzz(f, readNMEA) }
func FuzzFIT(f *testing.F)        { fuzz(f, readFIT) }
func FuzzGeoPackage(f *testing.F) { fuzz(f, readGeoPackage) }
func FuzzParquet(f *testing.F)    { fuzz(f, readParquet) }
func FuzzArrow(f *testing.F)      { fuzz(f, readArrow) }

// FuzzShapefile reads a shapefile whose two parts stand behind one another, the
// length of the first before them.
func FuzzShapefile(f *testing.F) {
	for _, seed := range shapefileSeeds() {
		f.Add(seed.shp, seed.dbf)
	}
	f.Fuzz(func(t *testing.T, shp, dbf []byte) {
		folder := t.TempDir()
		path := filepath.Join(folder, "a.shp")
		if os.WriteFile(path, shp, 0o600) != nil || os.WriteFile(filepath.Join(folder, "a.dbf"), dbf, 0o600) != nil {
			t.Skip("no room on disk")
		}
		fuzzOne(t, shp, path, readShapefile)
	})
}

// FuzzGeometry reads geometries in all their ways of writing.
func FuzzGeometry(f *testing.F) {
	for _, seed := range []string{"POINT(1 2)", "LINESTRING M (1 2 1704182400, 3 4 1704182460)", "SRID=4326;POINT Z (1 2 3)",
		"[POINT(1 2)@2024-01-02 08:00:00+00, POINT(3 4)@2024-01-02 08:01:00+00]", "0101000000000000000000F03F0000000000000040",
		`{"type":"MovingPoint","coordinates":[[1,2]],"datetimes":["2024-01-02T08:00:00Z"]}`, "POINT EMPTY",
		"\x01\x02\x00\x00\x00\xff\xff\xff\xff", "\x00\x00\x00\x00\x04\xff\xff\xff\xff", "\x01\x05\x00\x00\x20\xe6\x10\x00\x00\xff\xff\xff\xff",
		"\x01\x03\x00\x00\x00\xff\xff\xff\xff", "\x01\x07\x00\x00\x00\xff\xff\xff\xff", "01020000C0FFFFFFFF01010000"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		inMemory(t, len(b), func() {
			s, err := parseGeometry(b)
			if err == nil && len(s.vertices) == 0 {
				t.Error("a geometry without positions and without an error")
			}
		})
	})
}

// Every kind of file has its target.
func TestEveryReaderIsFuzzed(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "fuzz_test.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		name := "Fuzz" + strings.Fields(string(k))[0]
		if file.Scope.Lookup(name) == nil {
			t.Errorf("%s has no target %s", k, name)
		}
	}
}

func fuzz(f *testing.F, read func(*input) error) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) { fuzzOne(t, content, "", read) })
}

func fuzzOne(t *testing.T, content []byte, path string, read func(*input) error) {
	ids := map[string]bool{}
	in := input{ctx: context.Background(), name: "fuzz", path: path, names: newNamer()}
	in.opt = Options{Limits: Limits{Row: 4096, Samples: 50, Held: 20, Packed: 1 << 20}, Problem: func(p Problem) {
		if p.Reason == "" || p.File == "" || p.Line < 0 {
			t.Errorf("problem without words: %+v", p)
		}
	}}
	in.yield = func(tr *trajectory.Trajectory, err error) bool {
		if err != nil {
			t.Errorf("a reader yields no errors itself: %v", err)
			return false
		}
		if ids[tr.ID] {
			t.Errorf("two trajectories are called %q", tr.ID)
		}
		ids[tr.ID] = true
		checkSound(t, tr)
		return true
	}
	inMemory(t, len(content), func() {
		opened, err := open(&source{ctx: in.ctx, r: bytes.NewReader(content)}, in)
		if err != nil {
			return
		}
		defer opened.close()
		if err := opened.guarded(read); errors.Is(err, errStop) {
			t.Error("stopped without being asked")
		}
	})
}

// inMemory fails where reading so many bytes takes more memory, all in all, than
// they can be worth: a count that a file names is bounded by what it holds.
func inMemory(t *testing.T, size int, read func()) {
	before := allocated()
	read()
	if took := allocated() - before; took > 64<<20+2000*uint64(size) {
		t.Errorf("%d bytes took %d MiB", size, took>>20)
	}
}

// allocated is how many bytes were ever asked for.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func checkSound(t *testing.T, tr *trajectory.Trajectory) {
	if len(tr.Samples) == 0 || len(tr.Samples) > 50 {
		t.Errorf("%q has %d samples", tr.ID, len(tr.Samples))
	}
	last := int64(0)
	for _, s := range tr.Samples {
		if !(math.Abs(s.Lon) <= 180 && math.Abs(s.Lat) <= 90) || s.Time < last || s.Time >= maxTime {
			t.Errorf("%q has a sample that cannot be: %+v", tr.ID, s)
		}
		last = s.Time
	}
}
