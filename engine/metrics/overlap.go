package metrics

import "retrace/engine/roadnet"

// overlap is recall, precision and F1 of one travelled path.
type overlap struct{ recall, precision, f1 float64 }

func overlapOf(common, truth, got int) overlap {
	if common == 0 || truth == 0 || got == 0 {
		return overlap{}
	}
	r, p := float64(common)/float64(truth), float64(common)/float64(got)
	return overlap{r, p, 2 * r * p / (r + p)}
}

// setOverlap compares two paths as sets of segments.
func setOverlap(truth, got []roadnet.SegmentID) overlap {
	a, b := set(truth), set(got)
	common := 0
	for s := range a {
		if b[s] {
			common++
		}
	}
	return overlapOf(common, len(a), len(b))
}

func set(path []roadnet.SegmentID) map[roadnet.SegmentID]bool {
	out := make(map[roadnet.SegmentID]bool, len(path))
	for _, s := range path {
		out[s] = true
	}
	return out
}

// sequenceOverlap compares two paths by their longest common subsequence after
// repeats in a row are dropped.
func sequenceOverlap(truth, got []roadnet.SegmentID) overlap {
	a, b := collapse(truth), collapse(got)
	return overlapOf(commonSubsequence(a, b), len(a), len(b))
}

func collapse(path []roadnet.SegmentID) []roadnet.SegmentID {
	var out []roadnet.SegmentID
	for i, s := range path {
		if i == 0 || s != path[i-1] {
			out = append(out, s)
		}
	}
	return out
}

// commonSubsequence is the length of the longest one.
func commonSubsequence(a, b []roadnet.SegmentID) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			switch {
			case x == y:
				row[j+1] = diagonal + 1
			case row[j] > above:
				row[j+1] = row[j]
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
