package trial

import (
	"testing"

	"retrace/engine"
)

func TestFieldsAreSetByName(t *testing.T) {
	s := engine.DefaultSettings()
	for _, change := range []string{"HMM.Turn=41", "HMM.MaxCandidates=3", "Pace.End=1.5"} {
		if err := Change(&s, change); err != nil {
			t.Error(err)
		}
	}
	if s.HMM.Turn != 41 || s.HMM.MaxCandidates != 3 || s.Pace.End != 1.5 {
		t.Errorf("settings %v", s)
	}
	for _, change := range []string{"HMM.Turns=4", "Turn=4", "HMM.Turn=wide", "HMM.Turn", "Method=1"} {
		if err := Change(&s, change); err == nil {
			t.Errorf("%s was set", change)
		}
	}
	if err := Change(&s, "HMM.Turn=42+Pace.End=2"); err != nil || s.HMM.Turn != 42 || s.Pace.End != 2 {
		t.Errorf("two at once: %v, %v, %v", s.HMM.Turn, s.Pace.End, err)
	}
}
