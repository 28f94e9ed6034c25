package main

import (
	"slices"
	"testing"

	"retrace/engine"
)

func TestChangesAreSpelledOutAndSet(t *testing.T) {
	if got := each("HMM.Turn=40,80"); !slices.Equal(got, []string{"HMM.Turn=40", "HMM.Turn=80"}) {
		t.Errorf("values %q", got)
	}
	if got := each("HMM.Turn=40+Pace.End=1"); len(got) != 1 {
		t.Errorf("values %q", got)
	}
	s := engine.DefaultSettings()
	for _, change := range []string{"HMM.Turn=41", "HMM.MaxCandidates=3", "Pace.End=1.5"} {
		if err := set(&s, change); err != nil {
			t.Error(err)
		}
	}
	if s.HMM.Turn != 41 || s.HMM.MaxCandidates != 3 || s.Pace.End != 1.5 {
		t.Errorf("settings %v", s)
	}
	for _, change := range []string{"HMM.Turns=4", "Turn=4", "HMM.Turn=wide", "HMM.Turn", "Method=1"} {
		if err := set(&s, change); err == nil {
			t.Errorf("%s was set", change)
		}
	}
}
