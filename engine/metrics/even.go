package metrics

import (
	"context"
	"fmt"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// MethodTruth is the name of EvenTruth.
const MethodTruth = "truth"

// EvenTruth is no recovery but a yardstick: the true paths of cases, driven at an even
// pace between two points that are kept. What it lacks is an error in time alone, so it
// tells how hard the trips of a set are.
func EvenTruth(net *roadnet.Network, cases []Case) Method {
	truths := make(map[tripKey]*trajectory.Recovery, len(cases))
	for _, c := range cases {
		truths[keyOf(c.Dense)] = c.Truth
	}
	recover := func(_ context.Context, sparse *trajectory.Trajectory) (*trajectory.Recovery, error) {
		truth, ok := truths[keyOf(sparse)]
		if !ok {
			return nil, fmt.Errorf("%s is none of the trips that are measured", sparse.ID)
		}
		return evenly(net, truth, sparse), nil
	}
	return Method{Name: MethodTruth, Recover: recover, Places: true}
}

// tripKey tells trips apart: ids may stand for several.
type tripKey struct {
	id    string
	begin int64
}

func keyOf(t *trajectory.Trajectory) tripKey {
	if len(t.Samples) == 0 {
		return tripKey{id: t.ID}
	}
	return tripKey{t.ID, t.Samples[0].Time}
}

// evenly is a truth with its ticks between two samples moved to where a vehicle is that
// drives evenly from one to the other. Where the truth begins later than the samples or
// ends before them, that is where it drives from or to. Over a break of the path there
// are none.
func evenly(net *roadnet.Network, truth *trajectory.Recovery, sparse *trajectory.Trajectory) *trajectory.Recovery {
	out := *truth
	out.Ticks = nil
	before := -1 // the last tick that is not moved
	sample := 0
	for i, t := range truth.Ticks {
		for sample < len(sparse.Samples) && sparse.Samples[sample].Time < t.Time {
			sample++
		}
		kept := sample < len(sparse.Samples) && sparse.Samples[sample].Time == t.Time
		if !kept && i > 0 && i < len(truth.Ticks)-1 {
			continue
		}
		if before >= 0 {
			out.Ticks = append(out.Ticks, moved(net, truth, before, i)...)
		}
		out.Ticks = append(out.Ticks, t)
		before = i
	}
	return &out
}

// moved are the ticks between two, moved on the way from the one to the other.
func moved(net *roadnet.Network, truth *trajectory.Recovery, from, to int) []trajectory.Tick {
	a, b := truth.Ticks[from], truth.Ticks[to]
	if a.Part != b.Part || int(a.Part) >= len(truth.Parts) || len(truth.Parts[a.Part].Segments) == 0 {
		return nil
	}
	between := slices.Clone(truth.Ticks[from+1 : to])
	for i := range between {
		t := &between[i]
		t.Along = a.Along + (b.Along-a.Along)*float64(t.Time-a.Time)/float64(b.Time-a.Time)
		t.At = facts.PartAt(net, truth.Parts[a.Part], t.Along)
		p := net.At(t.At)
		t.Lon, t.Lat = p.Lon, p.Lat
	}
	return between
}
