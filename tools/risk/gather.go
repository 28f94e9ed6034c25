package main

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/risk"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
	"retrace/tools/trial"
)

// trip is what a method said of one thinned trip, and what is true.
type trip struct {
	Method, Set, Keep string
	Gaps              []gap
	Off               float64 // share of the way that is wrong
	Error             float64 // metres, mean at the hidden instants
}

// gap is one of its gaps.
type gap struct {
	risk.Evidence
	Scored bool // the truth is known, and a way is told
	Wrong  bool
	Error  float64 // metres; less than 0: there is no instant between the samples
}

// set is trips to fit on.
type set struct {
	name, extract    string
	simulated        bool
	untagged, steady bool
	keep             []string
}

// realTrips is the set of trips that were driven.
const realTrips = "Porto"

func sets() []set {
	shares, gaps := []string{"1/8", "1/16"}, []string{"60s", "120s", "240s"}
	all := []set{{name: realTrips, extract: "porto.osm.pbf", keep: append(shares, gaps...)}}
	for _, city := range []struct{ name, extract string }{{"Columbus", "columbus.osm.pbf"}, {"Yokohama", "yokohama.osm.gz"}} {
		all = append(all,
			set{name: city.name, extract: city.extract, simulated: true, keep: append(shares, "120s")},
			set{name: city.name + " without tags", extract: city.extract, simulated: true, untagged: true, steady: true, keep: gaps})
	}
	return all
}

// gather recovers all trips by both methods.
func gather(ctx context.Context, data string, most int) ([]trip, error) {
	model, err := trial.Model("")
	if err != nil {
		return nil, err
	}
	var all []trip
	for _, s := range sets() {
		res, err := osmimport.Import(ctx, []string{filepath.Join(data, "osm", s.extract)}, osmimport.Options{})
		if err != nil {
			return nil, err
		}
		net := res.Network
		if s.untagged {
			net = net.Untagged()
		}
		cases, err := s.cases(ctx, net, data, most)
		if err != nil {
			return nil, err
		}
		for _, method := range []string{engine.MethodHMM, engine.MethodRNTrajRec} {
			settings := engine.DefaultSettings()
			settings.Method = method
			if method == engine.MethodRNTrajRec {
				settings.Model = model
			}
			found, err := s.recover(ctx, net, settings, cases)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "%s, %s: %d trips\n", s.name, method, len(found))
			all = append(all, found...)
		}
	}
	return all, nil
}

// cases are the dense trips with their truth.
func (s set) cases(ctx context.Context, net *roadnet.Network, data string, most int) ([]metrics.Case, error) {
	if s.simulated {
		return s.simulate(ctx, net, most)
	}
	matcher, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		return nil, err
	}
	match := func(ctx context.Context, t *trajectory.Trajectory) (*trajectory.Recovery, error) {
		return matcher.Recover(ctx, t, nil)
	}
	truths, err := metrics.MakeTruths(ctx, net, validation(ctx, data, 3*most), match, metrics.DefaultQuality(), runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	return truths.Cases, nil
}

// simulate simulates trips over the network.
func (s set) simulate(ctx context.Context, net *roadnet.Network, most int) ([]metrics.Case, error) {
	profile := simulate.DefaultProfile()
	if s.steady {
		profile.Steady = 1
	}
	var all []metrics.Case
	for t, err := range simulate.Trips(ctx, net, simulate.Options{Profile: profile, Seed: 11, Count: most}) {
		if err != nil {
			return nil, err
		}
		all = append(all, metrics.Case{Dense: t.Dense, Truth: t.Truth})
	}
	return all, nil
}

// validation are the first trips of the validation split.
func validation(ctx context.Context, data string, most int) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		taken := 0
		for t, err := range read.Files(ctx, []string{filepath.Join(data, "trajectories", "porto_trips.csv.gz")}, nil, read.Options{}) {
			if err == nil && metrics.SplitOf(t.ID) != metrics.Validation {
				continue
			}
			if taken++; taken > most || !yield(t, err) {
				return
			}
		}
	}
}

// recover recovers the trips of a set, thinned in each way.
func (s set) recover(ctx context.Context, net *roadnet.Network, settings engine.Settings, cases []metrics.Case) ([]trip, error) {
	if err := settings.AskRoads(ctx, net, 0); err != nil {
		return nil, err
	}
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return nil, err
	}
	keeps, err := metrics.ParseKeeps(s.keep)
	if err != nil {
		return nil, err
	}
	var all []trip
	for _, keep := range keeps {
		found := make([]*trip, len(cases))
		errs := make([]error, len(cases))
		threads := make(chan *metrics.Scorer, runtime.GOMAXPROCS(0)+2)
		for range cap(threads) {
			threads <- metrics.NewScorer(net)
		}
		var wg sync.WaitGroup
		for i, c := range cases {
			scorer := <-threads
			wg.Go(func() {
				found[i], errs[i] = s.one(ctx, r, scorer, c, keep.Thin(c.Dense, 1))
				threads <- scorer
			})
		}
		wg.Wait()
		for i, t := range found {
			if errs[i] != nil {
				return nil, errs[i]
			}
			if t != nil {
				t.Method, t.Keep = settings.Method, keep.String()
				all = append(all, *t)
			}
		}
	}
	return all, nil
}

// one recovers and scores a trip; nil where it has no gap.
func (s set) one(ctx context.Context, r *engine.Recoverer, scorer *metrics.Scorer, c metrics.Case, sparse *trajectory.Trajectory) (*trip, error) {
	rec, known, err := r.Examine(ctx, sparse, nil)
	if err != nil {
		return nil, err
	}
	score := scorer.Score(c.Truth, sparse, rec)
	if len(score.Gaps) == 0 {
		return nil, nil
	}
	scored := map[int]metrics.GapScore{}
	for _, g := range score.Gaps {
		scored[int(g.Said.FromSample)] = g
	}
	t := &trip{Set: s.name, Off: score.Off(), Error: score.HiddenError()}
	for _, e := range known {
		g, ok := scored[e.From]
		one := gap{Evidence: e, Scored: ok, Wrong: g.Wrong(), Error: g.Error}
		if g.Instants == 0 {
			one.Error = -1
		}
		t.Gaps = append(t.Gaps, one)
	}
	return t, nil
}
