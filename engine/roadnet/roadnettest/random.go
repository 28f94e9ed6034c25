package roadnettest

import (
	"context"
	"math"
	"math/rand/v2"

	"retrace/engine/roadnet"
)

// Random is a network from a seed, about size junctions on a side: streets on
// a crooked grid with gaps, one-way roads, bridges, barriers, loops and turn
// restrictions of all kinds.
func Random(seed uint64, size int) *roadnet.Network {
	ways, restrictions := RandomWays(seed, size)
	return build(ways, restrictions)
}

// RandomWays is what [Random] is built of.
func RandomWays(seed uint64, size int) ([]roadnet.Way, []roadnet.Restriction) {
	c := &crooked{rng: rand.New(rand.NewPCG(seed, 0)), size: size, spacing: 120, origin: origin}
	for i := range size {
		c.street(i, true)
		c.street(i, false)
	}
	c.loops()
	for range size {
		c.restrict()
	}
	return c.ways, c.restrictions
}

// GridCity is a large regular network of n by n junctions 100 m apart, bent a
// little, without gaps: 4n(n-1) segments, all of which are connected. Every
// tenth street is a primary road.
func GridCity(n int) *roadnet.Network {
	c := &crooked{rng: rand.New(rand.NewPCG(1, 1)), size: n, spacing: 100, origin: origin, regular: true}
	for i := range n {
		c.street(i, true)
		c.street(i, false)
	}
	return build(c.ways, nil)
}

// build builds ways that are sound by construction.
func build(ways []roadnet.Way, restrictions []roadnet.Restriction) *roadnet.Network {
	b := roadnet.NewBuilder()
	for _, w := range ways {
		if err := b.AddWay(w); err != nil {
			panic(err)
		}
	}
	for _, r := range restrictions {
		b.AddRestriction(r)
	}
	net, _, err := b.Build(context.Background(), roadnet.Info{Name: "random", TimeZone: "Europe/Lisbon"})
	if err != nil {
		panic(err)
	}
	return net
}

// crooked makes the ways of a crooked grid.
type crooked struct {
	rng          *rand.Rand
	size         int
	spacing      float64 // metres
	origin       roadnet.Point
	regular      bool
	ways         []roadnet.Way
	restrictions []roadnet.Restriction
}

// coord is where a junction lies; the same for every way through it.
func (c *crooked) coord(x, y float64) roadnet.Coord {
	east := c.spacing * (x + 0.2*math.Sin(3.1*y+0.7*x))
	north := c.spacing * (y + 0.2*math.Sin(2.3*x+1.1*y))
	return roadnet.CoordOf(roadnet.Point{
		Lon: c.origin.Lon + east/roadnet.Degree/math.Cos(c.origin.Lat*math.Pi/180),
		Lat: c.origin.Lat + north/roadnet.Degree,
	})
}

// node is the OSM id of a junction, or of a bend behind it.
func (c *crooked) node(x, y, bend int) int64 { return int64((y*c.size+x)*10 + bend + 1) }

// street lays the ways of one row or column.
func (c *crooked) street(i int, alongX bool) {
	way := c.newWay(i)
	for j := range c.size {
		x, y := j, i
		if !alongX {
			x, y = i, j
		}
		c.vertex(&way, float64(x), float64(y), c.node(x, y, 0))
		if j == c.size-1 || c.breaks() {
			c.finish(way)
			way = c.newWay(i)
			if c.rng.IntN(8) > 0 || c.regular {
				c.vertex(&way, float64(x), float64(y), c.node(x, y, 0))
			}
		}
		c.bends(&way, x, y, alongX)
	}
}

// breaks reports whether a way ends at a junction.
func (c *crooked) breaks() bool { return c.rng.IntN(5) == 0 }

// bends adds up to three vertices between two junctions.
func (c *crooked) bends(way *roadnet.Way, x, y int, alongX bool) {
	if len(way.Nodes) == 0 {
		return
	}
	count := c.rng.IntN(4)
	for k := range count {
		step := float64(k+1) / float64(count+1)
		if alongX {
			c.vertex(way, float64(x)+step, float64(y), c.node(x, y, 1+k))
		} else {
			c.vertex(way, float64(x), float64(y)+step, c.node(x, y, 5+k))
		}
	}
}

