package engine

import "math"

// The lengths and times of the gaps around one tell how steady a vehicle is there. One
// that drives them all at about one pace, such as a lorry on a motorway or a bicycle,
// hardly stands within them either, whatever junctions it passes: its time is spread the
// more evenly over the metres of a gap. Chosen on validation trips of Porto, at whose
// taxis it does little, and on simulated trips of steadier drivers over Columbus and
// Yokohama.
const (
	steadyReach = 10.0 // gaps, over which what they tell of another fades to 1/e
	paceSpread  = 0.8  // that logarithms of pace are taken to have as long as no gap tells of it
	paceWeight  = 1.0  // of that, in gaps
	leastPace   = 0.3  // m/s: no gap counts as slower

	// So much of the time is spread evenly where all paces are the same, and so
	// much less for each unit of the spread of their logarithms.
	evenMost, evenLess = 0.9, 1.6
	// The doubt about the time falls with that share by so much.
	evenSure = 0.8
)

// steady says which share of the time of each gap is spread evenly over its metres.
func (t *timeline) steady() {
	paces := make([]float64, len(t.gaps))
	for i, g := range t.gaps {
		paces[i] = math.Log(max(leastPace, 1000*g.length/max(1, g.end-g.begin)))
	}
	around := make([]moments, len(t.gaps))
	var before, after moments
	for i := range paces {
		around[i].add(before)
		before.fade(paces[i])
	}
	for i := len(paces) - 1; i >= 0; i-- {
		around[i].add(after)
		after.fade(paces[i])
	}
	for i, m := range around {
		variance := (m.about(paces[i])/2 + paceWeight*paceSpread*paceSpread) / (m.weight + paceWeight)
		t.gaps[i].even = t.pace.Steady * max(0, evenMost-evenLess*math.Sqrt(variance))
	}
}

// moments are those of weighted numbers.
type moments struct{ weight, sum, squares float64 }

func (m *moments) add(o moments) {
	m.weight, m.sum, m.squares = m.weight+o.weight, m.sum+o.sum, m.squares+o.squares
}

// fade counts one more number, and all a step farther away.
func (m *moments) fade(x float64) {
	m.add(moments{1, x, x * x})
	q := math.Exp(-1 / steadyReach)
	m.weight, m.sum, m.squares = q*m.weight, q*m.sum, q*m.squares
}

// about is the sum of squared differences from a number.
func (m moments) about(x float64) float64 {
	return max(0, m.squares-2*x*m.sum+m.weight*x*x)
}
