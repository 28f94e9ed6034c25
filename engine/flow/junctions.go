package flow

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
)

// Junctions are the places of a network where roads meet. Nodes that lie close
// together, as where a dual carriageway is crossed, are one junction.
type Junctions struct {
	net *roadnet.Network
	of  []int32 // by node: number of its junction, -1: none
	all []Junction
}

// Junction is a place where three arms or more meet.
type Junction struct {
	ID    int64         // OSM id of its first node
	Nodes []int64       // OSM ids, rising
	At    roadnet.Point // the middle of its nodes
}

// widest is how many times the distance at which nodes are joined a junction may be
// wide: else a street of many short pieces would be one.
const widest = 4

// FindJunctions finds the junctions of a network. Nodes are joined along a road of at
// most join metres, the closest first.
func FindJunctions(net *roadnet.Network, join float64) *Junctions {
	j := &Junctions{net: net, of: make([]int32, net.NumNodes())}
	ends := make([]uint8, net.NumNodes()) // of lines
	var short []roadnet.LineID
	eachLine(net, func(l roadnet.LineID, from, to roadnet.NodeID) {
		ends[from], ends[to] = min(ends[from]+1, 100), min(ends[to]+1, 100)
		if net.LineLength(l) <= join && from != to {
			short = append(short, l)
		}
	})
	slices.SortStableFunc(short, func(a, b roadnet.LineID) int { return cmp.Compare(net.LineLength(a), net.LineLength(b)) })
	g := newClusters(net, ends)
	for _, l := range short {
		from, to := lineEnds(net, l)
		if ends[from] > 2 && ends[to] > 2 {
			g.join(from, to, join*widest)
		}
	}
	j.number(g)
	return j
}

// eachLine visits the lines with their nodes.
func eachLine(net *roadnet.Network, visit func(l roadnet.LineID, from, to roadnet.NodeID)) {
	for l := range net.NumLines() {
		from, to := lineEnds(net, roadnet.LineID(l))
		visit(roadnet.LineID(l), from, to)
	}
}

func lineEnds(net *roadnet.Network, l roadnet.LineID) (from, to roadnet.NodeID) {
	forward, backward, has, _ := net.LineSegments(l)
	if has {
		return net.Ends(forward)
	}
	to, from = net.Ends(backward)
	return from, to
}

// clusters join nodes.
type clusters struct {
	parent []int32 // by node; -1: it is no junction
	box    map[int32]roadnet.Bounds
	net    *roadnet.Network
}

func newClusters(net *roadnet.Network, ends []uint8) *clusters {
	c := &clusters{parent: make([]int32, len(ends)), box: map[int32]roadnet.Bounds{}, net: net}
	for n, e := range ends {
		if c.parent[n] = int32(n); e < 3 {
			c.parent[n] = -1
		}
	}
	eachLine(net, func(l roadnet.LineID, from, to roadnet.NodeID) {
		coords := net.LineCoords(l)
		c.place(from, coords[0].Point())
		c.place(to, coords[len(coords)-1].Point())
	})
	return c
}

func (c *clusters) place(n roadnet.NodeID, p roadnet.Point) {
	if c.parent[n] >= 0 {
		c.box[int32(n)] = roadnet.Bounds{MinLon: p.Lon, MinLat: p.Lat, MaxLon: p.Lon, MaxLat: p.Lat}
	}
}

func (c *clusters) root(n int32) int32 {
	for c.parent[n] != n {
		c.parent[n] = c.parent[c.parent[n]]
		n = c.parent[n]
	}
	return n
}

// join makes one of the clusters of two nodes, unless it would be wider than most metres.
func (c *clusters) join(a, b roadnet.NodeID, most float64) {
	x, y := c.root(int32(a)), c.root(int32(b))
	if x == y {
		return
	}
	p, q := c.box[x], c.box[y]
	box := roadnet.Bounds{MinLon: min(p.MinLon, q.MinLon), MinLat: min(p.MinLat, q.MinLat), MaxLon: max(p.MaxLon, q.MaxLon), MaxLat: max(p.MaxLat, q.MaxLat)}
	if roadnet.Distance(roadnet.Point{Lon: box.MinLon, Lat: box.MinLat}, roadnet.Point{Lon: box.MaxLon, Lat: box.MaxLat}) > most {
		return
	}
	c.parent[y] = x
	c.box[x] = box
	delete(c.box, y)
}

// number gives each cluster a number, in the order of its first node.
func (j *Junctions) number(c *clusters) {
	numbers := map[int32]int32{}
	for n := range j.of {
		j.of[n] = -1
		if c.parent[n] < 0 {
			continue
		}
		root := c.root(int32(n))
		k, ok := numbers[root]
		if !ok {
			k = int32(len(j.all))
			numbers[root] = k
			j.all = append(j.all, Junction{At: c.box[root].Center()})
		}
		j.of[n] = k
		j.all[k].Nodes = append(j.all[k].Nodes, j.net.NodeOSM(roadnet.NodeID(n)))
	}
	for k := range j.all {
		slices.Sort(j.all[k].Nodes)
		j.all[k].ID = j.all[k].Nodes[0]
	}
}

// All are the junctions.
func (j *Junctions) All() []Junction { return j.all }

// Nearest is the number of the junction nearest to a place; -1: there is none.
func (j *Junctions) Nearest(p roadnet.Point) int {
	best, least := -1, 0.0
	for k, one := range j.all {
		if d := roadnet.Distance(p, one.At); best < 0 || d < least {
			best, least = k, d
		}
	}
	return best
}

// inside reports whether a segment lies within a junction, and which.
func (j *Junctions) inside(s roadnet.SegmentID) (int32, bool) {
	from, to := j.net.Ends(s)
	return j.of[from], j.of[from] >= 0 && j.of[from] == j.of[to] && from != to
}

// movement is what an entry into a segment makes a vehicle do at a junction: where it
// leaves one, and the approach that it came by is known.
func (j *Junctions) movement(e Entry) (junction int32, approach roadnet.SegmentID, ok bool) {
	start, _ := j.net.Ends(e.Segment)
	junction = j.of[start]
	if _, within := j.inside(e.Segment); junction < 0 || within {
		return 0, 0, false
	}
	for i := e.Index - 1; i >= 0; i-- {
		if k, within := j.inside(e.Way[i]); within && k == junction {
			continue
		}
		_, end := j.net.Ends(e.Way[i])
		return junction, e.Way[i], j.of[end] == junction
	}
	return 0, 0, false
}
