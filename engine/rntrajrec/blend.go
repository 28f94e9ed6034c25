package rntrajrec

import (
	"math"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Where samples follow one another closely, they say themselves where the vehicle went,
// and a model that saw no such gaps says less: so short gaps are scored as map matching
// scores them, long ones by the model, and those between by both.
//
// Chosen on simulated trips by tools/rates.
type Blend struct {
	Short, Long float64 // seconds: gaps up to Short, and from Long on
	Near        float64 // metres: so near to each other are samples of a gap that is short however long it lasts
}

// close is how short gaps are searched.
func (b Blend) close(m *match.Matcher, s match.Settings) *feature.Close {
	return &feature.Close{
		Seconds: b.Short, Metres: b.Near, Back: s.Back, Search: m.Search,
		Candidates: feature.CandidateSettings{Radius: s.Radius, MaxRadius: s.MaxRadius, Cap: s.MaxCandidates},
	}
}

// all reports whether map matching scores all gaps of samples.
func (b Blend) all(samples []trajectory.Sample) bool {
	return b.Short > 0 && (&feature.Close{Seconds: b.Short, Metres: b.Near}).All(samples)
}

// share of the model in the score of a gap of so many seconds.
func (b Blend) share(seconds float64) float64 {
	if b.Long <= b.Short {
		return 1
	}
	return min(1, max(0, (seconds-b.Short)/(b.Long-b.Short)))
}

// blend puts the scores of map matching into those of the model, for short gaps and the
// samples beside them.
func (j *job) blend(m *match.Matcher, close *feature.Close, b Blend) {
	c := &j.chain
	shares := make([]float64, c.gaps())
	for gap := range shares {
		seconds := j.seconds(gap)
		j.limit(m, gap, seconds)
		share := b.share(seconds)
		if close.Gap(j.samples, gap) {
			share = 0
		}
		if shares[gap] = share; share == 1 {
			continue
		}
		first, last := c.options(gap)
		for k := first; k < last; k++ {
			from, to := c.ends(gap, k)
			if math.IsInf(float64(c.v[k]), -1) {
				continue
			}
			plain := m.Transition(j.trip.Options[k].Route, j.trip.Candidates[from].Position, j.trip.Candidates[to].Position, seconds)
			c.v[k] = float32(share*float64(c.v[k]) + (1-share)*plain)
		}
	}
	for i := range j.samples {
		share := shares[min(i, len(shares)-1)]
		if i > 0 {
			share = (share + shares[i-1]) / 2
		}
		if share == 1 {
			continue
		}
		for k := c.trip.CandidateStart[i]; k < c.trip.CandidateStart[i+1]; k++ {
			c.u[k] = float32(share*float64(c.u[k]) + (1-share)*m.Emission(j.trip.Candidates[k].Distance))
		}
	}
}

func (j *job) seconds(gap int) float64 {
	return float64(j.samples[gap+1].Time-j.samples[gap].Time) / 1000
}

// limit rules out the options of a gap that no vehicle drives in time.
func (j *job) limit(m *match.Matcher, gap int, seconds float64) {
	a, b := j.samples[gap], j.samples[gap+1]
	straight := roadnet.Distance(roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat})
	first, last := j.chain.options(gap)
	for k := first; k < last; k++ {
		if m.Impossible(j.trip.Options[k].Route, straight, seconds) {
			j.chain.v[k] = float32(math.Inf(-1))
		}
	}
}
