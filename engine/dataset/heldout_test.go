package dataset

import (
	"testing"

	"retrace/engine/roadnet"
)

func TestPlacesOfMeasuringAreHeldOut(t *testing.T) {
	for _, c := range []struct {
		file string
		at   roadnet.Point
		held bool
	}{
		{"../shared/data/osm/taipei.osm.gz", roadnet.Point{Lon: 121.54, Lat: 25.045}, true},
		{"my own extract.osm", roadnet.Point{Lon: 121.5, Lat: 25.1}, true}, // by place, whatever its name
		{"milan.osm.pbf", roadnet.Point{Lon: 9.25, Lat: 45.51}, true},
		{"helsinki.osm.pbf", roadnet.Point{Lon: 24.944, Lat: 60.172}, true},
		{"../shared/data/worldwide/000/network.osm.pbf", roadnet.Point{Lon: 54.96, Lat: 56.25}, true},
		{"porto.osm.pbf", roadnet.Point{Lon: -8.6, Lat: 41.15}, false},
		{"worldwide.osm.pbf", roadnet.Point{Lon: 13.4, Lat: 52.5}, false},
		{"porto", roadnet.Point{Lon: -8.6, Lat: 41.15}, false},
	} {
		info := roadnet.Info{Bounds: roadnet.Bounds{MinLon: c.at.Lon, MinLat: c.at.Lat, MaxLon: c.at.Lon, MaxLat: c.at.Lat}}
		if why := HeldOut(info, c.file); (why != "") != c.held {
			t.Errorf("%s at %v: %q", c.file, c.at, why)
		}
	}
}
