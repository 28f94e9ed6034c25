package roadnet

// Table holds the routes between two sets of positions. It can be filled anew
// and then uses its memory again.
type Table struct {
	columns int
	legs    []Leg
	starts  []int // of the legs' paths in path, and the end of the last
	path    []SegmentID
}

// ManyToMany fills t with the cheapest routes from each position to each of
// the others.
func (r *Router) ManyToMany(from, to []Position, s Search, t *Table) {
	t.columns = len(to)
	t.legs, t.starts, t.path = t.legs[:0], append(t.starts[:0], 0), t.path[:0]
	for _, p := range from {
		t.legs = append(t.legs, r.Routes(p, to, s)...)
		for j := range to {
			t.path = r.Path(j, t.path)
			t.starts = append(t.starts, len(t.path))
		}
	}
}

// Leg is the route from position i of the first set to position j of the second.
func (t *Table) Leg(i, j int) Leg { return t.legs[i*t.columns+j] }

// Path is the segments of that route, empty where none was found: a view,
// valid until the table is filled anew.
func (t *Table) Path(i, j int) []SegmentID {
	at := i*t.columns + j
	return t.path[t.starts[at]:t.starts[at+1]:t.starts[at+1]]
}
