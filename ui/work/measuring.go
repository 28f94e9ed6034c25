package work

import (
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/ui/state"
)

// measuring measures recoveries against the truth, and remembers what it found.
type measuring struct {
	scorer *metrics.Scorer
	net    *roadnet.Network // of scorer
	known  map[string]measured
}

type measured struct {
	truth, got *trajectory.Recovery
	value      state.Measure
}

// Measure is what the recovery of a trip is worth beside its truth; false where
// one of them is not there, or no tick of the truth lies between two samples.
func (d *Desk) Measure(t *state.Trip) (state.Measure, bool) {
	m, truth, got := &d.measuring, d.state.TruthOf(t), t.Shown()
	if truth == nil || got == nil {
		return state.Measure{}, false
	}
	if net := d.state.Network(); m.net != net {
		m.net, m.scorer, m.known = net, metrics.NewScorer(net), map[string]measured{}
	}
	if k, ok := m.known[t.ID()]; ok && k.truth == truth && k.got == got {
		return k.value, k.value.Points > 0
	}
	score := m.scorer.Score(truth, t.Trajectory(), got)
	result := metrics.Summarize("", "", []*metrics.Score{score}, 0, 0)
	v := state.Measure{Alike: state.Alike(m.net, truth, got)}
	for _, p := range score.Points {
		if !p.Observed {
			v.Points++
		}
	}
	figure := func(section, name string) float64 {
		f, _ := result.Figure(section, name)
		return f.Value
	}
	v.Right, v.Distance = figure(metrics.SectionHidden, "accuracy"), figure(metrics.SectionHidden, "great-circle MAE")
	v.F1 = figure(metrics.SectionPaper, "F1")
	m.known[t.ID()] = measured{truth, got, v}
	return v, v.Points > 0
}

// mean is the mean of measures over trips.
func mean(all []state.Measure) state.Measure {
	var sum state.Measure
	n := float64(len(all))
	for _, m := range all {
		sum.Points += m.Points
		sum.Alike += m.Alike / n
		sum.Right += m.Right / n
		sum.Distance += m.Distance / n
		sum.F1 += m.F1 / n
	}
	return sum
}
