package engine

import (
	"context"
	"strings"
	"testing"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// A method that knows single instants is told from one that knows gaps only;
// where a model was asked in vain a warning says so.
func TestTicksTellWhatIsKnownOfTheirInstant(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C
	        |
	        D
	`, "ABC highway=residential oneway=yes", "BD highway=residential oneway=yes")
	r, err := NewRecoverer(net.Network, DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	ab, bc, bd := net.Pos("AB", 0.5), net.Pos("BC", 0.5), net.Seg("BD")
	trip := &trajectory.Trajectory{ID: "x", Samples: []trajectory.Sample{{Time: 0}, {Time: 30_000}, {Time: 45_000}}}
	leg := match.Leg{
		From: 0, To: 1, Path: []roadnet.SegmentID{ab.Segment, bc.Segment},
		Shares:   []match.Share{{Segment: ab.Segment, Probability: 1}, {Segment: bc.Segment, Probability: 0.9}, {Segment: bd, Probability: 0.1}},
		Times:    []match.Time{{Step: 0, To: 0.75, Share: 0.5}, {Step: 0, To: 1, Share: 0.7}, {Step: 1, To: 0.5, Share: 1}},
		Instants: []match.Instant{{Time: 15_000, Shares: []match.Share{{Segment: ab.Segment, Probability: 0.625}, {Segment: bc.Segment, Probability: 0.375}}}},
	}
	still := match.Leg{From: 1, To: 2, Path: []roadnet.SegmentID{bc.Segment}, Unmodelled: true}
	rec, _, err := r.assemble(context.Background(), trip, &match.Result{
		Matches: []trajectory.SampleMatch{{At: ab}, {At: bc}, {At: bc}}, Legs: []match.Leg{leg, still},
	})
	if err != nil {
		t.Fatal(err)
	}
	tick := rec.Ticks[1]
	if tick.Time != 15_000 || tick.At.Segment != ab.Segment || tick.At.Ratio != 0.75 || tick.Probability != 0.625 {
		t.Errorf("the tick after 15 s is %+v", tick)
	}
	if len(rec.Warnings) != 1 || !strings.Contains(rec.Warnings[0], "point 2 to point 3") {
		t.Errorf("warnings %q", rec.Warnings)
	}
}
