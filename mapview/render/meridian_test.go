package render

import (
	"testing"

	"retrace/engine/roadnet"
)

// A path across the 180th meridian goes on at the other edge of the map, and is not
// drawn across it.
func TestPathsAcrossTheMeridian(t *testing.T) {
	part := newTrackPart([]roadnet.Point{{Lon: 179.8, Lat: -16.5}, {Lon: 179.9, Lat: -16.6}, {Lon: -179.9, Lat: -16.7}, {Lon: -179.8, Lat: -16.6}})
	if length := part.length(); length < 40_000 || length > 60_000 {
		t.Errorf("%.0f m long", length)
	}
	for _, zoom := range []float64{1, 3, 6} {
		v := Viewport{Center: roadnet.Point{Lat: -16.5}, Zoom: zoom, Width: 4096, Height: 400, Scale: 1}.ground(Options{})
		var drawn lines
		part.stretch(&drawn, &v.frame, 0, part.length())
		if drawn.len() != 2 {
			t.Fatalf("zoom %g: %d lines, want one on each side", zoom, drawn.len())
		}
		for i := range drawn.len() {
			if l := lineLength(drawn.at(i)); float64(l) > v.frame.scale*placeUnits/100 {
				t.Errorf("zoom %g: a line of %.0f pixels", zoom, l)
			}
		}
	}
}
