package metrics

import (
	"fmt"
	"math"

	"retrace/engine/roadnet"
)

// The sections of a result.
const (
	SectionPaper    = "paper"    // the paper's reading
	SectionCode     = "code"     // the authors' code's reading
	SectionHidden   = "hidden"   // ticks that the method had no sample of
	SectionObserved = "observed" // ticks that it had one of
	SectionElevated = "elevated" // stretches on or near elevated roads
	SectionGap      = "gap"      // by time between the observations around a tick
	SectionSince    = "since"    // by time since the last observation
	SectionClass    = "class"    // by class of the true segment

	SectionCalibration = "calibration" // how far the ticks' probabilities are off
	SectionReliability = "reliability" // hidden ticks by their probability

	SectionRisk    = "risk"     // how well the risks tell which trips and gaps are wrong
	SectionOldList = "old list" // the same of how doubts were listed before there were risks
)

// Units of figures.
const (
	unitShare  = "share"
	unitMetres = "m"
)

// measure is one figure that is reported.
type measure struct{ section, group, name, unit string }

// sum is one trip's share in a figure: the figure is the sum of above over the
// sum of below of all trips. Below is 1 in figures that are means over trips.
type sum struct{ above, below float64 }

// sheet is all measures of one trip, always in the same order.
type sheet struct {
	measures []measure
	sums     []sum
}

// add adds a figure that is a mean over trips; here tells whether this trip has it.
func (s *sheet) add(section, name, unit string, value float64, here bool) {
	s.measures = append(s.measures, measure{section, "", name, unit})
	if here {
		s.sums = append(s.sums, sum{value, 1})
	} else {
		s.sums = append(s.sums, sum{})
	}
}

// addPooled adds a figure over the points of all trips.
func (s *sheet) addPooled(section, group, name, unit string, points []Point, f func(Point) float64) {
	s.measures = append(s.measures, measure{section, group, name, unit})
	t := sum{below: float64(len(points))}
	for _, p := range points {
		t.above += f(p)
	}
	s.sums = append(s.sums, t)
}

// sheetOf measures one trip, given the F1 of the path of each stretch on or near an
// elevated road.
func sheetOf(points []Point, driven []float64) *sheet {
	s := &sheet{}
	s.readings(points)
	s.part(SectionHidden, where(points, func(p Point) bool { return !p.Observed }))
	s.part(SectionObserved, where(points, func(p Point) bool { return p.Observed }))
	s.elevated(points, driven)
	hidden := where(points, func(p Point) bool { return !p.Observed })
	s.reliability(hidden)
	s.groups(SectionGap, hidden, []float64{60, 120, 180, 300}, func(p Point) float64 { return p.Gap })
	s.groups(SectionSince, hidden, []float64{15, 30, 45, 60, 90, 120, 180}, func(p Point) float64 { return p.Since })
	for c := range roadnet.Class(roadnet.NumClasses) {
		s.group(SectionClass, c.String(), where(points, func(p Point) bool { return p.Class == c }))
	}
	return s
}

// readings adds the figures of the paper and of its code.
func (s *sheet) readings(points []Point) {
	here := len(points) > 0
	truth, got := paths(points)
	for _, r := range []struct {
		section string
		overlap overlap
		network func(Point) float64
	}{
		{SectionPaper, setOverlap(truth, got), network},
		{SectionCode, sequenceOverlap(truth, got), capped},
	} {
		s.add(r.section, "recall", unitShare, r.overlap.recall, here)
		s.add(r.section, "precision", unitShare, r.overlap.precision, here)
		s.add(r.section, "F1", unitShare, r.overlap.f1, here)
		s.add(r.section, "accuracy", unitShare, mean(points, right), here)
		s.add(r.section, "MAE", unitMetres, mean(points, r.network), here)
		s.add(r.section, "RMSE", unitMetres, rms(points, r.network), here)
	}
	s.add(SectionCode, "great-circle MAE", unitMetres, mean(points, greatCircle), here)
	s.add(SectionCode, "great-circle RMSE", unitMetres, rms(points, greatCircle), here)
}

