package engine

import (
	"fmt"
	"math"

	"retrace/engine/roadnet"
)

// Pace says how the time of a gap is spread over what was driven in it. Every
// metre and every hold-up is a work in seconds; the gap is shared out in
// proportion to it.
type Pace struct {
	// A road's traffic runs at the geometric mean of its free flow and this,
	// m/s: fast roads are faster, but less than their limits say.
	TownSpeed float64

	Signal   float64 // seconds at a traffic signal
	Crossing float64 // seconds at a pedestrian crossing
	Junction float64 // seconds at a junction with a choice
	Turn     float64 // seconds for a turn by a right angle, less for a slighter one

	// Towards its ends a gap takes on something of the pace of its neighbours:
	// the logarithm of its pace moves by so much of the difference.
	Neighbour float64
	// A trip begins and ends slowly: by so much more is the logarithm of its
	// pace there.
	End float64

	// Steady is how far the time of a gap is spread evenly over its metres where the
	// vehicle drives the gaps around it at about one pace: at 0 not at all.
	Steady float64

	// Doubt is the scale of the error in when a place is reached, as a share of
	// the gap and in its middle; towards the samples it falls to nothing.
	Doubt float64

	// A tick is put on the segment where it is most probably, but for each metre
	// that this is away from the place reached by then it must be so much more
	// probable than the segment there.
	Away float64

	// A tick is drawn to where the vehicle may be on other ways through the gap than
	// the one told: by so much of how probable these are. At 1 it is where it is
	// expected to be least far from the vehicle, at 0 other ways do not count.
	Others float64

	// And it is chosen as if the doubt about the time were only so many times what
	// it is: with all of it long segments would swallow up the short ones.
	Bold float64
}

// DefaultPace is the pace of the Porto taxis, rounded: chosen on training trips
// by tools/tune.
func DefaultPace() Pace {
	return Pace{TownSpeed: 10, Signal: 4, Crossing: 2, Junction: 2, Turn: 3.5, Neighbour: 0.28, End: 0.45, Steady: 1, Doubt: 0.14, Away: 0.0015, Others: 1, Bold: 0.6}
}

// EvenPace is the default without what was chosen on trips of a city: every metre of a
// road takes the same work, and nothing else takes any.
func EvenPace() Pace {
	p := DefaultPace()
	p.Signal, p.Crossing, p.Junction, p.Turn, p.Neighbour, p.End, p.Steady = 0, 0, 0, 0, 0, 0, 0
	return p
}

func (p Pace) validate() error {
	for _, c := range []struct {
		name             string
		value, low, high float64
	}{
		{"TownSpeed", p.TownSpeed, 0.1, 100},
		{"Signal", p.Signal, 0, 1000},
		{"Crossing", p.Crossing, 0, 1000},
		{"Junction", p.Junction, 0, 1000},
		{"Turn", p.Turn, 0, 1000},
		{"Neighbour", p.Neighbour, -1, 1},
		{"End", p.End, -5, 5},
		{"Steady", p.Steady, 0, 1},
		{"Doubt", p.Doubt, 0, 1},
		{"Away", p.Away, 0, 1},
		{"Others", p.Others, 0, 1},
		{"Bold", p.Bold, 0, 1},
	} {
		if !(c.value >= c.low && c.value <= c.high) {
			return fmt.Errorf("pace: %s is %g, want %g to %g", c.name, c.value, c.low, c.high)
		}
	}
	return nil
}

const (
	// No two paces are taken to differ by a larger logarithm.
	mostPull = 2.0
	// Pieces are no longer than this, so that the pace can change within a
	// long road, metres.
	longestPiece = 200
)

// drive is the work of some metres of a segment.
func (p Pace) drive(net *roadnet.Network, id roadnet.SegmentID, metres float64) float64 {
	return metres / math.Sqrt(p.TownSpeed*net.FreeFlow(id))
}

// control is the work at a vertex.
func (p Pace) control(f roadnet.VertexFlags) float64 {
	work := 0.0
	if f&roadnet.VertexSignal != 0 {
		work += p.Signal
	}
	if f&roadnet.VertexCrossing != 0 {
		work += p.Crossing
	}
	return work
}

// pass is the work of going from one segment to the next.
func (p Pace) pass(net *roadnet.Network, from, to roadnet.SegmentID) float64 {
	back, ok := net.Reverse(from)
	if turnsBack := ok && back == to; !turnsBack && len(net.Next(from)) < 2 && len(net.Prev(to)) < 2 {
		return 0
	}
	return p.Junction + p.Turn*(1-math.Cos(net.TurnAngle(from, to)*math.Pi/180))
}

// pull is the logarithm by which the pace changes at the end of a gap next to
// another.
func (p Pace) pull(own, neighbour gap) float64 {
	return p.Neighbour * max(-mostPull, min(mostPull, neighbour.logPace()-own.logPace()))
}

func (g gap) logPace() float64 { return math.Log((g.end - g.begin) / 1000 / max(g.work, 1)) }

// doubt is the scale of the error in when a place is reached that is thought to
// be reached at an instant of a gap, in milliseconds.
func (p Pace) doubt(g gap, now float64) float64 {
	u := (now - g.begin) / (g.end - g.begin)
	return p.Doubt * (g.end - g.begin) * 2 * math.Sqrt(max(0, u*(1-u)))
}
