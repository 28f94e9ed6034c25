package city

// structure says what carries a road.
type structure uint8

const (
	onGround structure = iota
	onBridge
	inTunnel
)

// road is one stretch of a road before junctions part it.
type road struct {
	line      line
	class     string // value of highway
	name, ref string
	oneway    bool // along the line
	against   bool // one-way against the line
	ring      bool // roundabout
	level     int  // roads cross at junctions only on the same level
	carried   structure
	layer     int
	lanes     int // 0: not tagged
	limit     int // km/h, 0: not tagged
	service   string
	main      bool // planned, never thinned out
	cutAtWet  bool // ends at the water instead of bridging it
}

// draft is the network of roads before they are parted at junctions.
type draft struct {
	plan   *plan
	roads  []road
	joints map[vec]bool // vertices that must become junctions, on whatever level

	rampEnds []vec // joints on the outer loop, two for each motorway
}

// add lays a road as it is.
func (d *draft) add(r road) {
	if len(r.line) > 1 && r.line.length() > 1 {
		d.roads = append(d.roads, r)
	}
}

// lay lays a road on the ground: over water and the railway it runs on bridges.
func (d *draft) lay(r road) {
	p := d.plan
	r.main = true
	over := func(q vec) bool {
		if p.wet(q, 10) {
			return true
		}
		far, _ := p.rail.nearest(q)
		return far < 24
	}
	for _, piece := range split(r.line, over) {
		part := r
		part.line = piece.line
		if piece.in {
			if middle, _ := piece.line.at(piece.line.length() / 2); r.cutAtWet && p.wet(middle, 10) {
				continue
			}
			part.carried, part.layer = onBridge, max(1, r.layer)
		}
		d.add(part)
	}
}

// piece is a part of a line inside or outside of something.
type piece struct {
	line line
	in   bool
}

// split parts a line where the test changes its answer. A stretch shorter than
// 25 m that answers no between two that answer yes counts as yes.
func split(l line, test func(vec) bool) []piece {
	in := make([]bool, len(l))
	for i, q := range l {
		in[i] = test(q)
	}
	closeGaps(l, in)
	var out []piece
	start := 0
	for i := 1; i < len(l); i++ {
		// A segment counts as inside when both of its ends do.
		now := in[i-1] && in[i]
		next := i+1 < len(l) && in[i] && in[i+1]
		if i == len(l)-1 || now != next {
			out = append(out, piece{l[start : i+1 : i+1], now})
			start = i
		}
	}
	return out
}

func closeGaps(l line, in []bool) {
	for i := 1; i < len(in); i++ {
		if !in[i-1] || in[i] {
			continue
		}
		gap := l[i].dist(l[i-1])
		for j := i; j < len(in) && gap < 25; j++ {
			if in[j] {
				for k := i; k < j; k++ {
					in[k] = true
				}
				break
			}
			if j+1 < len(in) {
				gap += l[j+1].dist(l[j])
			}
		}
	}
}

// insert puts a vertex d metres along a line, marks it as a joint and returns
// the line with it.
func (d *draft) insert(l line, along float64) (line, vec) {
	var start float64
	for i := 1; i < len(l); i++ {
		n := l[i].dist(l[i-1])
		if along > start+n && i < len(l)-1 {
			start += n
			continue
		}
		q := l[i-1].add(l[i].sub(l[i-1]).unit().mul(along - start))
		for _, old := range []vec{l[i-1], l[i]} {
			if old.dist(q) < 2 { // no sliver between two vertices
				d.joints[old] = true
				return l, old
			}
		}
		out := append(l[:i:i], q)
		d.joints[q] = true
		return append(out, l[i:]...), q
	}
	return l, l[0]
}
