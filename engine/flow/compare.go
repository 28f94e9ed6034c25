package flow

import (
	"cmp"
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// Difference is how much more often something was driven after than before.
type Difference struct {
	Mean     float64 // after less before
	Interval         // where it lies with the probability of the study
	Chance   bool    // the interval holds 0: it could be chance
	Withheld bool    // one of the two is withheld
}

// Differ compares two counts, each divided by its own measure, such as days. The
// interval is made of those of the counts (the method of variance estimates recovery:
// Zou and Donner, Construction of confidence limits about effect measures, Statistics
// in Medicine 27 (2008), 1693-1702): with x from l to u before and X from L to U after,
// it goes from d - √((X-L)² + (u-x)²) to d + √((U-X)² + (x-l)²), d = X - x.
func Differ(before, after Count, beforeBy, afterBy float64) Difference {
	if before.Withheld || after.Withheld {
		nan := math.NaN()
		return Difference{Mean: nan, Interval: Interval{nan, nan}, Withheld: true}
	}
	x, l, u := before.Mean/beforeBy, before.Low/beforeBy, before.High/beforeBy
	X, L, U := after.Mean/afterBy, after.Low/afterBy, after.High/afterBy
	d := Difference{Mean: X - x}
	d.Low = d.Mean - math.Hypot(X-L, u-x)
	d.High = d.Mean + math.Hypot(U-X, x-l)
	d.Chance = d.Low <= 0 && d.High >= 0
	return d
}

// CompareRow is how one segment was driven before and after, in one slot.
type CompareRow struct {
	Segment       roadnet.SegmentID
	Slot          Slot
	Before, After Count
	Difference    Difference
	Speeds        [2]Speeds // before, after
}

// Compare puts two studies of links beside one another, whose counts are divided by
// their own measures. A link that one of them does not name was driven there by nobody.
func Compare(before, after *LinkStudy, beforeBy, afterBy float64) []CompareRow {
	rows := map[linkKey]*CompareRow{}
	none := [2]Count{before.study.count(&cell{}), after.study.count(&cell{})}
	for side, study := range [2]*LinkStudy{before, after} {
		for _, r := range study.Rows() {
			key := linkKey{r.Segment, r.Slot}
			row := rows[key]
			if row == nil {
				row = &CompareRow{Segment: r.Segment, Slot: r.Slot, Before: none[0], After: none[1]}
				row.Speeds = [2]Speeds{before.study.speeds(&cell{}, false), after.study.speeds(&cell{}, false)}
				rows[key] = row
			}
			if row.Speeds[side] = r.Speeds; side == 0 {
				row.Before = r.Count
			} else {
				row.After = r.Count
			}
		}
	}
	all := make([]CompareRow, 0, len(rows))
	for _, row := range rows {
		row.Difference = Differ(row.Before, row.After, beforeBy, afterBy)
		all = append(all, *row)
	}
	slices.SortFunc(all, func(a, b CompareRow) int {
		return cmp.Or(cmp.Compare(a.Segment, b.Segment), compareSlots(a.Slot, b.Slot))
	})
	return all
}
