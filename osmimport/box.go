package osmimport

import (
	"fmt"

	"retrace/engine/roadnet"
)

// boxCheck compares the box that a file's header states with the needed nodes
// that the file holds.
type boxCheck struct {
	stated                         *roadnet.Bounds // nil: none stated
	all, inside                    int
	minLon, minLat, maxLon, maxLat int32
}

// see takes the next node.
func (b *boxCheck) see(c roadnet.Coord) {
	if b.stated == nil {
		return
	}
	if b.all == 0 {
		b.minLon, b.minLat, b.maxLon, b.maxLat = c.Lon, c.Lat, c.Lon, c.Lat
	}
	b.minLon, b.maxLon = min(b.minLon, c.Lon), max(b.maxLon, c.Lon)
	b.minLat, b.maxLat = min(b.minLat, c.Lat), max(b.maxLat, c.Lat)
	if b.all++; b.stated.Contains(c.Point()) {
		b.inside++
	}
}

// data is the box around the nodes.
func (b *boxCheck) data() roadnet.Bounds {
	lo, hi := roadnet.Coord{Lon: b.minLon, Lat: b.minLat}.Point(), roadnet.Coord{Lon: b.maxLon, Lat: b.maxLat}.Point()
	return roadnet.Bounds{MinLon: lo.Lon, MinLat: lo.Lat, MaxLon: hi.Lon, MaxLat: hi.Lat}
}

// wrong tells a box that misses half of the nodes, or is ten times as wide or
// high as they are. Extracts whose ways reach beyond their box are common and
// right.
func (b *boxCheck) wrong() bool {
	if b.all == 0 {
		return false
	}
	const small = 0.01 // degrees: in tiny files the ratio means nothing
	d := b.data()
	return b.inside*2 < b.all ||
		b.stated.MaxLon-b.stated.MinLon > 10*max(d.MaxLon-d.MinLon, small) ||
		b.stated.MaxLat-b.stated.MinLat > 10*max(d.MaxLat-d.MinLat, small)
}

// String names both boxes.
func (b *boxCheck) String() string {
	text := func(b roadnet.Bounds) string {
		return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", b.MinLon, b.MinLat, b.MaxLon, b.MaxLat)
	}
	return "stated " + text(*b.stated) + ", data " + text(b.data())
}
