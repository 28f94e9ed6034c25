package metrics

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/trajectory"
)

func trip(n int, every int64) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: "t"}
	for i := range n {
		t.Samples = append(t.Samples, trajectory.Sample{Time: int64(i) * every, Lon: float64(i)})
	}
	return t
}

func TestThinningKeepsWhatThePaperSays(t *testing.T) {
	for _, c := range []struct {
		n     int
		ratio float64
		want  int
	}{{50, 1. / 8, 8}, {50, 1. / 16, 5}, {2, 1. / 8, 2}, {3, 1. / 8, 2}, {10, 1. / 8, 3}, {1, 1. / 8, 1}, {0, 1. / 8, 0}, {12, 1, 12}} {
		if got := len(Keep{Ratio: c.ratio}.Thin(trip(c.n, 15000), 1).Samples); got != c.want {
			t.Errorf("%d points at %v: %d kept, want %d", c.n, c.ratio, got, c.want)
		}
	}
}

func TestThinning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		full := trip(rapid.IntRange(2, 200).Draw(t, "points"), 15000)
		seed := rapid.Uint64().Draw(t, "seed")
		low := time.Duration(rapid.IntRange(15, 300).Draw(t, "low")) * time.Second
		high := low + time.Duration(rapid.IntRange(0, 300).Draw(t, "more"))*time.Second
		for _, k := range []Keep{{Ratio: rapid.Float64Range(0.01, 1).Draw(t, "ratio")}, {Min: low, Max: high}} {
			got := k.Thin(full, seed).Samples
			if got[0] != full.Samples[0] || got[len(got)-1] != full.Samples[len(full.Samples)-1] {
				t.Errorf("%v: the ends are not kept", k)
			}
			if !slices.IsSortedFunc(got, func(a, b trajectory.Sample) int { return int(a.Time - b.Time) }) {
				t.Errorf("%v: the order is lost", k)
			}
			for i := 1; i < len(got)-1 && k.Ratio == 0; i++ {
				if gap := time.Duration(got[i].Time-got[i-1].Time) * time.Millisecond; gap < low || gap > high+15*time.Second {
					t.Errorf("a gap of %v, want %v to %v", gap, low, high)
				}
			}
			if d := cmp.Diff(got, k.Thin(full, seed).Samples); d != "" {
				t.Errorf("%v: two thinnings of one seed differ: %s", k, d)
			}
		}
	})
}

// Trips are thinned one by one as each alone, and no more of them than are asked for.
func TestAListIsThinnedAsEachOfIt(t *testing.T) {
	k, dense := Keep{Ratio: 1. / 8}, []*trajectory.Trajectory{trip(50, 15000), trip(20, 30000), trip(9, 1000)}
	dense[1].ID = "u"
	seen := 0
	for got, err := range k.Each(trajectory.Each(dense), 7) {
		if d := cmp.Diff(got, k.Thin(dense[seen], 7)); d != "" || err != nil {
			t.Errorf("trip %d: %s, error %v", seen, d, err)
		}
		if seen++; seen == 2 {
			break
		}
	}
	if seen != 2 || len(dense[0].Samples) != 50 {
		t.Errorf("%d trips; the first has %d points left", seen, len(dense[0].Samples))
	}
}

func TestParseKeep(t *testing.T) {
	for text, want := range map[string]Keep{
		"1/8":      {Ratio: 0.125},
		"1/16":     {Ratio: 0.0625},
		"0.3":      {Ratio: 0.3},
		"60s":      {Min: time.Minute, Max: time.Minute},
		"1m0s-3m":  {Min: time.Minute, Max: 3 * time.Minute},
		"30s-300s": {Min: 30 * time.Second, Max: 5 * time.Minute},
	} {
		got, err := ParseKeep(text)
		if err != nil || got != want {
			t.Errorf("ParseKeep(%q) = %+v, %v; want %+v", text, got, err, want)
		}
		if again, err := ParseKeep(got.String()); err != nil || again != want {
			t.Errorf("%q is written %q, which reads as %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "0", "2", "1/0", "9/8", "-1/8", "8", "60", "0s", "-5s", "90s-60s", "x", "1/8/2", "NaN", "1/NaN"} {
		if k, err := ParseKeep(text); err == nil {
			t.Errorf("ParseKeep(%q) = %+v, want an error", text, k)
		}
	}
}
