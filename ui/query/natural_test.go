package query

import "testing"

func TestTextsAreSortedAsPeopleDo(t *testing.T) {
	list := []string{"Bus 2", "taxi 007", "taxi 8", "Taxi 9", "taxi 10", "taxi 10 b", "taxi 100", "tram"}
	for i := 1; i < len(list); i++ {
		if a, b := NaturalKey(list[i-1]), NaturalKey(list[i]); a >= b {
			t.Errorf("%q does not come before %q", list[i-1], list[i])
		}
	}
}
