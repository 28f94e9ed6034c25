package roadnet

import "slices"

// resolution says what became of a restriction.
type resolution int

// In order of success.
const (
	unresolved resolution = iota
	ambiguous
	resolved
)

// pathFinder finds the segments that restrictions mean by their ways.
type pathFinder struct {
	net  *Network
	ways map[int64][]SegmentID // of the ways in restrictions
	outs adjacency             // node: the segments that leave it
}

func newPathFinder(n *Network, restrictions []Restriction) pathFinder {
	f := pathFinder{net: n, ways: make(map[int64][]SegmentID), outs: n.segmentsFromNodes()}
	for _, r := range restrictions {
		for _, list := range [][]int64{r.From, r.To, r.ViaWays} {
			for _, way := range list {
				f.ways[way] = nil
			}
		}
	}
	for s, ref := range n.segLine {
		way := n.lineWay[ref>>1]
		if list, ok := f.ways[way]; ok {
			f.ways[way] = append(list, SegmentID(s))
		}
	}
	return f
}

// after are the segments that leave the node where one ends, its reverse too.
func (f *pathFinder) after(s SegmentID) []SegmentID { return f.outs.of(uint32(f.net.end(s))) }

// find finds the paths that a restriction means from one way to another.
func (f *pathFinder) find(r Restriction, from, to int64) ([][]SegmentID, resolution) {
	var paths [][]SegmentID
	switch {
	case len(r.ViaWays) > 0:
		paths = f.overWays(r.ViaWays, from, to)
	case from == to:
		// A U-turn, on whichever side of the junction the way lies.
		if turns := f.uTurns(r.ViaNode, from); len(turns) > 0 {
			return turns, resolved
		}
		fallthrough
	default:
		paths = f.overNode(r.ViaNode, from, to)
	}
	switch len(paths) {
	case 0:
		return nil, unresolved
	case 1:
		return paths, resolved
	}
	return nil, ambiguous
}

// uTurns are the U-turns of a way at a node.
func (f *pathFinder) uTurns(via, way int64) [][]SegmentID {
	var paths [][]SegmentID
	for _, s := range f.ways[way] {
		if back, ok := f.net.Reverse(s); ok && f.net.NodeOSM(f.net.end(s)) == via {
			paths = append(paths, []SegmentID{s, back})
		}
	}
	return paths
}

// overNode are the turns from one way to another at a node.
func (f *pathFinder) overNode(via, from, to int64) [][]SegmentID {
	var paths [][]SegmentID
	for _, s := range f.ways[from] {
		if f.net.NodeOSM(f.net.end(s)) != via {
			continue
		}
		for _, out := range f.after(s) {
			if f.wayOf(out) == to && f.net.segLine[s]^f.net.segLine[out] != 1 {
				paths = append(paths, []SegmentID{s, out})
			}
		}
	}
	return paths
}

func (f *pathFinder) wayOf(s SegmentID) int64 { return f.net.lineWay[f.net.segLine[s]>>1] }

// overWays are the shortest paths, in segments, from one way over others to
// another.
func (f *pathFinder) overWays(via []int64, from, to int64) [][]SegmentID {
	w := &walker{pathFinder: f, via: via, to: to, steps: maxPathSteps}
	for _, s := range f.ways[from] {
		w.walk([]SegmentID{s}, 0)
	}
	return w.found
}

// walker follows the via ways of a restriction.
type walker struct {
	*pathFinder
	via   []int64
	to    int64
	steps int
	found [][]SegmentID
}

// walk goes on from a path that has entered the first so many via ways.
func (w *walker) walk(path []SegmentID, entered int) {
	last := path[len(path)-1]
	if w.steps--; w.steps < 0 || len(path) == maxPathSegments {
		return
	}
	for _, out := range w.after(last) {
		if w.net.segLine[last]^w.net.segLine[out] == 1 || slices.Contains(path, out) {
			continue
		}
		way, longer := w.wayOf(out), append(path[:len(path):len(path)], out)
		if entered > 0 && way == w.via[entered-1] {
			w.walk(longer, entered)
		}
		if entered < len(w.via) && way == w.via[entered] {
			w.walk(longer, entered+1)
		}
		if entered == len(w.via) && way == w.to {
			w.keep(longer)
		}
	}
}

// keep takes in a whole path, unless a shorter one is known.
func (w *walker) keep(path []SegmentID) {
	if len(w.found) > 0 && len(path) < len(w.found[0]) {
		w.found = nil
	}
	same := func(p []SegmentID) bool { return slices.Equal(p, path) }
	if (len(w.found) == 0 || len(path) == len(w.found[0])) && !slices.ContainsFunc(w.found, same) {
		w.found = append(w.found, path)
	}
}
