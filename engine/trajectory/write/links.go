package write

import (
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// Link is what the recoveries say of one segment.
type Link struct {
	Segment       roadnet.SegmentID
	Trips         int     // trajectories that drove on it
	Speeds        int     // drives over it whose speed is known; the speeds are 0 where there is none
	Mean          float64 // km/h: the length over the mean time that it took
	Slow15, Top15 float64 // km/h: the 15th and the 85th percentile
}

// A drive over a segment tells its speed if it covers at least this share of
// the segment: the two ends of a trip often do not.
const linkShare = 0.5

// LinkCounter gathers counts and speeds by segment. It remembers two bytes for
// each drive over a segment.
type LinkCounter struct {
	net   *roadnet.Network
	index map[roadnet.SegmentID]int
	links []linkSums
	trips int
}

// linkSums are the sums of one segment.
type linkSums struct {
	segment        roadnet.SegmentID
	trips          int
	lastTrip       int
	metres, millis float64
	speeds         []uint16 // 0.01 km/h
}

// NewLinkCounter counts on a network.
func NewLinkCounter(net *roadnet.Network) *LinkCounter {
	return &LinkCounter{net: net, index: map[roadnet.SegmentID]int{}}
}

// Add counts one recovery.
func (c *LinkCounter) Add(r *trajectory.Recovery) {
	c.trips++
	eachDrive(c.net, r, func(d drive) {
		l := c.link(d.segment)
		if l.lastTrip != c.trips {
			l.lastTrip = c.trips
			l.trips++
		}
		if d.counts {
			l.add(d)
		}
	})
}

// drive is one drive over a segment.
type drive struct {
	segment     roadnet.SegmentID
	part        int
	metres      float64 // driven
	enter, exit float64 // Unix milliseconds
	counts      bool    // it tells a speed
}

// eachDrive calls f with every drive over a segment, in driving order.
func eachDrive(net *roadnet.Network, r *trajectory.Recovery, f func(drive)) {
	ticks := r.Ticks
	for i, part := range r.Parts {
		n := 0
		for n < len(ticks) && int(ticks[n].Part) == i {
			n++
		}
		drivesOf(net, i, part, clock{ticks: ticks[:n]}, f)
		ticks = ticks[n:]
	}
}

// drivesOf calls f with the drives of one part.
func drivesOf(net *roadnet.Network, number int, p trajectory.Part, clock clock, f func(drive)) {
	along := 0.0
	for k, id := range p.Segments {
		from, to := roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
		driven := (to - from) * net.Length(id)
		d := drive{segment: id, part: number, metres: driven, enter: clock.at(along), exit: clock.at(along + driven)}
		millis := d.exit - d.enter
		// A speed that no vehicle has is none.
		d.counts = to-from >= linkShare && driven <= facts.MostSpeed(net, id)*millis/1000 && driven > 0 && millis > 0
		f(d)
		along += driven
	}
}

// speed is that of a drive that counts, km/h in steps of 0.01.
func (d drive) speed() uint16 {
	return uint16(min(math.Round(d.metres/(d.exit-d.enter)*3600*100), math.MaxUint16))
}

func (c *LinkCounter) link(id roadnet.SegmentID) *linkSums {
	i, ok := c.index[id]
	if !ok {
		i = len(c.links)
		c.index[id] = i
		c.links = append(c.links, linkSums{segment: id})
	}
	return &c.links[i]
}

// add adds one drive over the segment that tells a speed.
func (l *linkSums) add(d drive) {
	l.metres += d.metres
	l.millis += d.exit - d.enter
	l.speeds = append(l.speeds, d.speed())
}

// Each calls f with every link, by segment, until f returns false.
func (c *LinkCounter) Each(f func(Link) bool) {
	slices.SortFunc(c.links, func(a, b linkSums) int { return int(a.segment) - int(b.segment) })
	for i := range c.links {
		c.index[c.links[i].segment] = i
	}
	for i := range c.links {
		if !f(c.links[i].link()) {
			return
		}
	}
}

func (l *linkSums) link() Link {
	out := Link{Segment: l.segment, Trips: l.trips, Speeds: len(l.speeds)}
	if len(l.speeds) == 0 {
		return out
	}
	slices.Sort(l.speeds)
	out.Mean = l.metres / l.millis * 3600
	out.Slow15, out.Top15 = quantile(l.speeds, 0.15), quantile(l.speeds, 0.85)
	return out
}

// quantile is the value at a share of sorted speeds, between neighbours, in
// km/h.
func quantile(sorted []uint16, share float64) float64 {
	at := share * float64(len(sorted)-1)
	i := int(at)
	v := float64(sorted[i])
	if i+1 < len(sorted) {
		v += (at - float64(i)) * (float64(sorted[i+1]) - v)
	}
	return v / 100
}

// clock says when a vehicle was where on one part. It is asked in the order of
// the way.
type clock struct{ ticks []trajectory.Tick }

// at is the time in Unix milliseconds at which a metre of the part was reached.
func (c *clock) at(along float64) float64 {
	i, _ := slices.BinarySearchFunc(c.ticks, along, func(t trajectory.Tick, along float64) int {
		if t.Along < along {
			return -1
		}
		return 1
	})
	switch {
	case len(c.ticks) == 0:
		return 0
	case i == 0:
		return float64(c.ticks[0].Time)
	case i == len(c.ticks):
		return float64(c.ticks[i-1].Time)
	}
	a, b := c.ticks[i-1], c.ticks[i]
	t := 1.0
	if b.Along > a.Along {
		t = (along - a.Along) / (b.Along - a.Along)
	}
	return float64(a.Time) + t*float64(b.Time-a.Time)
}
