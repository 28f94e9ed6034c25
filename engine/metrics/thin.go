package metrics

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"retrace/engine/trajectory"
)

// Keep says which points of a dense trip are kept: a share of the inner ones at
// random, as in the paper, or points a gap apart. Both ends are always kept.
type Keep struct {
	Ratio    float64       // of the inner points; 0: by gap
	Min, Max time.Duration // the gap, drawn anew each time between these two
}

// ParseKeep reads a ratio ("1/8", "0.125"), a gap ("60s") or a range of gaps
// ("60s-180s").
func ParseKeep(text string) (Keep, error) {
	bad := func() (Keep, error) {
		return Keep{}, fmt.Errorf("keep %q: want a share such as 1/8 or 0.125, a gap such as 60s or a range of gaps such as 60s-180s", text)
	}
	if up, down, ok := strings.Cut(text, "/"); ok {
		a, err1 := strconv.ParseFloat(up, 64)
		b, err2 := strconv.ParseFloat(down, 64)
		if k := (Keep{Ratio: a / b}); err1 == nil && err2 == nil && k.Ratio > 0 && k.Ratio <= 1 {
			return k, nil
		}
		return bad()
	}
	if r, err := strconv.ParseFloat(text, 64); err == nil {
		if r > 0 && r <= 1 {
			return Keep{Ratio: r}, nil
		}
		return bad()
	}
	low, high, ranged := strings.Cut(text, "-")
	if !ranged {
		high = low
	}
	a, err1 := time.ParseDuration(low)
	b, err2 := time.ParseDuration(high)
	if err1 != nil || err2 != nil || a <= 0 || b < a {
		return bad()
	}
	return Keep{Min: a, Max: b}, nil
}

// ParseKeeps reads several.
func ParseKeeps(texts []string) ([]Keep, error) {
	all := make([]Keep, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = ParseKeep(text); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// String is the text that ParseKeep reads.
func (k Keep) String() string {
	switch n := 1 / k.Ratio; {
	case k.Ratio == 0 && k.Min == k.Max:
		return k.Min.String()
	case k.Ratio == 0:
		return k.Min.String() + "-" + k.Max.String()
	case n == float64(int(n)):
		return fmt.Sprintf("1/%d", int(n))
	}
	return strconv.FormatFloat(k.Ratio, 'g', -1, 64)
}

// Thin is the trip with the points that are kept.
func (k Keep) Thin(t *trajectory.Trajectory, seed uint64) *trajectory.Trajectory {
	out := *t
	out.Samples = nil
	for _, i := range k.Kept(t, seed) {
		out.Samples = append(out.Samples, t.Samples[i])
	}
	return &out
}

// Each are trips with the points that are kept, one after another. Errors are
// handed on.
func (k Keep) Each(dense iter.Seq2[*trajectory.Trajectory, error], seed uint64) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for t, err := range dense {
			if err == nil {
				t = k.Thin(t, seed)
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

// Kept are the indices of the points that are kept, rising. Seed and the trip's
// id and first instant decide which, so the order of trips does not matter.
func (k Keep) Kept(t *trajectory.Trajectory, seed uint64) []int {
	return k.chosen(Draws(t, seed, ""), t.Samples)
}

// Draws are the random numbers of a trip for a purpose: seed, purpose and the
// trip's id and first instant decide them.
func Draws(t *trajectory.Trajectory, seed uint64, purpose string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, purpose, t.ID)
	if len(t.Samples) > 0 {
		fmt.Fprint(h, "@", t.Samples[0].Time)
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// chosen are the indices of the samples that are kept, rising.
func (k Keep) chosen(rng *rand.Rand, s []trajectory.Sample) []int {
	n := len(s)
	if n < 3 {
		return upTo(n)
	}
	if k.Ratio > 0 {
		inner := rng.Perm(n - 2)[:int(float64(n-2)*k.Ratio)]
		slices.Sort(inner)
		out := []int{0}
		for _, i := range inner {
			out = append(out, i+1)
		}
		return append(out, n-1)
	}
	out := []int{0}
	next := s[0].Time + k.gap(rng)
	for i := 1; i < n-1; i++ {
		if s[i].Time >= next {
			out = append(out, i)
			next = s[i].Time + k.gap(rng)
		}
	}
	return append(out, n-1)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// gap draws a gap, milliseconds.
func (k Keep) gap(rng *rand.Rand) int64 {
	return k.Min.Milliseconds() + rng.Int64N((k.Max-k.Min).Milliseconds()+1)
}
