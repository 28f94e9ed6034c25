package roadnet

import "math"

// CellSize is the side of a grid cell in metres.
const CellSize = 50

// Cell is a square of the network's grid, counted east and north from the
// south-west corner of its bounds.
type Cell struct{ X, Y int32 }

// grid places the cells. East-west distances are true at its middle latitude,
// so that lines straight in degrees are straight in the grid.
type grid struct {
	lon, lat      float64 // south-west corner, 1e-7 degrees
	kx, ky        float64 // cells in 1e-7 degrees
	columns, rows int32
}

// newGrid makes the grid over a box.
func newGrid(b box) grid {
	const ky = EarthRadius * unit / CellSize
	middle := (float64(b.minLat) + float64(b.maxLat)) / 2
	g := grid{lon: float64(b.minLon), lat: float64(b.minLat), kx: ky * math.Cos(middle*unit), ky: ky}
	x, y := g.xy(Coord{b.maxLon, b.maxLat}.place())
	g.columns, g.rows = int32(x)+1, int32(y)+1
	return g
}

// xy is a place in cells east and north of the corner, with fractions.
func (g *grid) xy(p place) (x, y float64) {
	return (p.lon - g.lon) * g.kx, (p.lat - g.lat) * g.ky
}

// GridSize is the number of columns and rows of the grid.
func (n *Network) GridSize() (columns, rows int32) { return n.grid.columns, n.grid.rows }

// CellAt is the grid cell that a point lies in. Points outside the bounds of
// the network lie in cells outside the grid.
func (n *Network) CellAt(p Point) Cell {
	x, y := n.grid.xy(placeOf(p))
	return Cell{whole(math.Floor(x)), whole(math.Floor(y))}
}

// CellCentre is the point in the middle of a grid cell.
func (n *Network) CellCentre(c Cell) Point {
	g := &n.grid
	return Point{
		Lon: (g.lon + (float64(c.X)+0.5)/g.kx) * 1e-7,
		Lat: (g.lat + (float64(c.Y)+0.5)/g.ky) * 1e-7,
	}
}

// CellBounds is a box that holds a grid cell, a little larger than the cell so that
// rounding leaves out nothing that touches it.
func (n *Network) CellBounds(c Cell) Bounds {
	const slack = 1 // 1e-7 degrees, a centimetre
	g := &n.grid
	return Bounds{
		MinLon: (g.lon + float64(c.X)/g.kx - slack) * 1e-7, MinLat: (g.lat + float64(c.Y)/g.ky - slack) * 1e-7,
		MaxLon: (g.lon + float64(c.X+1)/g.kx + slack) * 1e-7, MaxLat: (g.lat + float64(c.Y+1)/g.ky + slack) * 1e-7,
	}
}

// Cells appends the grid cells that a segment passes, in driving order. A cell
// is there again where the segment comes back to it.
func (n *Network) Cells(id SegmentID, buf []Cell) []Cell {
	line, reversed := n.LineOf(id)
	coords := n.LineCoords(line)
	first := len(buf)
	for i := range len(coords) - 1 {
		a, b := coords[i], coords[i+1]
		if reversed {
			a, b = coords[len(coords)-1-i], coords[len(coords)-2-i]
		}
		buf = n.grid.walk(a.place(), b.place(), buf, first)
	}
	return buf
}

// walk appends the cells from a to b, after Amanatides and Woo. A cell that
// repeats the last one after index first is left out.
func (g *grid) walk(a, b place, buf []Cell, first int) []Cell {
	ax, ay := g.xy(a)
	bx, by := g.xy(b)
	at := Cell{int32(math.Floor(ax)), int32(math.Floor(ay))}
	end := Cell{int32(math.Floor(bx)), int32(math.Floor(by))}
	stepX, nextX, everyX := axis(ax, bx)
	stepY, nextY, everyY := axis(ay, by)
	if len(buf) == first || buf[len(buf)-1] != at {
		buf = append(buf, at)
	}
	for at != end {
		// Rounding must not carry an axis past the end.
		if at.Y == end.Y || (at.X != end.X && nextX < nextY) {
			at.X += stepX
			nextX += everyX
		} else {
			at.Y += stepY
			nextY += everyY
		}
		buf = append(buf, at)
	}
	return buf
}

// axis is how a line from a to b crosses the cells of one axis: the direction,
// the ratio along the line where it leaves the first cell, and the ratio from
// one crossing to the next.
func axis(a, b float64) (step int32, next, every float64) {
	switch {
	case b > a:
		return 1, (math.Floor(a) + 1 - a) / (b - a), 1 / (b - a)
	case b < a:
		return -1, (a - math.Floor(a)) / (a - b), 1 / (a - b)
	}
	return 0, math.Inf(1), math.Inf(1)
}