// part adds what is told of the hidden and of the observed points.
func (s *sheet) part(section string, points []Point) {
	here := len(points) > 0
	s.add(section, "accuracy", unitShare, mean(points, right), here)
	s.add(section, "MAE", unitMetres, mean(points, capped), here)
	s.add(section, "great-circle MAE", unitMetres, mean(points, greatCircle), here)
	s.add(section, "great-circle RMSE", unitMetres, rms(points, greatCircle), here)
	for _, reach := range []float64{25, 50, 100} {
		within := func(p Point) float64 { return share(!p.Missing && p.Great <= reach) }
		s.add(section, fmt.Sprintf("within %g m", reach), unitShare, mean(points, within), here)
	}
	s.add(section, "missing", unitShare, mean(points, func(p Point) float64 { return share(p.Missing) }), here)
}

// sure is the margin from which on a deck counts as told without doubt.
const sure = 0.2

// elevated adds SR%k: the share of stretches on or near elevated roads whose F1
// exceeds k, by the segments at their ticks as in the paper, and by the path that is
// driven on them, which no error in time makes worse; and how often the deck is right
// there. That a vehicle is told to be on the ground while it is on a deck is mostly an
// error in time, so it is also told how often the deck is right where truth and
// recovery both are on a deck or below one: whether one is taken for the other.
func (s *sheet) elevated(points []Point, driven []float64) {
	var f1 []float64
	for _, st := range stretches(points) {
		truth, got := paths(st)
		f1 = append(f1, setOverlap(truth, got).f1)
	}
	s.successes("", f1)
	s.successes(" of the path driven", driven)
	onDeck := func(p Point) float64 { return share(p.DeckRight) }
	told := where(points, func(p Point) bool { return p.Near && !p.Missing })
	s.addPooled(SectionElevated, "", "deck right", unitShare, told, onDeck)
	clear := where(told, func(p Point) bool { return p.Margin >= sure })
	s.addPooled(SectionElevated, "", fmt.Sprintf("deck right where the margin is %g or more", sure), unitShare, clear, onDeck)
	both := func(p Point) bool { return p.Stacked }
	s.addPooled(SectionElevated, "", "deck right, not below, or below, not the deck", unitShare, where(told, both), onDeck)
	s.addPooled(SectionElevated, "", fmt.Sprintf("the same where the margin is %g or more", sure), unitShare, where(clear, both), onDeck)
	s.addPooled(SectionElevated, "", fmt.Sprintf("margin %g or more", sure), unitShare, told, func(p Point) float64 { return share(p.Margin >= sure) })
}

// successes adds the shares of stretches whose F1 exceeds k.
func (s *sheet) successes(of string, f1 []float64) {
	for _, k := range []float64{0.5, 0.6, 0.7, 0.8, 0.9} {
		t := sum{below: float64(len(f1))}
		for _, f := range f1 {
			t.above += share(f > k)
		}
		s.measures = append(s.measures, measure{SectionElevated, "", fmt.Sprintf("SR%%%.0f%s", 100*k, of), unitShare})
		s.sums = append(s.sums, t)
	}
}

// groups adds a group for each range between limits, in seconds.
func (s *sheet) groups(section string, points []Point, limits []float64, key func(Point) float64) {
	low := math.Inf(-1)
	for i, high := range append(limits, math.Inf(1)) {
		name := fmt.Sprintf("up to %g s", high)
		if math.IsInf(high, 1) {
			name = fmt.Sprintf("over %g s", limits[i-1])
		}
		s.group(section, name, where(points, func(p Point) bool { return key(p) > low && key(p) <= high }))
		low = high
	}
}

func (s *sheet) group(section, name string, points []Point) {
	s.addPooled(section, name, "accuracy", unitShare, points, right)
	s.addPooled(section, name, "MAE", unitMetres, points, capped)
}

func where(points []Point, keep func(Point) bool) []Point {
	var out []Point
	for _, p := range points {
		if keep(p) {
			out = append(out, p)
		}
	}
	return out
}

func network(p Point) float64     { return p.Network }
func capped(p Point) float64      { return math.Min(codeCap, p.Network) }
func greatCircle(p Point) float64 { return p.Great }
func right(p Point) float64       { return share(p.Right) }

func share(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func mean(points []Point, f func(Point) float64) float64 {
	total := 0.0
	for _, p := range points {
		total += f(p)
	}
	return total / float64(max(1, len(points)))
}

// rms is the root of the mean square.
func rms(points []Point, f func(Point) float64) float64 {
	total := 0.0
	for _, p := range points {
		total += f(p) * f(p)
	}
	return math.Sqrt(total / float64(max(1, len(points))))
}
