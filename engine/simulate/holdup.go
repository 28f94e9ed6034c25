package simulate

import (
	"math"
	"math/rand/v2"
	"time"

	"retrace/engine/roadnet"
)

// holdUps puts in what slows or stops the vehicle on its way: bends and turns,
// signals and signs, crossings, junctions with better roads, passengers.
func (d *drive) holdUps(rng *rand.Rand, r route, start time.Time) {
	busy := 1 - d.hourSpeed(start) // 0 on empty roads
	d.lastSignal = -sameJunction
	for k, id := range r.path {
		d.verts = d.w.net.Vertices(id, d.verts[:0])
		for i := 1; i < len(d.verts)-1; i++ {
			d.bend(i, d.starts[k])
			d.control(rng, d.verts[i].Flags, d.starts[k]+d.verts[i].Along, busy)
		}
		if k+1 < len(r.path) {
			end := d.verts[len(d.verts)-1]
			d.junction(rng, id, r.path[k+1], end.Flags, d.starts[k]+end.Along, busy)
		}
	}
	d.incidents(rng, r, busy)
}

// index is the stride so many metres along, false outside of the drive.
func (d *drive) index(along float64) (int, bool) {
	i := int(math.Round(along / d.stride))
	return i, along > 0 && i > 0 && i < len(d.limit)-1
}

// slow limits the speed at a place.
func (d *drive) slow(along, speed float64) {
	if i, ok := d.index(along); ok {
		d.limit[i] = math.Min(d.limit[i], speed)
	}
}

// stop makes the vehicle stand at a place.
func (d *drive) stop(along, seconds float64) {
	if i, ok := d.index(along); ok {
		d.limit[i] = 0
		d.wait[i] += seconds
	}
}

// bend slows down where a road bends sharply.
func (d *drive) bend(i int, start float64) {
	a, b, c := d.verts[i-1], d.verts[i], d.verts[i+1]
	k := math.Cos(float64(b.Coord.Lat) * 1e-7 * math.Pi / 180)
	ux, uy := float64(b.Coord.Lon-a.Coord.Lon)*k, float64(b.Coord.Lat-a.Coord.Lat)
	vx, vy := float64(c.Coord.Lon-b.Coord.Lon)*k, float64(c.Coord.Lat-b.Coord.Lat)
	angle := math.Abs(math.Atan2(ux*vy-uy*vx, ux*vx+uy*vy)) * 180 / math.Pi
	if angle > 25 {
		d.slow(start+b.Along, d.turnSpeed(angle))
	}
}

// turnSpeed is the speed at which a turn is driven, m/s.
func (d *drive) turnSpeed(angle float64) float64 {
	return d.w.profile.TurnSpeed * math.Pow(90/math.Max(10, angle), 1.1)
}

// control is what a driver meets at a vertex.
func (d *drive) control(rng *rand.Rand, f roadnet.VertexFlags, along, busy float64) {
	p := d.w.profile
	switch {
	case f&roadnet.VertexSignal != 0:
		d.signal(rng, along, busy)
	case f&roadnet.VertexStop != 0:
		d.stop(along, 1.5+rng.ExpFloat64()*p.GiveWayWait*(0.6+busy))
	case f&roadnet.VertexGiveWay != 0:
		d.giveWay(rng, along, busy)
	case f&(roadnet.VertexCrossing|roadnet.VertexBusStop) != 0:
		if rng.Float64() < d.often*p.Crossing {
			d.stop(along-4, 2+rng.ExpFloat64()*5)
		}
	case f&roadnet.VertexTollBooth != 0:
		d.stop(along, 4+rng.ExpFloat64()*6)
	case f&roadnet.VertexCalming != 0:
		d.slow(along, 7)
	case f&roadnet.VertexMiniRoundabout != 0:
		d.slow(along, 6)
	}
}

// sameJunction is how close signals of one junction stand, metres.
const sameJunction = 50

