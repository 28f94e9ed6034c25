package metrics

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Options says how methods are evaluated.
type Options struct {
	Keep    []Keep // each thinning is evaluated by itself
	Seed    uint64 // of thinning and resampling
	Draws   int    // of resampling
	Threads int    // trips at once
	// Others are dense trips that are not measured. They are thinned too and given
	// to [Method.Prepare] after those that are; may be nil.
	Others   iter.Seq2[*trajectory.Trajectory, error]
	Progress func(done, total int) // called after each trip, one call at a time; may be nil
}

// Result is how a method did at one thinning.
type Result struct {
	Method  string   `json:"method"`
	Keep    string   `json:"keep"`
	Trips   int      `json:"trips"`
	Ticks   int      `json:"ticks"`
	Failed  []string `json:"failed,omitempty"` // trips that were not recovered and why; they count as missing
	Figures []Figure `json:"figures"`
}

// Figure is the figure of a section and name, e.g. SectionPaper and "F1"; false
// where there is none. In the sections of groups the name begins with the group:
// "up to 60 s MAE".
func (r *Result) Figure(section, name string) (Figure, bool) { return find(r.Figures, section, name) }

// Difference is how much a method's figures exceed those of the first method on
// the same trips. Where a range does not hold 0, the difference is established.
type Difference struct {
	Method  string   `json:"method"`
	Against string   `json:"against"`
	Keep    string   `json:"keep"`
	Figures []Figure `json:"figures"`
}

// Figure is the difference of a figure, named as in [Result.Figure].
func (d *Difference) Figure(section, name string) (Figure, bool) {
	return find(d.Figures, section, name)
}

func find(all []Figure, section, name string) (Figure, bool) {
	for _, f := range all {
		if f.Section == section && strings.TrimSpace(f.Group+" "+f.Name) == name {
			return f, true
		}
	}
	return Figure{}, false
}

// Report is all that an evaluation found.
type Report struct {
	Network     string       `json:"network"`
	Fingerprint string       `json:"fingerprint"`
	Seed        uint64       `json:"seed"`
	Draws       int          `json:"draws"`
	Cases       int          `json:"cases"`
	Dropped     []Count      `json:"dropped,omitempty"` // for the caller to fill in, from Truths
	Cut         int          `json:"cut,omitempty"`     // likewise: cases that are a stretch of a trip
	Results     []Result     `json:"results"`
	Differences []Difference `json:"differences,omitempty"`
}

// Evaluate thins dense trips, recovers them by each method and compares with
// their truth. The result depends on the cases, the methods and the options
// only, not on the number of threads. The error is that of ctx.
func Evaluate(ctx context.Context, net *roadnet.Network, cases []Case, methods []Method, o Options) (*Report, error) {
	e := &evaluation{net: net, cases: cases, o: o, total: len(cases) * len(methods) * len(o.Keep)}
	info := net.Info()
	report := &Report{Network: info.Name, Fingerprint: info.Fingerprint, Seed: o.Seed, Draws: o.Draws, Cases: len(cases)}
	if len(cases) == 0 {
		return report, nil
	}
	draws := newResampler(len(cases), o.Draws, o.Seed)
	for _, keep := range o.Keep {
		var first []*Score
		for i, m := range methods {
			scores, failed, err := e.run(ctx, keep, m)
			if err != nil {
				return nil, err
			}
			res := summarize(m.Name, keep.String(), scores, failed, draws)
			res.Figures = measured(res.Figures, m.Places)
			report.Results = append(report.Results, res)
			if i == 0 {
				first = scores
				continue
			}
			d := compare(m.Name, methods[0].Name, keep.String(), scores, first, draws)
			d.Figures = measured(d.Figures, m.Places || methods[0].Places)
			report.Differences = append(report.Differences, d)
		}
	}
	return report, nil
}

// measured are the figures without those of probabilities and decks, where places alone
// are told.
func measured(all []Figure, places bool) []Figure {
	if !places {
		return all
	}
	return slices.DeleteFunc(all, func(f Figure) bool {
		return slices.Contains([]string{SectionElevated, SectionCalibration, SectionReliability, SectionRisk, SectionOldList}, f.Section)
	})
}

// Summarize puts scores of trips together, e.g. of trips whose sparse samples
// are given and need no thinning.
func Summarize(method, keep string, scores []*Score, draws int, seed uint64) Result {
	return summarize(method, keep, scores, nil, newResampler(len(scores), draws, seed))
}

// evaluation is one run of Evaluate.
type evaluation struct {
	net     *roadnet.Network
	cases   []Case
	o       Options
	total   int
	mu      sync.Mutex
	done    int
	scorers []*Scorer // idle ones
}

// run recovers and scores all cases by one method at one thinning.
func (e *evaluation) run(ctx context.Context, keep Keep, m Method) ([]*Score, []string, error) {
	scores := make([]*Score, len(e.cases))
	errs := make([]error, len(e.cases))
	recover := m.Recover
	if m.Prepare != nil {
		var err error
		if recover, err = m.Prepare(ctx, keep.Each(e.told(), e.o.Seed)); err != nil {
			return nil, nil, err
		}
	}
	err := inParallel(ctx, e.o.Threads, len(e.cases), func(i int) {
		c := e.cases[i]
		sparse := keep.Thin(c.Dense, e.o.Seed)
		var got *trajectory.Recovery
		got, errs[i] = recover(ctx, sparse)
		s := e.take()
		scores[i] = s.Score(c.Truth, sparse, got)
		e.putBack(s)
	})
	var failed []string
	for i, err := range errs {
		if err != nil {
			failed = append(failed, fmt.Sprintf("%s: %v", e.cases[i].Dense.ID, err))
		}
	}
	return scores, failed, err
}

// told are the dense trips that a method may learn of beforehand: those that are
// measured, and the others.
func (e *evaluation) told() iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		for _, c := range e.cases {
			if !yield(c.Dense, nil) {
				return
			}
		}
		if e.o.Others != nil {
			e.o.Others(yield)
		}
	}
}

func (e *evaluation) take() *Scorer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.scorers); n > 0 {
		s := e.scorers[n-1]
		e.scorers = e.scorers[:n-1]
		return s
	}
	return NewScorer(e.net)
}

func (e *evaluation) putBack(s *Scorer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scorers = append(e.scorers, s)
	e.done++
	if e.o.Progress != nil {
		e.o.Progress(e.done, e.total)
	}
}

func summarize(method, keep string, scores []*Score, failed []string, draws *resampler) Result {
	r := Result{Method: method, Keep: keep, Trips: len(scores), Failed: failed}
	for _, s := range scores {
		r.Ticks += len(s.Points)
	}
	for k, m := range sheetOf(nil, nil).measures {
		if f, ok := draws.figure(m, column(scores, k)); ok {
			r.Figures = append(r.Figures, f)
		}
	}
	r.Figures = append(r.Figures, calibration(scores, draws)...)
	r.Figures = append(r.Figures, risks(scores, draws)...)
	return r
}

func compare(method, against, keep string, scores, first []*Score, draws *resampler) Difference {
	d := Difference{Method: method, Against: against, Keep: keep}
	for k, m := range sheetOf(nil, nil).measures {
		if f, ok := draws.difference(m, column(scores, k), column(first, k)); ok {
			d.Figures = append(d.Figures, f)
		}
	}
	d.Figures = append(d.Figures, calibrationDifference(scores, first, draws)...)
	return d
}

// column is measure k of every trip.
func column(scores []*Score, k int) []sum {
	out := make([]sum, len(scores))
	for i, s := range scores {
		out[i] = s.sums[k]
	}
	return out
}
