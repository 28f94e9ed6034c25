package roadnet

import "math"

// Table holds the routes from several positions to the same targets. Its zero
// value is empty; emptied and filled anew, it uses its memory again.
type Table struct {
	targets int
	found   bool
	legs    []Leg
	starts  []int // of the legs' paths in path, and the end of the last
	path    []SegmentID
}

// ManyToMany fills the table with the cheapest routes from each position to
// each of the others.
func (t *Table) ManyToMany(r *Router, from, to []Position, s Search) {
	t.Reset()
	for _, p := range from {
		t.Add(r, p, to, s)
	}
}

// Reset empties the table.
func (t *Table) Reset() {
	t.found = false
	t.legs, t.starts, t.path = t.legs[:0], append(t.starts[:0], 0), t.path[:0]
}

// Add adds a row: the cheapest routes from one more position to the targets,
// which must be the same for all rows.
func (t *Table) Add(r *Router, from Position, to []Position, s Search) {
	t.targets = len(to)
	legs := r.Routes(from, to, s)
	t.legs = append(t.legs, legs...)
	for j, leg := range legs {
		t.found = t.found || leg.Found
		t.path = r.Path(j, t.path)
		t.starts = append(t.starts, len(t.path))
	}
}

// Found reports whether there is any route.
func (t *Table) Found() bool { return t.found }

// Least is the lowest cost of any route in metres; infinite where there is none.
func (t *Table) Least() float64 {
	least := math.Inf(1)
	for _, leg := range t.legs {
		least = min(least, leg.Cost)
	}
	return least
}

// Leg is the route of row i to target j.
func (t *Table) Leg(i, j int) Leg { return t.legs[i*t.targets+j] }

// Path is the segments of that route, none where it was not found: a view,
// valid until the table is filled anew.
func (t *Table) Path(i, j int) []SegmentID {
	at := i*t.targets + j
	return t.path[t.starts[at]:t.starts[at+1]:t.starts[at+1]]
}
