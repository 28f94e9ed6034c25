package state

import (
	"sort"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Clock is the time of playback.
type Clock struct {
	At      int64 // Unix milliseconds
	Playing bool
	Speed   float64 // seconds of the trip for each second
	Loop    bool
	Over    Playback
}

// Speeds are the speeds that the player offers.
func Speeds() []float64 { return []float64{1, 2, 5, 10, 20, 50, 100, 300, 1000} }

// Clock is the clock as it stands.
func (m *Model) Clock() Clock { return m.clock }

// SetTime moves the clock, within what is played.
func (m *Model) SetTime(at int64) {
	if at = m.within(at); at != m.clock.At {
		m.clock.At = at
		m.touch(Time)
	}
}

// Play starts or stops playback; at the end it starts anew.
func (m *Model) Play(playing bool) {
	from, to, ok := m.TimeSpan()
	if playing && ok && (m.clock.At >= to || m.clock.At < from) {
		m.clock.At = from
	}
	m.clock.Playing = playing && ok
	m.touch(Time)
}

// SetSpeed sets the speed of playback.
func (m *Model) SetSpeed(speed float64) {
	m.clock.Speed = speed
	m.touch(Time)
}

// SetLoop has playback begin anew at the end.
func (m *Model) SetLoop(loop bool) {
	m.clock.Loop = loop
	m.touch(Time)
}

// Advance lets the clock run on by real time that has passed. Where all trips
// are played it passes over times at which none is under way.
func (m *Model) Advance(passed time.Duration) {
	from, to, ok := m.TimeSpan()
	if !m.clock.Playing || !ok {
		return
	}
	at := m.clock.At + int64(float64(passed.Milliseconds())*m.clock.Speed)
	if m.clock.Over != PlayTrip {
		if next, ok := m.Fleet().After(at); ok {
			at = next
		}
	}
	if at >= to {
		at = to
		if m.clock.Loop {
			at = from
		} else {
			m.clock.Playing = false
		}
	}
	m.clock.At = at
	m.touch(Time)
}

// tickBefore is the last tick at or before an instant, -1 where there is none.
func tickBefore(ticks []trajectory.Tick, at int64) int {
	return sort.Search(len(ticks), func(i int) bool { return ticks[i].Time > at }) - 1
}

// Where is a trip's vehicle at an instant.
type Where struct {
	At      roadnet.Point
	Heading float64 // degrees clockwise from north
	Speed   float64 // m/s over the interval between two ticks
	Tick    int     // the last tick at or before the instant; -1: not recovered
}

// Locate says where a trip's vehicle is at an instant: along its recovered path,
// or straight between its samples where it is not recovered. False outside the
// trip's time and where the path is broken.
func (m *Model) Locate(t *Trip, at int64) (Where, bool) {
	if r := t.Shown(); r != nil && len(r.Ticks) > 0 {
		return locateOnPath(m.net, r, at)
	}
	return locateBetweenSamples(t.Trajectory().Samples, at)
}

func locateOnPath(net *roadnet.Network, r *trajectory.Recovery, at int64) (Where, bool) {
	i := tickBefore(r.Ticks, at)
	if i < 0 {
		return Where{}, false
	}
	a := r.Ticks[i]
	w := Where{At: roadnet.Point{Lon: a.Lon, Lat: a.Lat}, Heading: net.Heading(a.At), Tick: i}
	if i+1 >= len(r.Ticks) {
		return w, a.Time == at
	}
	b := r.Ticks[i+1]
	if b.Part != a.Part || b.Time <= a.Time {
		return w, a.Time == at
	}
	w.Speed = (b.Along - a.Along) / (float64(b.Time-a.Time) / 1000)
	share := float64(at-a.Time) / float64(b.Time-a.Time)
	if p, ok := new(cursor).along(net, r.Parts[a.Part], a.Part, a.Along+share*(b.Along-a.Along)); ok {
		w.At, w.Heading = net.At(p), net.Heading(p)
	}
	return w, true
}

func locateBetweenSamples(s []trajectory.Sample, at int64) (Where, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].Time > at }) - 1
	if i < 0 {
		return Where{}, false
	}
	a := s[i]
	w := Where{At: roadnet.Point{Lon: a.Lon, Lat: a.Lat}, Tick: -1}
	if i+1 >= len(s) {
		return w, a.Time == at
	}
	b := s[i+1]
	share := float64(at-a.Time) / float64(b.Time-a.Time)
	w.At.Lon += share * (b.Lon - a.Lon)
	w.At.Lat += share * (b.Lat - a.Lat)
	w.Speed = roadnet.Distance(roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat}) / (float64(b.Time-a.Time) / 1000)
	return w, true
}
