package metrics

import (
	"context"
	"iter"

	"retrace/engine/roadnet"
)

// Place is trips on a network of their own, and the methods that recover on it: at all
// places the same ones, in the same order.
type Place struct {
	Net     *roadnet.Network
	Cases   []Case
	Methods []Method
}

// EvaluatePlaces evaluates methods over the trips of many places, as [Evaluate] does on
// one network. Each place is let go of before the next is asked for.
func EvaluatePlaces(ctx context.Context, places iter.Seq2[Place, error], o Options) (*Report, error) {
	type column struct {
		name   string
		places bool
		scores []*Score
		failed []string
	}
	all := make([][]column, len(o.Keep))
	report := &Report{Seed: o.Seed, Draws: o.Draws}
	for p, err := range places {
		if err != nil {
			return nil, err
		}
		report.Cases += len(p.Cases)
		e := &evaluation{net: p.Net, cases: p.Cases, o: o, total: len(p.Cases) * len(p.Methods) * len(o.Keep)}
		for k, keep := range o.Keep {
			for i, m := range p.Methods {
				scores, failed, err := e.run(ctx, keep, m)
				if err != nil {
					return nil, err
				}
				if i == len(all[k]) {
					all[k] = append(all[k], column{name: m.Name, places: m.Places})
				}
				c := &all[k][i]
				c.scores, c.failed = append(c.scores, scores...), append(c.failed, failed...)
			}
		}
	}
	if report.Cases == 0 {
		return report, nil
	}
	draws := newResampler(report.Cases, o.Draws, o.Seed)
	for k, keep := range o.Keep {
		for i, c := range all[k] {
			res := summarize(c.name, keep.String(), c.scores, c.failed, draws)
			res.Figures = measured(res.Figures, c.places)
			report.Results = append(report.Results, res)
			if i == 0 {
				continue
			}
			d := compare(c.name, all[k][0].name, keep.String(), c.scores, all[k][0].scores, draws)
			d.Figures = measured(d.Figures, c.places || all[k][0].places)
			report.Differences = append(report.Differences, d)
		}
	}
	return report, nil
}
