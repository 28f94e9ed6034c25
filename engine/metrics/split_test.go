package metrics

import "testing"

func TestSplitOf(t *testing.T) {
	// From Python: int(hashlib.sha1(id).hexdigest(), 16) % 10.
	for id, want := range map[string]Split{
		"d": Validation, "f": Test, "a": Training, "g": Training, "trip 7": Training, "é": Training,
		// By hand: the well-known digest of this pangram is
		// 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12. Powers of 16 end in 6, so as a
		// decimal it ends as 6 * 331 + 2 does, 331 being the sum of all its hex
		// digits but the last: in 8.
		"The quick brown fox jumps over the lazy dog": Validation,
		// What tells trips of one id apart does not count.
		"f@1372636858": Test,
	} {
		if got := SplitOf(id); got != want {
			t.Errorf("%s is %v, want %v", id, got, want)
		}
	}
}
