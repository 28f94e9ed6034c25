package feature

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Close says how the candidates and routes of gaps are found in which a vehicle hardly
// has a choice: as map matching finds them, the cheapest route between each two
// candidates of more, and a step back over a junction for a vehicle that stands.
type Close struct {
	Seconds    float64 // gaps up to so long,
	Metres     float64 // or between samples so near to each other
	Candidates CandidateSettings
	Back       float64                                        // metres; a step back that counts as standing still
	Search     func(straight, seconds float64) roadnet.Search // how routes are searched for over a gap
}

// Gap reports whether the gap after sample i is close.
func (c *Close) Gap(samples []trajectory.Sample, i int) bool {
	if c == nil || i < 0 || i+1 >= len(samples) {
		return false
	}
	return seconds(samples[i], samples[i+1]) <= c.Seconds || metresBetween(pointOf(samples[i]), pointOf(samples[i+1])) < c.Metres
}

// All reports whether every gap of samples is close.
func (c *Close) All(samples []trajectory.Sample) bool {
	for i := range len(samples) - 1 {
		if !c.Gap(samples, i) {
			return false
		}
	}
	return c != nil
}

// starts are the hits at the start of segments near which the candidates before may lie,
// a little further along.
func (c *Close) starts(net *roadnet.Network, near, before []roadnet.Hit) []roadnet.Hit {
	var all []roadnet.Hit
	for _, h := range near {
		passed := func(b roadnet.Hit) bool {
			return b.Segment == h.Segment && b.Ratio > 0 && b.Ratio*net.Length(b.Segment) <= c.Back
		}
		if h.Ratio <= 0 && len(net.Prev(h.Segment)) > 0 && slices.ContainsFunc(before, passed) {
			all = append(all, h)
		}
	}
	return all
}

// candidates appends where a sample beside a close gap may be, the nearest first.
func (m *TripMaker) closeCandidates(p roadnet.Point, before, buf []roadnet.Hit) []roadnet.Hit {
	first := len(buf)
	buf, m.near = m.Close.Candidates.candidates(m.net, p, m.near, buf)
	buf = append(buf, m.Close.starts(m.net, m.near, before)...)
	slices.SortStableFunc(buf[first:], func(a, b roadnet.Hit) int { return cmp.Compare(a.Distance, b.Distance) })
	return buf
}

// findClose appends the routes of a close gap. Everywhere says that they are sought
// however far.
func (m *TripMaker) findClose(t *Trip, samples []trajectory.Sample, i int) {
	a, b := t.CandidatesOf(i), t.CandidatesOf(i+1)
	m.to = positions(b, m.to[:0])
	search := m.Close.Search(metresBetween(pointOf(samples[i]), pointOf(samples[i+1])), seconds(samples[i], samples[i+1]))
	m.table.Reset()
	for x := range a {
		if m.done() {
			return
		}
		m.table.Add(m.Router, a[x].Position, m.to, search)
	}
	for x := range a {
		for y := range b {
			if leg := m.table.Leg(x, y); leg.Found {
				r := roadnet.Route{Segments: m.table.Path(x, y), Length: leg.Length, Time: leg.Time, Cost: leg.Cost}
				t.Options = append(t.Options, Option{x, y, t.keep(r)})
			}
		}
	}
}
