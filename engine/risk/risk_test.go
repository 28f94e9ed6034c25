package risk

import (
	"math"
	"reflect"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// leg is a leg over A, B and D with another way over C, which is as likely as told.
func leg(t *testing.T, other float32) (*roadnettest.Net, *match.Leg) {
	net := roadnettest.Draw(t, 100, `
		S---A---B---D---E
		    |       |
		    +---C---+
	`, "SA", "AB", "BD", "DE", "AC", "CD")
	seg := net.Seg
	told, way := []roadnet.SegmentID{seg("SA"), seg("AB"), seg("BD"), seg("DE")}, []roadnet.SegmentID{seg("SA"), seg("AC"), seg("CD"), seg("DE")}
	l := &match.Leg{Path: told, Others: []match.Way{{Part: trajectory.Part{Segments: way, StartRatio: 0.5, EndRatio: 0.5}, Probability: other}}}
	for _, id := range told {
		p := float32(1)
		if id == told[1] || id == told[2] {
			p = 1 - other
		}
		l.Shares = append(l.Shares, match.Share{Segment: id, Probability: p})
	}
	for _, id := range way[1:3] {
		l.Shares = append(l.Shares, match.Share{Segment: id, Probability: other})
	}
	sortShares(l.Shares)
	return net, l
}

func sortShares(all []match.Share) {
	for i := range all {
		for k := i; k > 0 && all[k].Segment < all[k-1].Segment; k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
}

func evidenceOf(t *testing.T, other float32) Evidence {
	net, l := leg(t, other)
	e := Evidence{Seconds: 120, Along: 30}
	e.Leg(net.Network, l, net.Pos("SA", 0.5), net.Pos("DE", 0.5))
	return e
}

func TestEvidenceOfALeg(t *testing.T) {
	sure, even := evidenceOf(t, 0), evidenceOf(t, 0.6)
	if sure.Own != 1 || sure.Next != 0 || sure.Lost > 0.01 || sure.Aside > 1 || sure.Odd() != 0 {
		t.Errorf("a way without another is sure: %+v", sure)
	}
	if math.Abs(even.Own-0.4) > 1e-6 || math.Abs(even.Next-0.6) > 1e-6 || even.Lost < 0.3 || even.Missed < 0.3 || even.Aside < 20 {
		t.Errorf("the other way is the more probable one: %+v", even)
	}
	quick := sure
	quick.Seconds = 5
	if !quick.Odd().Has(trajectory.Speeds) {
		t.Error("1,200 m in 5 s are not odd")
	}
}

// What is in coefficients.go must say what any user would: whoever doubts the way more
// has the higher risk, and a longer doubt along the way the larger error.
func TestFittedRisksFollowTheEvidence(t *testing.T) {
	for method := range fitted() {
		w := Of(method)
		if len(w.GapWrong) != numGap || len(w.GapError) != numGap || len(w.TripWrong) != numTrip || len(w.TripError) != numTrip {
			t.Fatalf("%s: coefficients.go is of other features: run tools/risk", method)
		}
		sure, even := w.Gap(evidenceOf(t, 0)), w.Gap(evidenceOf(t, 0.6))
		if even.Wrong < 0.5 || even.Wrong < sure.Wrong+0.2 || even.Error <= sure.Error {
			t.Errorf("%s: sure %+v, in doubt %+v", method, sure, even)
		}
		far := evidenceOf(t, 0)
		far.Along = 300
		if w.Gap(far).Error <= sure.Error {
			t.Errorf("%s: with ten times the doubt along the way %.0f m are expected, not more than %.0f", method, w.Gap(far).Error, sure.Error)
		}
		gaps := []Evidence{evidenceOf(t, 0.6)}
		if got := w.Trip(gaps, []Verdict{{Wrong: 0.9, Error: 600}}); got.Wrong < 0.5 || got.Wrong > 1 {
			t.Errorf("%s: a trip that is expected 600 m off has the risk %.2f", method, got.Wrong)
		}
		if broken := w.Gap(Evidence{Broken: true, Straight: 400}); broken.Wrong != 1 || broken.Error != 200 {
			t.Errorf("%s: where no way is told none is right: %+v", method, broken)
		}
	}
	if !reflect.DeepEqual(Of("t2vec"), Of("hmm")) {
		t.Error("a method without weights of its own has not those of map matching")
	}
}
