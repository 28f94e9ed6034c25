package metrics

import "testing"

func TestSplitOf(t *testing.T) {
	// From Python: int(hashlib.sha1(id).hexdigest(), 16) % 10.
	for id, want := range map[string]Split{
		"d": Validation, "f": Test, "a": Training, "g": Training, "trip 7": Training, "é": Training,
	} {
		if got := SplitOf(id); got != want {
			t.Errorf("%s is %v, want %v", id, got, want)
		}
	}
}