// signal stops the vehicle when it is red, behind those who wait already; at
// busy hours the queue can need a second round. Who has passed the first signal
// of a junction passes the others.
func (d *drive) signal(rng *rand.Rand, along, busy float64) {
	p := d.w.profile
	if along < d.lastSignal+sameJunction {
		return
	}
	d.lastSignal = along
	if rng.Float64() >= d.often*(p.Red+(1-p.Red)*busy) {
		return
	}
	longest := p.RedLongest * (0.6 + 1.3*busy)
	queue := rng.ExpFloat64() * p.Queue * (0.5 + 2*busy)
	d.stop(along-2-math.Min(queue, 150), rng.Float64()*longest)
	if queue > 60 && rng.Float64() < busy {
		d.stop(along-2-math.Mod(queue, 50), (0.5+0.5*rng.Float64())*longest)
	}
}

func (d *drive) giveWay(rng *rand.Rand, along, busy float64) {
	p := d.w.profile
	if rng.Float64() < d.often*(p.GiveWay+(1-p.GiveWay)*busy) {
		d.stop(along-2, 0.5+rng.ExpFloat64()*p.GiveWayWait*(0.6+busy))
	} else {
		d.slow(along-2, 4)
	}
}

// junction is the end of a segment where the drive goes on to the next.
func (d *drive) junction(rng *rand.Rand, id, next roadnet.SegmentID, f roadnet.VertexFlags, along, busy float64) {
	net, p := d.w.net, d.w.profile
	angle := math.Abs(net.TurnAngle(id, next))
	if angle == 180 { // turning back takes several moves
		d.stop(along, 4+rng.ExpFloat64()*6)
		return
	}
	if angle > 20 && len(net.Next(id)) > 1 {
		d.slow(along, d.turnSpeed(angle))
	}
	if f&^roadnet.VertexCrossing != 0 {
		d.control(rng, f, along, busy)
		return
	}
	if len(net.Next(id)) < 2 || net.Flags(next).Has(roadnet.FlagLink) || net.Flags(id).Has(roadnet.FlagLink) {
		return
	}
	best := d.bestCross(id, next)
	switch own := net.Class(id); {
	case best == roadnet.ClassUnknown || own == roadnet.ClassUnknown:
		if angle > 50 && rng.Float64() < p.GiveWay*0.5 {
			d.stop(along-2, rng.ExpFloat64()*p.GiveWayWait)
		}
	case best <= roadnet.Tertiary && own <= roadnet.Tertiary:
		if float64(hash(0x5169, uint64(net.Segment(id).To))%1000) < 1000*p.HiddenSignal {
			d.signal(rng, along, busy)
		}
	case best < own:
		d.giveWay(rng, along, busy)
	}
}

// bestCross is the best class among the roads at the end of a segment, other
// than the one driven and those that go straight on.
func (d *drive) bestCross(id, next roadnet.SegmentID) roadnet.Class {
	best := roadnet.ClassUnknown
	for _, n := range d.w.net.Next(id) {
		c := d.w.net.Class(n)
		if n != next && math.Abs(d.w.net.TurnAngle(id, n)) < 30 {
			continue
		}
		if c != roadnet.ClassUnknown && (best == roadnet.ClassUnknown || c < best) {
			best = c
		}
	}
	return best
}

// incidents are stops that no map tells of: passengers, deliveries, others
// parking. There are none on motorways and on decks.
func (d *drive) incidents(rng *rand.Rand, r route, busy float64) {
	mean := 1000 / (d.w.profile.Incidents * d.often * (0.4 + 2*busy))
	for along := mean * rng.ExpFloat64(); along < d.length; along += mean * rng.ExpFloat64() {
		_, at := d.position(r, along)
		class, flags := d.w.net.Class(at.Segment), d.w.net.Flags(at.Segment)
		wait := rng.ExpFloat64() * d.w.profile.IncidentWait
		if class != roadnet.Motorway && class != roadnet.Trunk && flags&(roadnet.FlagElevated|roadnet.FlagTunnel|roadnet.FlagLink) == 0 {
			d.stop(along, wait)
		}
	}
}
