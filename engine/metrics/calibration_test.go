package metrics

import (
	"math"
	"testing"
)

// claim is hidden points of one probability, so many of which are right.
func claim(p float64, points, right int) []Point {
	out := make([]Point, points)
	for i := range out {
		out[i] = Point{Probability: p, Right: i < right}
	}
	return out
}

func scored(parts ...[]Point) *Score {
	s := &Score{}
	for _, p := range parts {
		s.Points = append(s.Points, p...)
	}
	s.sums = sheetOf(s.Points, nil).sums
	return s
}

func TestCalibrationComparesWhatIsClaimedWithWhatIsRight(t *testing.T) {
	observed := claim(1, 10, 0)
	for i := range observed {
		observed[i].Observed = true
	}
	missing := []Point{{Missing: true, Probability: 1}}
	// The bins are pooled over trips: that one trip is better than it claims and
	// another worse does not count.
	scores := []*Score{scored(claim(0.8, 40, 40), observed), scored(claim(0.8, 40, 20), claim(0.5, 20, 5), missing)}
	checkFigures(t, map[[2]string]float64{
		{SectionCalibration, "hidden ECE"}:            (80*0.05 + 20*0.25) / 100,
		{SectionCalibration, "all ECE"}:               (80*0.05 + 20*0.25 + 10*1) / 110,
		{SectionReliability, "0.80-0.87 probability"}: 0.8,
		{SectionReliability, "0.80-0.87 right"}:       0.75,
		{SectionReliability, "0.47-0.53 right"}:       0.25,
	}, scores...)
}

func TestCertaintyFallsIntoTheLastBin(t *testing.T) {
	checkFigures(t, map[[2]string]float64{
		{SectionReliability, "0.93-1.00 right"}: 0.5,
		{SectionReliability, "0.00-0.07 right"}: 1,
	}, scored(claim(1, 4, 2), claim(0, 1, 1)))
}

// The difference of a method from itself is nothing in every draw.
func TestCalibrationIsComparedInPairs(t *testing.T) {
	scores := []*Score{scored(claim(0.3, 10, 5)), scored(claim(0.9, 10, 5)), scored(claim(0.6, 10, 6))}
	for _, f := range calibrationDifference(scores, scores, newResampler(3, 50, 1)) {
		if math.Abs(f.Value)+math.Abs(f.Low)+math.Abs(f.High) > 1e-12 || f.N != 30 {
			t.Errorf("%+v", f)
		}
	}
}
