package metrics

import (
	"cmp"
	"math"
	"slices"
)

// Ranking measures what was said of how far trips and their gaps can be trusted.
type Ranking struct {
	trips []asserted
	gaps  [][]asserted // by trip
}

// asserted is what was said of something, and what is true.
type asserted struct {
	risk, expected float64 // probability that it is wrong; metres
	wrong          bool
	err            float64 // metres; less than 0: not known
}

// AddGap adds a gap of the trip that is added next: the risk said and whether it is wrong,
// the error expected and what it is, in metres.
func (r *Ranking) AddGap(said float64, wrong bool, expected, err float64) {
	if len(r.gaps) == len(r.trips) {
		r.gaps = append(r.gaps, nil)
	}
	last := len(r.gaps) - 1
	r.gaps[last] = append(r.gaps[last], asserted{said, expected, wrong, err})
}

// AddTrip adds a trip, in the same words.
func (r *Ranking) AddTrip(said float64, wrong bool, expected, err float64) {
	r.trips = append(r.trips, asserted{said, expected, wrong, err})
	for len(r.gaps) < len(r.trips) {
		r.gaps = append(r.gaps, nil)
	}
}

// The figures of a ranking. The worst trips are the tenth with the largest error.
const (
	FoundEarly  = "worst trips in the first fifth"
	WorstAUC    = "AUC of the worst trips"
	TripRiskECE = "ECE, trips"
	GapRiskECE  = "ECE, gaps"
	GapAUC      = "AUC of wrong gaps"
	WrongTrips  = "wrong trips"
	WrongGaps   = "wrong gaps"
	SaidError   = "error expected of a trip"
	SeenError   = "error of a trip"
)

const (
	worstShare  = 0.1
	earlyShare  = 0.2
	numRiskBins = 10 // of equal width
)

// Figures measures all that was added.
func (r *Ranking) Figures() []Figure { return r.figures(SectionRisk, nil) }

// figures measures trips so many times each; nil: once.
func (r *Ranking) figures(section string, draws *resampler) []Figure {
	var all []Figure
	for _, f := range []struct {
		name, unit string
		of         func(times []uint16) float64
	}{
		{FoundEarly, unitShare, func(n []uint16) float64 { return r.worst(n, early) }},
		{WorstAUC, unitShare, func(n []uint16) float64 { return r.worst(n, auc) }},
		{TripRiskECE, unitShare, func(n []uint16) float64 { return riskError(repeat(r.trips, n)) }},
		{GapRiskECE, unitShare, func(n []uint16) float64 { return riskError(r.allGaps(n)) }},
		{GapAUC, unitShare, func(n []uint16) float64 { return auc(r.allGaps(n)) }},
		{WrongTrips, unitShare, func(n []uint16) float64 { return wrongShare(repeat(r.trips, n)) }},
		{WrongGaps, unitShare, func(n []uint16) float64 { return wrongShare(r.allGaps(n)) }},
		{SaidError, unitMetres, func(n []uint16) float64 {
			return meanOf(repeat(r.trips, n), func(c asserted) float64 { return c.expected })
		}},
		{SeenError, unitMetres, func(n []uint16) float64 { return meanOf(repeat(r.trips, n), func(c asserted) float64 { return c.err }) }},
	} {
		value := f.of(nil)
		if math.IsNaN(value) {
			continue
		}
		figure := Figure{Section: section, Name: f.name, Unit: f.unit, Value: value, Low: value, High: value, N: float64(len(r.trips))}
		if draws != nil {
			var values []float64
			for _, times := range draws.times {
				values = append(values, f.of(times))
			}
			figure.Low, figure.High = middle(values, value)
		}
		all = append(all, figure)
	}
	return all
}

// repeat are trips so many times each; nil: once.
func repeat[T any](all []T, times []uint16) []T {
	if times == nil {
		return all
	}
	out := make([]T, 0, len(all))
	for i, n := range times {
		for range n {
			out = append(out, all[i])
		}
	}
	return out
}

func (r *Ranking) allGaps(times []uint16) []asserted { return slices.Concat(repeat(r.gaps, times)...) }

// worst measures how well the worst tenth of the trips by their error is told.
func (r *Ranking) worst(times []uint16, measure func([]asserted) float64) float64 {
	all := slices.Clone(repeat(r.trips, times))
	slices.SortStableFunc(all, func(a, b asserted) int { return cmp.Compare(b.err, a.err) })
	n := int(math.Round(worstShare * float64(len(all))))
	for i := range all {
		all[i].wrong = i < n
	}
	return measure(all)
}

// early is the share of what is wrong in the first fifth by risk. What is said to be
// alike counts as in any order.
func early(all []asserted) float64 {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b asserted) int { return cmp.Compare(b.risk, a.risk) })
	room, found, wrong := earlyShare*float64(len(all)), 0., 0.
	for i := 0; i < len(all); {
		j, here := i, 0.
		for ; j < len(all) && all[j].risk == all[i].risk; j++ {
			if all[j].wrong {
				here++
			}
		}
		found += here * min(1, max(0, room)/float64(j-i))
		room -= float64(j - i)
		wrong += here
		i = j
	}
	return found / wrong
}

// auc is the probability that something wrong has a higher risk than something right.
func auc(all []asserted) float64 {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b asserted) int { return cmp.Compare(a.risk, b.risk) })
	wrong, right, above := 0., 0., 0.
	for i := 0; i < len(all); {
		j, w := i, 0.
		for ; j < len(all) && all[j].risk == all[i].risk; j++ {
			if all[j].wrong {
				w++
			}
		}
		r := float64(j-i) - w
		above += w * (right + r/2)
		wrong, right = wrong+w, right+r
		i = j
	}
	return above / (wrong * right)
}

// riskError is the expected calibration error of risks, in bins of equal width.
func riskError(all []asserted) float64 {
	var off [numRiskBins]float64
	for _, c := range all {
		b := min(numRiskBins-1, int(c.risk*numRiskBins))
		off[b] += c.risk - share(c.wrong)
	}
	sum := 0.
	for _, o := range off {
		sum += math.Abs(o)
	}
	return sum / float64(len(all))
}

func wrongShare(all []asserted) float64 {
	return meanOf(all, func(c asserted) float64 { return share(c.wrong) })
}

func meanOf(all []asserted, f func(asserted) float64) float64 {
	sum := 0.
	for _, c := range all {
		sum += f(c)
	}
	return sum / float64(len(all))
}
