package metrics

import (
	"slices"

	"retrace/engine/risk"
	"retrace/engine/trajectory"
)

// risks measures what recoveries said of how far they can be trusted, beside what the
// list of doubts went by before.
func risks(scores []*Score, draws *resampler) []Figure {
	var now, before Ranking
	for _, s := range scores {
		err := s.HiddenError()
		wrong := err > risk.FarOff
		said := float64(s.Said.Wrong)
		for _, g := range s.Gaps {
			e := g.Error
			if g.Instants == 0 {
				e = -1
			}
			now.AddGap(float64(g.Said.Risk), g.Wrong(), float64(g.Said.Error), e)
		}
		if len(s.Gaps) == 0 { // nothing was told
			said = 1
		}
		now.AddTrip(said, wrong, float64(s.Said.Error), err)
		before.AddTrip(s.older, wrong, 0, err)
	}
	old := before.figures(SectionOldList, draws)
	old = slices.DeleteFunc(old, func(f Figure) bool { return f.Name != FoundEarly && f.Name != WorstAUC })
	return append(now.figures(SectionRisk, draws), old...)
}

// leastSure is how doubtful a recovery is by its least sure place: a deck by its margin, a
// point by its probability, or by what the other ways of its gap leave where these are
// kept.
func leastSure(r *trajectory.Recovery) float64 {
	others := map[uint32]float64{}
	for _, a := range r.Alternatives {
		others[a.FromSample] += float64(a.Probability)
	}
	least := 1.
	for _, s := range r.Spans {
		if s.Margin < trajectory.UncertainMargin {
			least = min(least, (1+float64(s.Margin))/2)
		}
	}
	from, known := uint32(0), false
	for _, k := range r.Ticks {
		sure := float64(k.Probability)
		switch {
		case k.Observed && int(k.Sample) < len(r.Matches) && r.Matches[k.Sample].State == trajectory.Matched:
			from, known = k.Sample, true
		case known && len(r.Alternatives) > 0:
			sure = max(sure, 1-others[from])
		}
		least = min(least, sure)
	}
	return 1 - least
}
