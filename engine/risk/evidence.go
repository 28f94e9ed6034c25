package risk

import (
	"cmp"
	"math"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// Evidence is what a method knows of the way that it tells of a gap. Lengths are
// metres, times seconds, probabilities 0 to 1.
type Evidence struct {
	From, To int  // samples
	Broken   bool // no way is told: there is nothing but Seconds and Straight

	Seconds  float64 // from sample to sample
	Length   float64 // of the way
	Straight float64 // from match to match
	FreeFlow float64 // time that the way takes without traffic

	Own    float64 // probability of the way and those that hardly differ
	Next   float64 // of the most probable way that does differ
	Lost   float64 // share of the way that is expected not to be driven
	Missed float64 // length that is expected to be driven elsewhere, as a share of the way

	Distance float64 // of the farther of the two samples from the road
	Unsure   float64 // that one of the two samples is not where it is matched
	LeftOut  int     // samples between the two that were left out
	Reversed int     // times that the way turns back
	Looped   bool    // the way drives a segment twice
	Least    float64 // time that the way takes at the highest speeds that vehicles have on its roads
	Strange  bool    // the method has a word to say against the way: too fast, not the model's

	Contrast float64 // logarithm of how much faster the way is driven than those of the gaps beside
	Untagged bool    // the network does not tell fast roads from slow ones

	Along float64 // doubt about where along the way the vehicle is, half way in time
	Aside float64 // expected distance from the vehicle as it may drive another way
}

// Leg fills in what a leg says of its way, from one match to another.
func (e *Evidence) Leg(net *roadnet.Network, leg *match.Leg, from, to roadnet.Position) {
	way := trajectory.Part{Segments: leg.Path, StartRatio: from.Ratio, EndRatio: to.Ratio}
	own := newPath(net, leg.Path)
	sure, elsewhere := 0.0, 0.0
	for i, id := range leg.Path {
		begin, end := roadnet.Driven(i, len(leg.Path), from.Ratio, to.Ratio)
		metres := max(0, end-begin) * net.Length(id)
		e.Length += metres
		e.FreeFlow += metres / net.FreeFlow(id)
		e.Least += metres / facts.MostSpeed(net, id)
		e.Looped = e.Looped || slices.Contains(leg.Path[:i], id)
		sure += metres * float64(leg.ShareOf(id))
		if back, ok := net.Reverse(id); i > 0 && ok && back == leg.Path[i-1] {
			e.Reversed++
		}
	}
	for _, s := range leg.Shares {
		if !own.has(s.Segment) {
			elsewhere += net.Length(s.Segment) * float64(s.Probability)
		}
	}
	e.Lost = max(0, 1-(sure+1)/(e.Length+1))
	e.Missed = elsewhere / (e.Length + Apart)
	e.ways(net, leg, own)
	e.aside(net, leg, way)
	e.Strange = leg.Why != 0 || leg.Unmodelled
}

// Odd is what the way has that no vehicle does.
func (e Evidence) Odd() trajectory.Oddity {
	var odd trajectory.Oddity
	if e.Looped {
		odd |= trajectory.Loops
	}
	if e.Reversed > 1 {
		odd |= trajectory.Reverses
	}
	if e.Least > max(1, e.Seconds) {
		odd |= trajectory.Speeds
	}
	return odd
}

// Contrast compares the pace of each gap with those of the gaps beside.
func Contrast(gaps []Evidence) {
	const slow = 1 // m/s, added so that standing counts as some pace
	pace := func(i int) float64 { return math.Log(gaps[i].Length/max(1, gaps[i].Seconds) + slow) }
	for i := range gaps {
		sum, n := 0.0, 0.0
		for _, k := range [2]int{i - 1, i + 1} {
			if k >= 0 && k < len(gaps) && !gaps[k].Broken {
				sum, n = sum+pace(k), n+1
			}
		}
		if n > 0 && !gaps[i].Broken {
			gaps[i].Contrast = pace(i) - sum/n
		}
	}
}

// ways tells the probabilities of the way and of the next that differs, and how far
// from the way the others lead.
func (e *Evidence) ways(net *roadnet.Network, leg *match.Leg, own path) {
	e.Own = 1
	others := slices.Clone(leg.Others)
	slices.SortStableFunc(others, func(a, b match.Way) int { return cmp.Compare(b.Probability, a.Probability) })
	var next path
	for _, w := range others {
		if !own.differs(w.Part.Segments) {
			continue
		}
		p := float64(w.Probability)
		e.Own -= p
		if next.net == nil {
			next = newPath(net, w.Part.Segments)
		}
		if !next.differs(w.Part.Segments) {
			e.Next += p
		}
	}
	e.Own, e.Next = max(0, e.Own), min(1, e.Next)
}

// Instants at which other ways are looked at, as shares of the gap.
var looks = [...]float64{0.25, 0.5, 0.75}

// aside tells how far the vehicle is expected from the way on the others, as far along
// each as on the way.
func (e *Evidence) aside(net *roadnet.Network, leg *match.Leg, way trajectory.Part) {
	if len(leg.Others) == 0 {
		return
	}
	var told [len(looks)]roadnet.Point
	for i, share := range looks {
		told[i] = net.At(facts.PartAt(net, way, share*e.Length))
	}
	for _, w := range leg.Others {
		length := facts.PartLength(net, w.Part)
		for i, share := range looks {
			at := net.At(facts.PartAt(net, w.Part, share*length))
			e.Aside += float64(w.Probability) * roadnet.Distance(told[i], at) / float64(len(looks))
		}
	}
}

// path is the segments of a way, sorted.
type path struct {
	net      *roadnet.Network
	segments []roadnet.SegmentID
}

func newPath(net *roadnet.Network, segments []roadnet.SegmentID) path {
	segments = slices.Clone(segments)
	slices.Sort(segments)
	return path{net, segments}
}

func (p path) has(id roadnet.SegmentID) bool {
	_, ok := slices.BinarySearch(p.segments, id)
	return ok
}

// differs reports whether another way drives some length that this does not, or leaves
// out as much.
func (p path) differs(way []roadnet.SegmentID) bool {
	all, shared, other := 0.0, 0.0, 0.0
	for _, id := range p.segments {
		all += p.net.Length(id)
	}
	for i, id := range way {
		switch length := p.net.Length(id); {
		case slices.Contains(way[:i], id):
		case p.has(id):
			shared += length
		default:
			other += length
		}
	}
	return other >= Apart || all-shared >= Apart
}
