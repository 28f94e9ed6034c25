package roadnet_test

import (
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// stacked is an expressway A-B-C-D on a deck from B to C, a street E-F beside
// and under it, a street G-H across, a one-way street I-J in the other
// direction, and a street K-L too far away. One character is 10 m.
func stacked(t roadnettest.TB) *roadnettest.Net {
	return roadnettest.Draw(t, 10, `
	                    G
	A---------B---------------------------C---------D
	      E------------------------F
	  I---------------------------------------------J


	K-----------------------------------------------L
	                    H
	`,
		"AB highway=motorway",
		"BC highway=motorway bridge=yes layer=1",
		"CD highway=motorway",
		"EF highway=residential",
		"GH highway=residential",
		"JI highway=secondary oneway=yes",
		"KL highway=residential",
	)
}

func TestStackedRoads(t *testing.T) {
	net := stacked(t)
	if !net.Flags(net.Seg("BC")).Has(roadnet.FlagElevated | roadnet.FlagAmbiguous) {
		t.Error("BC is not marked as elevated and ambiguous")
	}
	for _, s := range []string{"AB", "CD", "EF", "GH", "JI", "KL"} {
		if f := net.Flags(net.Seg(s)); f&(roadnet.FlagElevated|roadnet.FlagAmbiguous) != 0 {
			t.Errorf("%s is marked as elevated or ambiguous", s)
		}
	}
	wantStretches(t, net, "BC", net.Ambiguous(net.Seg("BC")), map[string][2]float64{"EF": {0, 210}, "JI": {0, 280}})
	wantStretches(t, net, "CB", net.Ambiguous(net.Seg("CB")), map[string][2]float64{"FE": {70, 280}, "JI": {0, 280}})
	wantStretches(t, net, "EF", net.BelowDeck(net.Seg("EF")), map[string][2]float64{"BC": {40, 250}})
	wantStretches(t, net, "FE", net.BelowDeck(net.Seg("FE")), map[string][2]float64{"CB": {0, 210}})
	wantStretches(t, net, "JI", net.BelowDeck(net.Seg("JI")), map[string][2]float64{"CB": {100, 380}})
	wantStretches(t, net, "AB", net.BelowDeck(net.Seg("AB")), nil)
	wantStretches(t, net, "GH", net.BelowDeck(net.Seg("GH")), nil)
}

// wantStretches checks stretches by the letters of the other road, to the
// 10 m in which they are found.
func wantStretches(t *testing.T, net *roadnettest.Net, of string, got []roadnet.Stretch, want map[string][2]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d stretches, want %d", of, len(got), len(want))
	}
	for _, s := range got {
		name := net.Path([]roadnet.SegmentID{s.Other})
		w, ok := want[name]
		if !ok || abs(s.From-w[0]) > 10 || abs(s.To-w[1]) > 10 {
			t.Errorf("%s: %s from %.0f to %.0f m, want %v", of, name, s.From, s.To, w)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestBridgeWithoutLayer(t *testing.T) {
	for _, c := range []struct {
		tags     string
		elevated bool
	}{
		{"highway=primary bridge=yes", true},
		{"highway=motorway_link bridge=yes", true},
		{"highway=tertiary bridge=yes", false},
		{"highway=tertiary bridge=yes layer=1", false},
		{"highway=primary bridge=yes layer=0", false},
		{"highway=primary layer=1", false},
		{"highway=secondary bridge=yes layer=2", true},
	} {
		net := roadnettest.Draw(t, 10, "A------B", "AB "+c.tags)
		if got := net.Flags(net.Seg("AB")).Has(roadnet.FlagElevated); got != c.elevated {
			t.Errorf("%s: elevated is %v", c.tags, got)
		}
	}
}
