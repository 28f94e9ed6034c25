package engine

import (
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// ticks recovers the position at the first sample's instant and every tick
// after it, and at every instant of the input, as far as the parts reach.
func ticks(net *roadnet.Network, t *trajectory.Trajectory, every int64, parts []*timeline, matches []trajectory.SampleMatch) []trajectory.Tick {
	var out []trajectory.Tick
	sample, first := 0, t.Samples[0].Time
	for i, line := range parts {
		begin, end := int64(line.begin()), int64(line.end())
		regular := first + ceilDiv(begin-first, every)*every
		for {
			for sample < len(t.Samples) && (t.Samples[sample].Time < begin || matches[sample].State == trajectory.Duplicate) {
				sample++
			}
			now, observed := regular, false
			if sample < len(t.Samples) && t.Samples[sample].Time <= regular {
				now, observed = t.Samples[sample].Time, true
			}
			if now > end {
				break
			}
			tick := trajectory.Tick{Time: now, Part: int32(i)}
			var match *trajectory.SampleMatch
			if observed {
				tick.Observed, tick.Sample, match = true, uint32(sample), &matches[sample]
				sample++
			}
			line.place(net, &tick, match)
			if now == regular {
				regular += every
			}
			out = append(out, tick)
		}
	}
	return out
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// place fills in where the vehicle is at the instant of a tick. Its
// probability is that of the candidate where a sample is matched; between two
// samples that of the route of its segment, times that of being on the segment
// just then.
func (t *timeline) place(net *roadnet.Network, tick *trajectory.Tick, match *trajectory.SampleMatch) {
	var i int
	tick.At, tick.Along, i = t.at(float64(tick.Time))
	point := net.At(tick.At)
	tick.Lon, tick.Lat = point.Lon, point.Lat
	tick.Layer = net.Layer(tick.At.Segment)
	b := belief{match: match, leg: t.pieces[i].leg}
	tick.Probability = b.of(tick.At.Segment)
	if match == nil || match.State != trajectory.Matched {
		tick.Probability *= float32(t.stays(i, float64(tick.Time)))
	}
	tick.Deck, tick.Margin = deck(net, tick.At, b)
}

// belief knows how probable a segment is at one instant: from the candidates
// of a matched sample, else from the routes of the gap.
type belief struct {
	match *trajectory.SampleMatch
	leg   *match.Leg
}

func (b belief) of(id roadnet.SegmentID) float32 {
	if b.match != nil && b.match.State == trajectory.Matched {
		for _, c := range b.match.Candidates {
			if c.Segment == id {
				return c.Probability
			}
		}
	}
	if b.leg == nil {
		return 0
	}
	return b.leg.ShareOf(id)
}
