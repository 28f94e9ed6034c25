// Package facts sums trips up: what lists, the inspector and reports say of one.
package facts

import (
	"strings"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Facts is a trip in figures.
type Facts struct {
	Start, End int64   // Unix milliseconds; 0 where there is no sample
	Points     int     // samples
	Straight   float64 // metres, straight from sample to sample

	// Of the recovery; zero where there is none.
	Ticks      int
	Length     float64 // metres driven
	Judged     bool    // Risk and Error are known
	Risk       float32 // 0 to 1, that the trip is wrong
	Error      float32 // metres, expected
	Risky      int     // gaps that a person should look at
	Elevated   float64 // metres on a deck
	Breaks     int     // gaps in the path
	OffRoad    int     // samples without a road near
	Outliers   int     // samples that no drive can pass
	Duplicates int     // samples at an instant that was there already
	Unsure     int     // spans where deck or ground is in doubt
	Wild       int     // gaps that no vehicle drives as they are told: too fast, in loops, back and forth
}

// Duration is the time from the first to the last sample.
func (f Facts) Duration() time.Duration { return time.Duration(f.End-f.Start) * time.Millisecond }

// Distance is the length driven, or the straight length where that is not known.
func (f Facts) Distance() float64 {
	if f.Ticks > 0 {
		return f.Length
	}
	return f.Straight
}

// MeanSpeed is the distance over the duration, in m/s; 0 where there is none.
func (f Facts) MeanSpeed() float64 {
	if s := f.Duration().Seconds(); s > 0 {
		return f.Distance() / s
	}
	return 0
}

// Doubtful reports whether a person should look at the trip.
func (f Facts) Doubtful() bool { return f.Breaks+f.OffRoad+f.Outliers+f.Unsure+f.Wild > 0 }

// Of are the facts of a trajectory as it was reported.
func Of(t *trajectory.Trajectory) Facts {
	f := Facts{Points: len(t.Samples)}
	if len(t.Samples) == 0 {
		return f
	}
	f.Start, f.End = t.Samples[0].Time, t.Samples[len(t.Samples)-1].Time
	for i := 1; i < len(t.Samples); i++ {
		a, b := t.Samples[i-1], t.Samples[i]
		f.Straight += roadnet.Distance(roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat})
	}
	return f
}

// AddRecovery adds what was recovered. The length is how far the ticks have come, of which
// the last of a part has come all its way.
func (f *Facts) AddRecovery(r *trajectory.Recovery) {
	f.Ticks = len(r.Ticks)
	f.Judged, f.Risk, f.Error = len(r.Doubts) > 0, r.Risk.Wrong, r.Risk.Error
	for _, d := range Doubts(r) {
		if !d.Span {
			f.Risky++
		}
		if d.Odd != 0 || d.Why == trajectory.TooFast || d.Why == trajectory.TooFar {
			f.Wild++
		}
	}
	for i, k := range r.Ticks {
		if i+1 == len(r.Ticks) || r.Ticks[i+1].Part != k.Part {
			f.Length += k.Along
		}
	}
	f.Breaks = max(len(r.Parts)-1, 0)
	f.addMatches(r.Matches)
	for _, s := range r.Spans {
		if s.Kind == trajectory.OnDeck {
			f.Elevated += s.To - s.From
		}
		if s.Margin < trajectory.UncertainMargin {
			f.Unsure++
		}
	}
}

func (f *Facts) addMatches(matches []trajectory.SampleMatch) {
	for _, m := range matches {
		switch m.State {
		case trajectory.OffRoad:
			f.OffRoad++
		case trajectory.Outlier:
			f.Outliers++
		case trajectory.Duplicate:
			f.Duplicates++
		}
	}
}

// PartLength is the driven length of a part in metres.
func PartLength(net *roadnet.Network, p trajectory.Part) float64 {
	n := len(p.Segments)
	if n == 0 {
		return 0
	}
	length := 0.0
	for _, s := range p.Segments {
		length += net.Length(s)
	}
	length -= net.Length(p.Segments[0]) * p.StartRatio
	length -= net.Length(p.Segments[n-1]) * (1 - p.EndRatio)
	return max(length, 0)
}

// PartAt is where so many metres of a part are driven. The part has segments.
func PartAt(net *roadnet.Network, p trajectory.Part, metres float64) roadnet.Position {
	metres += p.StartRatio * net.Length(p.Segments[0])
	i := 0
	for ; i < len(p.Segments)-1 && metres > net.Length(p.Segments[i]); i++ {
		metres -= net.Length(p.Segments[i])
	}
	return roadnet.Position{Segment: p.Segments[i], Ratio: metres / net.Length(p.Segments[i])}
}

// MostSpeed is a speed in m/s that hardly any vehicle exceeds on a segment: well above
// what its class and limit allow. Of a road of which neither is known it is that of a
// motorway.
func MostSpeed(net *roadnet.Network, id roadnet.SegmentID) float64 {
	const unknown = 50
	flow := net.FreeFlow(id)
	if net.Class(id) == 0 {
		return unknown
	}
	return max(1.6*flow, flow+11)
}

// SpeedAfter is the speed in m/s from tick i to the next; false at the end of a
// part.
func SpeedAfter(ticks []trajectory.Tick, i int) (float64, bool) {
	if i < 0 || i+1 >= len(ticks) || ticks[i].Part != ticks[i+1].Part || ticks[i+1].Time <= ticks[i].Time {
		return 0, false
	}
	return (ticks[i+1].Along - ticks[i].Along) / (float64(ticks[i+1].Time-ticks[i].Time) / 1000), true
}

// NoPath says why a recovery has no path.
func NoPath(r *trajectory.Recovery) string {
	if len(r.Warnings) > 0 {
		return "no path: " + strings.Join(r.Warnings, "; ")
	}
	return "no path: no point lies near a road of the network"
}
