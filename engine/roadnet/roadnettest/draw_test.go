package roadnettest

import "testing"

func TestDrawingBecomesANetwork(t *testing.T) {
	net := Draw(t, 100, `
	    A---B---C
	        |
	        D
	`,
		"ABC highway=primary name=High_Street",
		"BD oneway=yes",
		"B highway=traffic_signals",
	)
	if got := net.Path(net.Next(net.Seg("AB"))); got != "BC BD" && got != "BD BC" {
		t.Errorf("after AB: %s", got)
	}
	if got := net.Segment(net.Seg("BA")).Name; got != "High Street" {
		t.Errorf("name %q", got)
	}
	if got := net.Length(net.Seg("AB")); got < 399.9 || got > 400.1 {
		t.Errorf("AB is %g m long, 4 characters of 100 m", got)
	}
	if _, atEnd := net.ControlCounts(net.Seg("AB")); atEnd.Signals != 1 {
		t.Errorf("signals at the end of AB: %d", atEnd.Signals)
	}
}

func TestRandomAndGrid(t *testing.T) {
	if net := Random(1, 10); net.NumSegments() < 200 {
		t.Errorf("%d segments", net.NumSegments())
	}
	if net := GridCity(20); net.NumSegments() != 4*20*19 || net.NumComponents() != 1 {
		t.Errorf("%d segments in %d components", net.NumSegments(), net.NumComponents())
	}
}
