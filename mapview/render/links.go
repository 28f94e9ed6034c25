package render

import (
	"image/color"
	"math"
	"sort"

	"retrace/engine/roadnet"
)

// Link is how one segment was driven.
type Link struct {
	Segment roadnet.SegmentID
	Trips   int
	Speed   float64 // mean, m/s; 0 where it is not known
}

// LinkBy says what the colour of links means; their width is the count in both.
type LinkBy uint8

// What links can be coloured by.
const (
	LinkCounts LinkBy = iota
	LinkSpeeds
)

// numCounts is how many classes of counts there are at the most.
const numCounts = 5

// LinkMap is links made ready to be drawn at any zoom. It is immutable: several
// painters may share one.
type LinkMap struct {
	geometry
	links  []Link
	twoWay []bool // the reverse can be driven too: each direction keeps to its side
	blocks []block
	limits []int        // least trips of each class of counts, rising from 1
	speeds [2][]float64 // ends of the classes of speeds in m/s, for km/h and miles an hour
}

// NewLinkMap prepares links; those that the network does not have are left out.
func NewLinkMap(net *roadnet.Network, links []Link) *LinkMap {
	m := &LinkMap{}
	if net == nil {
		return m
	}
	m.links = inOrder(net, links)
	most := 0
	var buf []roadnet.Point
	for i, l := range m.links {
		buf = net.Geometry(l.Segment, buf[:0])
		coords := make([]roadnet.Coord, len(buf))
		for k, p := range buf {
			coords[k] = roadnet.CoordOf(p)
		}
		m.blocks = extend(m.blocks, uint32(i), m.add(coords, false), 0)
		line, _ := net.LineOf(l.Segment)
		_, _, forward, backward := net.LineSegments(line)
		m.twoWay = append(m.twoWay, forward && backward)
		most = max(most, l.Trips)
	}
	m.clip()
	m.limits = countLimits(most)
	m.speeds = [2][]float64{speedLimits(m.links, false), speedLimits(m.links, true)}
	return m
}

// inOrder are the links of a network along a curve that keeps neighbours
// together, so that a run of them lies in a small box.
func inOrder(net *roadnet.Network, links []Link) []Link {
	type placed struct {
		Link
		key uint64
	}
	all := make([]placed, 0, len(links))
	for _, l := range links {
		if int(l.Segment) < net.NumSegments() && l.Trips > 0 {
			at := placeOf(roadnet.CoordOf(net.At(roadnet.Position{Segment: l.Segment, Ratio: 0.5})))
			all = append(all, placed{l, interleave(at)})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].key < all[j].key || all[i].key == all[j].key && all[i].Segment < all[j].Segment
	})
	out := make([]Link, len(all))
	for i := range all {
		out[i] = all[i].Link
	}
	return out
}

// interleave puts the bits of both coordinates in turn: the Z-order.
func interleave(p place) uint64 {
	spread := func(v uint32) uint64 {
		x := uint64(v)
		for _, s := range [...]struct {
			by   uint
			mask uint64
		}{{16, 0x0000ffff0000ffff}, {8, 0x00ff00ff00ff00ff}, {4, 0x0f0f0f0f0f0f0f0f}, {2, 0x3333333333333333}, {1, 0x5555555555555555}} {
			x = (x | x<<s.by) & s.mask
		}
		return x
	}
	return spread(p.X) | spread(p.Y)<<1
}

// countLimits are the least counts of the classes up to a largest count: round
// numbers, about evenly apart in their logarithm.
func countLimits(most int) []int {
	limits := []int{1}
	for i := 1; i < numCounts; i++ {
		next := roundCount(math.Pow(float64(most), float64(i)/numCounts))
		if next <= limits[len(limits)-1] {
			next = limits[len(limits)-1] + 1
		}
		if next > most {
			break
		}
		limits = append(limits, next)
	}
	return limits
}

// roundCount is the number of the row 1, 2, 5, 10, 20, 50... that is nearest to v.
func roundCount(v float64) int {
	best := 1.0
	for base := 1.0; base <= v*2; base *= 10 {
		for _, f := range []float64{1, 2, 5} {
			if math.Abs(math.Log(f*base/v)) < math.Abs(math.Log(best/v)) {
				best = f * base
			}
		}
	}
	return int(best)
}

// countClass is the class of a count.
func (m *LinkMap) countClass(trips int) int {
	return sort.SearchInts(m.limits, trips+1) - 1
}

