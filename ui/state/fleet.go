package state

import (
	"math"
	"sort"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

// Fleet tells where many trips are at an instant. It keeps in arrays when each
// trip runs and where on its path it was last, so that a frame of playback looks
// at all trips and goes along the paths of those under way only.
type Fleet struct {
	net      *roadnet.Network
	trips    []*Trip
	start    []int64 // Unix milliseconds, in the player's time
	end      []int64
	shift    []int64 // from the player's time to the trip's own
	cursors  []cursor
	from, to int64
	day      bool // all as of one day
	made     fleetKey
}

// fleetKey is what a fleet depends on.
type fleetKey struct {
	revision, choices int
	over              Playback
	zone              string
	net               *roadnet.Network
}

// cursor is where on its path a trip was last.
type cursor struct {
	tick  int32
	part  int32
	index int32   // into the part's segments
	begin float64 // metres from the start of the part to that segment
}

// Fleet is the trips that are shown, as the player plays them.
func (m *Model) Fleet() *Fleet {
	key := fleetKey{m.revision, m.choices, m.clock.Over, m.Zone().String(), m.net}
	if m.fleet == nil || m.fleet.made != key {
		m.fleet = m.newFleet(key)
	}
	return m.fleet
}

func (m *Model) newFleet(key fleetKey) *Fleet {
	f := &Fleet{net: m.net, made: key, day: key.over == PlayDay}
	zone := m.Zone()
	for _, t := range m.trips {
		if t.Facts.Points == 0 || !m.Visible(t) {
			continue
		}
		origin := originOf(t, key.over, zone)
		if len(f.trips) == 0 {
			f.from = origin
		}
		shift := origin - f.from
		f.trips = append(f.trips, t)
		f.start, f.end = append(f.start, t.Facts.Start-shift), append(f.end, t.Facts.End-shift)
		f.shift = append(f.shift, shift)
	}
	f.cursors = make([]cursor, len(f.trips))
	if f.day {
		f.to = f.from + aDay
	} else {
		f.from, f.to = spanOf(f.start, f.end)
	}
	return f
}

// originOf is the instant of a trip that the player shows together with that of all
// others: the same for all where each is played at its own time.
func originOf(t *Trip, over Playback, zone *time.Location) int64 {
	switch over {
	case PlayDay:
		return midnight(t.Facts.Start, zone)
	case PlayStart:
		return t.Facts.Start
	}
	return 0
}

func spanOf(start, end []int64) (from, to int64) {
	if len(start) == 0 {
		return 0, 0
	}
	from, to = start[0], end[0]
	for i := range start {
		from, to = min(from, start[i]), max(to, end[i])
	}
	return from, to
}

// Len is how many trips there are.
func (f *Fleet) Len() int { return len(f.trips) }

// Markers appends where the trips are that are under way at an instant of the
// player's time.
func (f *Fleet) Markers(at int64, buf []render.Marker) []render.Marker {
	for i := range f.start {
		then := at
		if f.day && then < f.start[i] {
			then += aDay // it drove past midnight
		}
		if then < f.start[i] || then > f.end[i] {
			continue
		}
		if w, ok := f.locate(i, then+f.shift[i]); ok {
			buf = append(buf, render.Marker{Trip: f.trips[i].ID(), At: w.At, Heading: w.Heading})
		}
	}
	return buf
}

// After is when the first trip starts after an instant, where none is under way
// then; false where one is, or none follows.
func (f *Fleet) After(at int64) (int64, bool) {
	next := int64(math.MaxInt64)
	for i := range f.start {
		switch {
		case at >= f.start[i] && at <= f.end[i], f.day && at+aDay <= f.end[i]:
			return 0, false
		case f.start[i] > at:
			next = min(next, f.start[i])
		}
	}
	return next, next != math.MaxInt64
}

// Activity counts the trips that are under way in each of n equal stretches of
// the player's time.
func (f *Fleet) Activity(n int) []int {
	counts := make([]int, n+1)
	if f.to <= f.from || n == 0 {
		return counts[:n]
	}
	add := func(start, end int64) {
		a := bin(start, f.from, f.to, n)
		b := bin(end, f.from, f.to, n)
		counts[a]++
		counts[b+1]--
	}
	for i := range f.start {
		add(f.start[i], min(f.end[i], f.to))
		if f.day && f.end[i] > f.to {
			add(f.from, min(f.end[i]-aDay, f.to))
		}
	}
	for i := 1; i < n; i++ {
		counts[i] += counts[i-1]
	}
	return counts[:n]
}

// bin is in which of n stretches an instant lies.
func bin(at, from, to int64, n int) int {
	return min(max(int(float64(at-from)/float64(to-from)*float64(n)), 0), n-1)
}

// locate says where trip i is at an instant of its own.
func (f *Fleet) locate(i int, at int64) (Where, bool) {
	r := f.trips[i].Shown()
	if r == nil || len(r.Ticks) == 0 {
		return locateBetweenSamples(f.trips[i].Trajectory().Samples, at)
	}
	c := &f.cursors[i]
	if !c.seek(r.Ticks, at) {
		return Where{}, false
	}
	a := r.Ticks[c.tick]
	w := Where{At: roadnet.Point{Lon: a.Lon, Lat: a.Lat}, Heading: f.net.Heading(a.At), Tick: int(c.tick)}
	if int(c.tick)+1 == len(r.Ticks) {
		return w, a.Time == at
	}
	b := r.Ticks[c.tick+1]
	if b.Part != a.Part || b.Time <= a.Time {
		return w, a.Time == at
	}
	share := float64(at-a.Time) / float64(b.Time-a.Time)
	if p, ok := c.along(f.net, r.Parts[a.Part], a.Part, a.Along+share*(b.Along-a.Along)); ok {
		w.At, w.Heading = f.net.At(p), f.net.Heading(p)
	}
	return w, true
}

// seek goes to the last tick at or before an instant; false where there is none.
func (c *cursor) seek(ticks []trajectory.Tick, at int64) bool {
	for range 3 { // mostly it is the same tick, or the next
		i := int(c.tick)
		if i >= len(ticks) || ticks[i].Time > at {
			break
		}
		if i+1 == len(ticks) || ticks[i+1].Time > at {
			return true
		}
		c.tick++
	}
	i := sort.Search(len(ticks), func(i int) bool { return ticks[i].Time > at }) - 1
	c.tick = int32(max(i, 0))
	return i >= 0
}

// along is the position d metres from the start of a part, from where it was
// last on.
func (c *cursor) along(net *roadnet.Network, p trajectory.Part, part int32, d float64) (roadnet.Position, bool) {
	if len(p.Segments) == 0 {
		return roadnet.Position{}, false
	}
	d += net.Length(p.Segments[0]) * p.StartRatio
	if c.part != part || d < c.begin || int(c.index) >= len(p.Segments) {
		c.part, c.index, c.begin = part, 0, 0
	}
	length := net.Length(p.Segments[c.index])
	for d > c.begin+length && int(c.index)+1 < len(p.Segments) {
		c.begin += length
		c.index++
		length = net.Length(p.Segments[c.index])
	}
	ratio := 1.0
	if length > 0 {
		ratio = min(max((d-c.begin)/length, 0), 1)
	}
	return roadnet.Position{Segment: p.Segments[c.index], Ratio: ratio}, true
}
