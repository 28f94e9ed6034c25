package engine

import (
	"math"

	"retrace/engine/roadnet"
)

// The pace model spreads the time of a gap over what was driven in it. Every
// metre and every hold-up has a work in seconds; the gap is shared out in
// proportion to it. The constants were fitted to the training trips of the
// Porto taxis by tools/pace, and rounded.
const (
	// A road's traffic runs at the geometric mean of its free flow and this,
	// m/s: fast roads are faster, but less than their limits say.
	townSpeed = 10

	signalWork   = 4.0 // seconds at a traffic signal
	crossingWork = 2.0 // at a pedestrian crossing
	junctionWork = 2.0 // at a junction with a choice
	turnWork     = 3.5 // at a turn by a right angle

	// Near its ends a gap takes on something of the pace of its neighbours: the
	// logarithm of the pace moves by so much of the difference.
	neighbourPull = 0.28
	// A trip begins and ends slowly: the logarithm of its pace there.
	endPull = 0.45
	// No two paces differ by a larger logarithm.
	mostPull = 2.0

	// Pieces are no longer than this, so that the pace can change within a
	// long road, metres.
	longestPiece = 200
)

// driveWork is the work of some metres of a segment.
func driveWork(net *roadnet.Network, id roadnet.SegmentID, metres float64) float64 {
	return metres / math.Sqrt(townSpeed*net.FreeFlow(id))
}

// controlWork is the work at a vertex.
func controlWork(f roadnet.VertexFlags) float64 {
	work := 0.0
	if f&roadnet.VertexSignal != 0 {
		work += signalWork
	}
	if f&roadnet.VertexCrossing != 0 {
		work += crossingWork
	}
	return work
}

// passWork is the work of going from one segment to the next.
func passWork(net *roadnet.Network, from, to roadnet.SegmentID) float64 {
	if back, ok := net.Reverse(from); !ok || back != to {
		if len(net.Next(from)) < 2 && len(net.Prev(to)) < 2 {
			return 0
		}
	}
	turn := 1 - math.Cos(net.TurnAngle(from, to)*math.Pi/180)
	return junctionWork + turnWork*turn
}

// pull is the logarithm by which the pace changes at the end of a gap next to
// another of a given work and time.
func pull(own, neighbour gap) float64 {
	return neighbourPull * max(-mostPull, min(mostPull, neighbour.logPace()-own.logPace()))
}

func (g gap) logPace() float64 { return math.Log((g.end - g.begin) / 1000 / max(g.work, 1)) }
