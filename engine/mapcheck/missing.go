package mapcheck

import (
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

const (
	// cellSide is the side of the cells in which trips are counted, degrees of latitude:
	// about 30 m. A trip counts in the cells beside its line too, so that receivers may
	// err by as much.
	cellSide = 30.0 / 111195
	// A gap without a sample says where a road is missing if it is no longer than this,
	// in metres: the straight line is no road.
	longestLink = 1500.0
	// Farther than this from every road, in metres, a sample is on none; so many in a row,
	// which get so far, are a drive: one may be wrong, and those that stay are a car park.
	farFromRoads = 50.0
	fewestOff    = 2
	leastExtent  = 200.0
	// mostRuns and mostPoints bound what is kept of lines.
	mostRuns   = 10_000
	mostPoints = 500
)

// offNetwork are the stretches of a trip beyond the roads of the network but within its
// bounds, each from the last sample before it to the first behind, and those gaps that no
// way on the network explains.
func offNetwork(net *roadnet.Network, samples []trajectory.Sample, rec *trajectory.Recovery) [][]roadnet.Point {
	var all [][]roadnet.Point
	bounds, first := net.Info().Bounds, -1
	var hits []roadnet.Hit
	for i := 0; i <= len(samples); i++ {
		off := false
		if i < len(samples) {
			p := pointOf(samples[i])
			hits = net.Near(p, farFromRoads, hits[:0])
			off = len(hits) == 0 && bounds.Contains(p)
		}
		switch {
		case off && first < 0:
			first = i
		case !off && first >= 0:
			if i-first >= fewestOff {
				all = append(all, lineOf(samples[max(0, first-1):min(len(samples), i+1)]))
			}
			first = -1
		}
	}
	for _, g := range rec.Gaps {
		unexplained := g.Why == trajectory.NoWay || g.Why == trajectory.TooFast
		if unexplained && g.FromSample < g.ToSample && int(g.ToSample) < len(samples) {
			all = append(all, lineOf(samples[g.FromSample:g.ToSample+1]))
		}
	}
	return slices.DeleteFunc(all, func(run []roadnet.Point) bool { return extent(run) < leastExtent })
}

func lineOf(samples []trajectory.Sample) []roadnet.Point {
	run := make([]roadnet.Point, len(samples))
	for i, s := range samples {
		run[i] = pointOf(s)
	}
	return run
}

// extent is how far a line gets from its beginning, in metres.
func extent(run []roadnet.Point) float64 {
	far := 0.0
	for _, p := range run {
		far = max(far, roadnet.Distance(run[0], p))
	}
	return far
}

// cell is a place on the map, by steps of cellSide.
type cell struct{ x, y int32 }

// missing counts the trips that leave the network, by cell.
type missing struct {
	trips int
	cells map[cell]*said
	runs  [][]roadnet.Point
}

func newMissing() missing { return missing{cells: map[cell]*said{}} }

func (m *missing) add(id string, runs [][]roadnet.Point) {
	m.trips++
	for _, run := range runs {
		if len(run) > mostPoints {
			run = run[:mostPoints]
		}
		seen := false
		for i := 1; i < len(run); i++ {
			if roadnet.Distance(run[i-1], run[i]) > longestLink {
				continue
			}
			seen = true
			across(run[i-1], run[i], func(c cell) { m.count(id, c) })
		}
		if seen && len(m.runs) < mostRuns {
			m.runs = append(m.runs, run)
		}
	}
}

// count counts the trip in a cell and those beside it.
func (m *missing) count(id string, at cell) {
	for _, c := range around(at) {
		s := m.cells[c]
		if s == nil {
			s = &said{}
			m.cells[c] = s
		}
		s.add(m.trips, id)
	}
}

// around is a cell and the eight beside it.
func around(c cell) [9]cell {
	var all [9]cell
	for i := range all {
		all[i] = cell{c.x + int32(i%3) - 1, c.y + int32(i/3) - 1}
	}
	return all
}

// across visits the cells that a straight line passes. Degrees of longitude are as long
// as at the line's beginning.
func across(a, b roadnet.Point, visit func(cell)) {
	steps := max(1, int(math.Ceil(roadnet.Distance(a, b)/10)))
	last := cell{math.MaxInt32, 0}
	for i := range steps + 1 {
		share := float64(i) / float64(steps)
		if c := cellAt(roadnet.Point{Lon: a.Lon + (b.Lon-a.Lon)*share, Lat: a.Lat + (b.Lat-a.Lat)*share}); c != last {
			visit(c)
			last = c
		}
	}
}

// cellAt is the cell of a point. The width of cells follows whole degrees of latitude.
func cellAt(p roadnet.Point) cell {
	wide := cellSide / max(0.01, math.Cos(math.Floor(p.Lat)*math.Pi/180))
	return cell{int32(math.Floor(p.Lon / wide)), int32(math.Floor(p.Lat / cellSide))}
}

// findings are the places of connected cells where enough trips left the network, each
// with the longest line through it.
func (m *missing) findings(least int) []Finding {
	place, places := m.places(least)
	found := make([]Finding, places)
	for _, run := range m.runs {
		for n, line := range stretches(run, place) {
			if length := lengthOf(line); length > found[n].Length {
				found[n].Line, found[n].Length = line, length
			}
		}
	}
	for c, n := range place {
		s, f := m.cells[c], &found[n]
		if s.trips > f.Trips || s.trips == f.Trips && slices.Compare(s.some, f.Some) < 0 {
			f.Trips, f.Some = s.trips, s.some
		}
	}
	kept := found[:0]
	for _, f := range found {
		if f.Line != nil {
			f.Kind = MissingRoad
			kept = append(kept, f)
		}
	}
	return kept
}

// places numbers the cells where enough trips were, connected ones alike.
func (m *missing) places(least int) (map[cell]int, int) {
	place, places := map[cell]int{}, 0
	for c, s := range m.cells {
		if _, known := place[c]; known || s.trips < least {
			continue
		}
		queue := []cell{c}
		place[c] = places
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			for _, next := range around(at) {
				if _, known := place[next]; !known && m.cells[next] != nil && m.cells[next].trips >= least {
					place[next] = places
					queue = append(queue, next)
				}
			}
		}
		places++
	}
	return place, places
}

// stretches are the pieces of a line in each place.
func stretches(run []roadnet.Point, place map[cell]int) map[int][]roadnet.Point {
	all := map[int][]roadnet.Point{}
	for i := 1; i < len(run); i++ {
		across(run[i-1], run[i], func(c cell) {
			n, ok := place[c]
			if !ok {
				return
			}
			line := all[n]
			if len(line) == 0 || line[len(line)-1] != run[i-1] {
				if len(line) > 0 && line[len(line)-1] == run[i] {
					return
				}
				line = append(line, run[i-1])
			}
			if line[len(line)-1] != run[i] {
				line = append(line, run[i])
			}
			all[n] = line
		})
	}
	return all
}
