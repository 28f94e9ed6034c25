package read

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/wroge/wgs84"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Place is where the points of a file may be expected: a network and its box.
type Place struct {
	Name   string
	Bounds roadnet.Bounds
}

// Suggestion is another way to read a file that puts its points inside a place
// where they do not lie as the file is read.
type Suggestion struct {
	Place string
	CRS   string  // the coordinate system: an EPSG code; empty: WGS 84
	Swap  bool    // longitude and latitude the other way round
	Share float64 // of the points that lie inside then
}

const (
	suggestSamples = 500 // that are looked at
	mostInside     = 0.5 // share of the points inside with which all is well
	muchBetter     = 0.2 // share by which another way must be better
	aBitBetter     = 0.05
)

// Suggest looks at the beginning of the file at path. It gives nil where most points
// lie inside some place as the file is read, or no other way puts them there.
func Suggest(ctx context.Context, path string, opt Options, places []Place) *Suggestion {
	opt = quiet(opt)
	best := Suggestion{CRS: opt.CRS, Swap: opt.Swap}
	best.Place, best.Share = inside(pointsOf(ctx, path, opt), places)
	if len(places) == 0 || best.Share > mostInside {
		return nil
	}
	most := best.Share + muchBetter
	try := func(s Suggestion, points []roadnet.Point) {
		if s.Place, s.Share = inside(points, places); s.Share > most {
			best, most = s, s.Share+aBitBetter
		}
	}
	swapped := opt
	swapped.Swap = !opt.Swap
	try(Suggestion{CRS: opt.CRS, Swap: swapped.Swap}, pointsOf(ctx, path, swapped))
	raw := rawOf(ctx, path, opt)
	if opt.CRS != "" {
		try(Suggestion{Swap: opt.Swap}, raw)
	}
	for _, code := range systems(places) {
		if p, err := epsg(code); err == nil && p != nil {
			moved := make([]roadnet.Point, len(raw))
			for i, q := range raw {
				moved[i].Lon, moved[i].Lat = p.apply(q.Lon, q.Lat)
			}
			try(Suggestion{CRS: fmt.Sprintf("EPSG:%d", code), Swap: opt.Swap}, moved)
		}
	}
	if ctx.Err() != nil || best.Share <= mostInside {
		return nil
	}
	return &best
}

// quiet are the settings by which a file is looked at and nobody is told.
func quiet(opt Options) Options {
	opt.Problem, opt.Progress, opt.Known, opt.Look = nil, nil, nil, nil
	opt.Head = suggestSamples
	opt.Clean.Inside = nil
	return opt
}

// pointsOf are the first points of a file; none where it cannot be read.
func pointsOf(ctx context.Context, path string, opt Options) []roadnet.Point {
	var points []roadnet.Point
	opt.Look = func(t *trajectory.Trajectory) {
		for _, s := range t.Samples {
			points = append(points, roadnet.Point{Lon: s.Lon, Lat: s.Lat})
		}
	}
	_, _ = Inspect(ctx, path, nil, opt)
	return points
}

// rawOf are the first coordinates of a file as they stand there.
func rawOf(ctx context.Context, path string, opt Options) []roadnet.Point {
	var points []roadnet.Point
	opt.CRS = "as it stands"
	opt.raw = func(x, y float64) (lon, lat float64) {
		if len(points) < suggestSamples {
			points = append(points, roadnet.Point{Lon: x, Lat: y})
		}
		return 1, 1
	}
	_, _ = Inspect(ctx, path, nil, opt)
	return points
}

// inside is the place that holds the most of the points, and their share.
func inside(points []roadnet.Point, places []Place) (name string, share float64) {
	for _, place := range places {
		n := 0
		for _, p := range points {
			if place.Bounds.Contains(p) {
				n++
			}
		}
		if s := float64(n) / float64(max(len(points), 1)); s > share {
			name, share = place.Name, s
		}
	}
	return name, share
}

// systems are the codes that are tried, the likeliest for the places first: where
// several fit alike, the first is taken.
func systems(places []Place) []int {
	var codes []int
	for _, p := range places {
		codes = append(codes, UTM(p.Bounds))
	}
	codes = append(codes, 3857)
	rest := wgs84.EPSG().Codes()
	slices.Sort(rest)
	return append(codes, rest...)
}

// UTM is the EPSG code of the zone of UTM that the middle of a box lies in.
func UTM(b roadnet.Bounds) int {
	zone := int(math.Floor(((b.MinLon+b.MaxLon)/2+180)/6)) + 1
	zone = min(max(zone, 1), 60)
	if b.MinLat+b.MaxLat < 0 {
		return 32700 + zone
	}
	return 32600 + zone
}
