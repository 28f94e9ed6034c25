package flow

import (
	"fmt"
	"math"

	"github.com/tidwall/rtree"

	"retrace/engine/roadnet"
)

// Outside is the zone of a place that lies in none.
const Outside = -1

// Zone is an area that trips begin and end in.
type Zone struct {
	ID     string
	Centre roadnet.Point
	Rings  [][]roadnet.Point // a place lies within where an odd number of rings is around it
}

// Zones tell in which zone a place lies. They are for one goroutine.
type Zones interface {
	// At is the number of the zone of a place, or Outside.
	At(p roadnet.Point) int
	// Zone is the zone of a number.
	Zone(number int) Zone
}

// Areas are zones drawn by somebody. Where two lie over one another, the first counts.
type Areas struct {
	all   []Zone
	index rtree.RTreeG[int]
}

// NewAreas are zones by their rings; their centres are filled in.
func NewAreas(all []Zone) *Areas {
	a := &Areas{all: all}
	for i := range all {
		z := &a.all[i]
		if len(z.Rings) == 0 || len(z.Rings[0]) == 0 {
			continue
		}
		b := boundsOf(z.Rings[0])
		for _, r := range z.Rings[1:] {
			if len(r) > 0 {
				o := boundsOf(r)
				b = roadnet.Bounds{MinLon: min(b.MinLon, o.MinLon), MinLat: min(b.MinLat, o.MinLat), MaxLon: max(b.MaxLon, o.MaxLon), MaxLat: max(b.MaxLat, o.MaxLat)}
			}
		}
		z.Centre = middleOf(z.Rings[0])
		a.index.Insert([2]float64{b.MinLon, b.MinLat}, [2]float64{b.MaxLon, b.MaxLat}, i)
	}
	return a
}

// At is the number of the first zone that a place lies in.
func (a *Areas) At(p roadnet.Point) int {
	best := Outside
	at := [2]float64{p.Lon, p.Lat}
	a.index.Search(at, at, func(_, _ [2]float64, i int) bool {
		in := false
		for _, r := range a.all[i].Rings {
			in = in != inside(r, p)
		}
		if in && (best == Outside || i < best) {
			best = i
		}
		return true
	})
	return best
}

// Zone is the zone of a number.
func (a *Areas) Zone(number int) Zone { return a.all[number] }

// middleOf is the centre of mass of a ring, or of its corners where it has no area.
func middleOf(ring []roadnet.Point) roadnet.Point {
	var area, x, y float64
	o := ring[0] // near the corners, for the sake of digits
	for i := range ring {
		p, q := ring[i], ring[(i+1)%len(ring)]
		cross := (p.Lon-o.Lon)*(q.Lat-o.Lat) - (q.Lon-o.Lon)*(p.Lat-o.Lat)
		area += cross
		x += (p.Lon + q.Lon - 2*o.Lon) * cross
		y += (p.Lat + q.Lat - 2*o.Lat) * cross
	}
	if area == 0 {
		return boundsOf(ring).Center()
	}
	return roadnet.Point{Lon: o.Lon + x/(3*area), Lat: o.Lat + y/(3*area)}
}

// Grid is zones of equal cells, squares or hexagons, which are numbered as places in
// them are asked for.
type Grid struct {
	origin  roadnet.Point
	size    float64 // metres
	hexagon bool
	number  map[[2]int]int
	cells   [][2]int
	east    float64 // metres of a degree of longitude
}

// NewGrid lays a grid over the earth around a place: squares with sides of so many
// metres, or hexagons that are so many metres from flat to flat. Lengths hold at the
// latitude of the place.
func NewGrid(around roadnet.Point, metres float64, hexagon bool) *Grid {
	return &Grid{origin: around, size: metres, hexagon: hexagon, number: map[[2]int]int{}, east: roadnet.Degree * math.Cos(around.Lat*math.Pi/180)}
}

// At is the number of the cell of a place.
func (g *Grid) At(p roadnet.Point) int {
	c := g.cell((p.Lon-g.origin.Lon)*g.east, (p.Lat-g.origin.Lat)*roadnet.Degree)
	n, ok := g.number[c]
	if !ok {
		n = len(g.cells)
		g.number[c] = n
		g.cells = append(g.cells, c)
	}
	return n
}

// cell is the cell of a place in metres. Hexagons have axial coordinates: q east, r to
// the north-east.
func (g *Grid) cell(x, y float64) [2]int {
	if !g.hexagon {
		return [2]int{int(math.Floor(x / g.size)), int(math.Floor(y / g.size))}
	}
	r := y / (g.size * math.Sqrt(3) / 2)
	q := x/g.size - r/2
	// The nearest centre, by rounding three coordinates whose sum is 0.
	s := -q - r
	a, b, c := math.Round(q), math.Round(r), math.Round(s)
	switch da, db, dc := math.Abs(a-q), math.Abs(b-r), math.Abs(c-s); {
	case da > db && da > dc:
		a = -b - c
	case db > dc:
		b = -a - c
	}
	return [2]int{int(a), int(b)}
}

// Zone is the cell of a number.
func (g *Grid) Zone(number int) Zone {
	c := g.cells[number]
	z := Zone{ID: fmt.Sprintf("x%dy%d", c[0], c[1])} // no sign in front, which a spreadsheet takes for a formula
	if !g.hexagon {
		x, y := float64(c[0])*g.size, float64(c[1])*g.size
		z.Centre = g.place(x+g.size/2, y+g.size/2)
		z.Rings = [][]roadnet.Point{{g.place(x, y), g.place(x+g.size, y), g.place(x+g.size, y+g.size), g.place(x, y+g.size)}}
		return z
	}
	x, y := (float64(c[0])+float64(c[1])/2)*g.size, float64(c[1])*g.size*math.Sqrt(3)/2
	z.Centre = g.place(x, y)
	var ring []roadnet.Point
	for k := range 6 {
		turn := math.Pi/6 + float64(k)*math.Pi/3
		ring = append(ring, g.place(x+g.size/math.Sqrt(3)*math.Cos(turn), y+g.size/math.Sqrt(3)*math.Sin(turn)))
	}
	z.Rings = [][]roadnet.Point{ring}
	return z
}

func (g *Grid) place(x, y float64) roadnet.Point {
	return roadnet.Point{Lon: g.origin.Lon + x/g.east, Lat: g.origin.Lat + y/roadnet.Degree}
}
