package main

import (
	"slices"
	"testing"
)

func TestChangesAreSpelledOut(t *testing.T) {
	if got := each("HMM.Turn=40,80"); !slices.Equal(got, []string{"HMM.Turn=40", "HMM.Turn=80"}) {
		t.Errorf("values %q", got)
	}
	if got := each("HMM.Turn=40+Pace.End=1"); len(got) != 1 {
		t.Errorf("values %q", got)
	}
}
