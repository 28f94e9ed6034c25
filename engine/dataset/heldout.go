package dataset

import (
	"path/filepath"
	"slices"
	"strings"

	"retrace/engine/roadnet"
)

// HeldOut says why nothing may be trained on a network: the models that come
// with Retrace are measured there, as a place that they never saw. It is empty
// for all others. File is what the network was read from, or its name.
func HeldOut(info roadnet.Info, file string) string {
	centre := info.Bounds.Center()
	for _, city := range heldOut() {
		if roadnet.Distance(centre, city.centre) < city.radius {
			return "it lies in " + city.name
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(file), "/"), "worldwide") {
		return "it is one of the worldwide places"
	}
	return ""
}

// city is a place and how far about it reaches, in metres.
type city struct {
	name   string
	centre roadnet.Point
	radius float64
}

func heldOut() []city {
	return []city{
		{"Taipei", roadnet.Point{Lon: 121.54, Lat: 25.04}, 30_000},
		{"Milan", roadnet.Point{Lon: 9.19, Lat: 45.46}, 40_000},
		{"Helsinki", roadnet.Point{Lon: 24.94, Lat: 60.17}, 30_000},
	}
}
