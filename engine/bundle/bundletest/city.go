package bundletest

import (
	"bytes"
	_ "embed"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sbinet/npyio/npy"
)

//go:embed city.zip
var city []byte

// The files of city.zip: the network, as OpenStreetMap has it, and a folder for each
// system, with weights as they are before training. It is made by
//
//	retrace sample demo
//	systems cut -area -5.004,45.498,-4.994,45.505 demo/sample.osm.gz city.osm  (and no more of that than its roads)
//	retrace dataset --network roads.osm.gz --simulate 12 --keep 60s --encoder --ticks --candidates 4 --sub 16 --seed 1 -o set
//	python training/tests/untrained.py set SYSTEM SYSTEM 2  (4 for rntrajrec)
const cityNetwork = "roads.osm.gz"

// CityNetwork is the extract whose network the tables of [City] belong to.
func CityNetwork(t testing.TB) []byte {
	t.Helper()
	return unpacked(t, city)[cityNetwork].Data
}

// City are the files of a system whose tables belong to [CityNetwork]. It is read as if
// trained on the features that the program makes.
func City(t testing.TB, system string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, f := range unpacked(t, city) {
		if inner, ok := strings.CutPrefix(name, system+"/"); ok {
			files[inner] = f
		}
	}
	if len(files) == 0 {
		t.Fatalf("there is no bundle of %q", system)
	}
	describe(t, files, func(map[string]any) {})
	return files
}

// Trip is a trip that PyTorch recovered by the system of a bundle.
type Trip struct {
	Time     []int64   // of the samples, Unix milliseconds
	Lon, Lat []float64 // degrees
	Segment  []int32   // at every tick
	Ratio    []float32
}

// GoldenTrip is the one that a bundle of a system holds.
func GoldenTrip(t testing.TB, files fstest.MapFS) Trip {
	t.Helper()
	var trip Trip
	for name, to := range map[string]any{"time": &trip.Time, "lon": &trip.Lon, "lat": &trip.Lat, "segment": &trip.Segment, "ratio": &trip.Ratio} {
		f, ok := files[path.Join("golden", "trip", name+".npy")]
		if !ok {
			t.Fatalf("the bundle holds no %s of a trip", name)
		}
		if err := npy.Read(bytes.NewReader(f.Data), to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return trip
}

// Change changes what a manifest says.
func Change(t testing.TB, files fstest.MapFS, change func(manifest map[string]any)) {
	t.Helper()
	describe(t, files, change)
}