func (c *crooked) newWay(i int) roadnet.Way {
	w := roadnet.Way{ID: int64(len(c.ways) + 1), Road: roadnet.Road{Class: roadnet.Residential}}
	if i%10 == 0 {
		w.Road.Class, w.Road.Name, w.Road.Lanes = roadnet.Primary, "Avenue", 2
	}
	if c.regular {
		return w
	}
	w.Dir = roadnet.Direction([]int{0, 0, 0, 1, 2}[c.rng.IntN(5)])
	w.Road.Class = roadnet.Class(c.rng.IntN(roadnet.NumClasses))
	w.Road.LimitForward = []uint8{0, 0, 5, 30, 50, 255}[c.rng.IntN(6)]
	if c.rng.IntN(8) == 0 {
		w.Road.Flags |= roadnet.FlagBridge
		w.Road.Layer = int8(c.rng.IntN(3))
	}
	return w
}

// vertex appends a vertex to a way.
func (c *crooked) vertex(way *roadnet.Way, x, y float64, node int64) {
	var flags roadnet.VertexFlags
	if !c.regular && c.rng.IntN(10) == 0 {
		flags = 1 << c.rng.IntN(11)
	}
	way.Nodes = append(way.Nodes, node)
	way.Coords = append(way.Coords, c.coord(x, y))
	way.Flags = append(way.Flags, flags)
}

// finish keeps a way, if it is one.
func (c *crooked) finish(way roadnet.Way) {
	if len(way.Nodes) > 1 {
		way.ID = int64(len(c.ways) + 1)
		c.ways = append(c.ways, way)
	}
}

// loops lays closed ways: from a junction, and on their own.
func (c *crooked) loops() {
	for i := range c.size / 3 {
		x, y := c.rng.IntN(c.size), c.rng.IntN(c.size)
		way := c.newWay(1)
		first := int64(1_000_000_000 + 10*i)
		if c.rng.IntN(2) == 0 {
			first = c.node(x, y, 0)
		}
		corner := func(dx, dy float64, node int64) { c.vertex(&way, float64(x)+dx, float64(y)+dy, node) }
		corner(0, 0, first)
		corner(0.3, 0.1, int64(1_000_000_001+10*i))
		corner(0.2, 0.3, int64(1_000_000_002+10*i))
		corner(0, 0, first)
		c.finish(way)
	}
}

// restrict adds a restriction between two ways that meet, or with a third
// between them.
func (c *crooked) restrict() {
	from := c.ways[c.rng.IntN(len(c.ways))]
	r := roadnet.Restriction{
		ID:   int64(len(c.restrictions) + 1),
		Only: c.rng.IntN(3) == 0,
		From: []int64{from.ID},
	}
	via, ok := c.meeting(from)
	if !ok {
		return
	}
	r.ViaNode, r.To = via.node, []int64{via.way.ID}
	if c.rng.IntN(2) == 0 {
		to, ok := c.meeting(via.way)
		if !ok {
			return
		}
		r.ViaWays, r.To = []int64{via.way.ID}, []int64{to.way.ID}
	}
	c.restrictions = append(c.restrictions, r)
}

// meeting is a way and the node where it meets another.
type meeting struct {
	node int64
	way  roadnet.Way
}

// meeting is a way that meets another at one of its ends.
func (c *crooked) meeting(from roadnet.Way) (meeting, bool) {
	ends := []int64{from.Nodes[0], from.Nodes[len(from.Nodes)-1]}
	node := ends[c.rng.IntN(2)]
	var met []meeting
	for _, w := range c.ways {
		if w.Nodes[0] == node || w.Nodes[len(w.Nodes)-1] == node {
			met = append(met, meeting{node, w})
		}
	}
	if len(met) == 0 {
		return meeting{}, false
	}
	return met[c.rng.IntN(len(met))], true
}