// speedEnds are the ends of the classes of speeds in m/s; above the last there is one
// class more.
func (m *LinkMap) speedEnds(miles bool) []float64 {
	if miles {
		return m.speeds[1]
	}
	return m.speeds[0]
}

// speedClass is the class of a speed in m/s; numSpeeds where it is not known.
func (m *LinkMap) speedClass(speed float64, miles bool) int {
	if speed <= 0 {
		return numSpeeds
	}
	return sort.SearchFloat64s(m.speedEnds(miles), speed)
}

// linkPainter draws links. It keeps its buffers, so each goroutine wants its own.
type linkPainter struct {
	buckets [][numCounts]lines // by class of colour, then by class of count
	side    lines
}

// paint draws the links that show, and reports whether there were any.
func (p *linkPainter) paint(c canvas, m *LinkMap, v groundView, by LinkBy) bool {
	if !p.collect(m, v, by) {
		return false
	}
	th := v.theme
	for edge := range 2 { // all edges below all fills, so that links run together
		for colour := range p.buckets {
			for count := range numCounts {
				l := &p.buckets[colour][count]
				if l.len() == 0 {
					continue
				}
				s := stroke{width: v.px(linkWidth(count, v.zoom)), color: m.colour(by, colour, v.miles, th)}
				if edge == 0 {
					s.width, s.color = s.width+v.px(1.4), th.LinkEdge
				}
				c.stroke(l, s)
			}
		}
	}
	return true
}

// collect sorts the links that show into buckets.
func (p *linkPainter) collect(m *LinkMap, v groundView, by LinkBy) bool {
	if p.buckets == nil {
		p.buckets = make([][numCounts]lines, numSpeeds+1)
	}
	for i := range p.buckets {
		for k := range p.buckets[i] {
			p.buckets[i][k].reset()
		}
	}
	found := false
	visit(m.blocks, v.view, func(b block) {
		for i := b.from; i < b.to; i++ {
			count := m.countClass(m.links[i].Trips)
			colour := count
			if by == LinkSpeeds {
				colour = m.speedClass(m.links[i].Speed, v.miles)
			}
			p.add(&p.buckets[colour][count], m, v, i, linkWidth(count, v.zoom))
			found = true
		}
	})
	return found
}

// add appends a link, beside the middle of the road where both directions can be
// driven and the zoom leaves room.
func (p *linkPainter) add(dst *lines, m *LinkMap, v groundView, i uint32, width float64) {
	if !m.twoWay[i] || v.zoom < linkSideZoom {
		v.append(dst, &m.geometry, i)
		return
	}
	p.side.reset()
	v.append(&p.side, &m.geometry, i)
	for k := range p.side.len() {
		dst.pts = beside(dst.pts, p.side.at(k), v.px(width/2+0.5))
		dst.end()
	}
}

// beside appends a line at some image pixels to the right of another.
func beside(dst, pts []point, off float32) []point {
	for i, p := range pts {
		before := pts[min(i+1, len(pts)-1)].minus(pts[max(i, 1)-1]).unit()
		if i > 0 && i+1 < len(pts) {
			before = p.minus(pts[i-1]).unit().plus(pts[i+1].minus(p).unit()).unit()
		}
		dst = append(dst, p.minus(before.left().times(off)))
	}
	return dst
}

// linkSideZoom is the zoom from which the directions of a road are drawn apart.
const linkSideZoom = 13.5

// linkWidth is the width of a class of counts in logical pixels.
func linkWidth(class int, zoom float64) float64 {
	return [numCounts]float64{1.6, 2.6, 4, 5.8, 8}[class] * tripSize(zoom)
}

// colour is the colour of a class: blues, which no road of the map has, the more the
// stronger against the land.
func (m *LinkMap) colour(by LinkBy, class int, miles bool, th *Theme) color.NRGBA {
	classes := len(m.limits)
	if by == LinkSpeeds {
		if class >= numSpeeds {
			return th.Muted
		}
		classes = len(m.speedEnds(miles)) + 1
	}
	t := 0.5
	if classes > 1 {
		t = float64(class) / float64(classes-1)
	}
	return onRamp(th.LinkColours[:], t)
}

// onRamp is the colour at a place of 0 to 1 in a row of colours.
func onRamp(row []color.NRGBA, t float64) color.NRGBA {
	at := math.Max(0, math.Min(t, 1)) * float64(len(row)-1)
	i := min(int(at), len(row)-2)
	return blend(row[i], row[i+1], at-float64(i))
}

// Len is how many links there are.
func (m *LinkMap) Len() int {
	if m == nil {
		return 0
	}
	return len(m.links)
}
