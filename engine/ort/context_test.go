package ort

import (
	"context"
	"reflect"
	"testing"

	"retrace/engine"
	"retrace/engine/bundle"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// A decoder of routes that looks at the encoder is answered as PyTorch did.
func TestRoutesAndTimesThatLookAtTheEncoderAreAnsweredAsPyTorchDid(t *testing.T) {
	b := wholeBundle(t)
	m, routes, times := wholeModel(t, b), askedOf(t, b, "routes"), askedOf(t, b, "time")
	if s := b.Manifest.Model; !s.SeesRoutes() || !s.SeesTimes() {
		t.Fatalf("the model %+v looks at no encoder", s)
	}
	u, v, err := m.Routes(&rntrajrec.RouteInput{
		Candidates: routes.in("candidates").Floats, Options: routes.in("routes").Floats, Seen: seenIn(routes),
		CandidateSample: routes.in("candidate_sample").Ints, CandidateSegment: routes.in("candidate_segment").Ints,
		OptionSample: routes.in("option_sample").Ints, OptionSegments: routes.in("option_segments").Ints,
		Longest: int(routes.in("option_segments").Shape[1]),
	})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "u", u, routes.out("u"))
	alike(t, "v", v, routes.out("v"))
	share, spread, err := m.Times(&rntrajrec.TimeInput{
		Pieces: times.in("pieces").Floats, Lengths: times.in("lengths").Floats, Counts: times.in("counts").Ints, Seen: seenIn(times),
		PieceSegment: times.in("piece_segment").Ints, GapSample: times.in("gap_sample").Ints, Longest: int(times.in("pieces").Shape[1]),
	})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, "share", share, times.out("share"))
	alike(t, "spread", spread, times.out("spread"))
}

func seenIn(a asked) rntrajrec.Seen {
	return rntrajrec.Seen{Road: a.in("road").Floats, H: a.in("h").Floats}
}

// noting keeps what it is asked.
type noting struct {
	*Model
	routes []*rntrajrec.RouteInput
	times  []*rntrajrec.TimeInput
}

func (n *noting) Routes(in *rntrajrec.RouteInput) (u, v []float32, err error) {
	n.routes = append(n.routes, in)
	return n.Model.Routes(in)
}

func (n *noting) Times(in *rntrajrec.TimeInput) (share, spread []float32, err error) {
	n.times = append(n.times, in)
	return n.Model.Times(in)
}

// wholeRecoverer recovers by the whole model on a network.
func wholeRecoverer(t *testing.T, b *bundle.Bundle, m *Model, scorer rntrajrec.Scorer, net *roadnet.Network, threads int) *engine.Recoverer {
	t.Helper()
	s := engine.DefaultSettings()
	s.Method, s.Decoder, s.Threads, s.Alternatives = engine.MethodRNTrajRec, engine.DecoderRoutes, threads, 2
	s.Model = m.engine(b)
	s.Model.Scorer = scorer
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// walks are trips over a city, of other lengths each.
func walks(net *roadnet.Network, count int) []*trajectory.Trajectory {
	var all []*trajectory.Trajectory
	for i := range count {
		t := crossing(net)
		t.Samples = t.Samples[i%4 : 5+i%3]
		for k := range t.Samples {
			t.Samples[k].Lat += float64(i) * 0.0007
		}
		all = append(all, t)
	}
	return all
}

// The trip is told to the model as it is: places lead to X_road of the very
// segments, and samples to their states, wherever they are put in a call.
func TestTripsAloneAndTogetherAreTheSameWithAnEncoder(t *testing.T) {
	b := wholeBundle(t)
	m, net := wholeModel(t, b), roadnettest.GridCity(30)
	trips := walks(net, 12)
	asked := &noting{Model: m}
	alone := wholeRecoverer(t, b, m, asked, net, 1)
	together := wholeRecoverer(t, b, m, m, net, 3)
	var want []*trajectory.Recovery
	for _, trip := range trips {
		rec, err := alone.Recover(context.Background(), trip, nil)
		if err != nil || len(rec.Parts) != 1 {
			t.Fatalf("%v: %+v", err, rec)
		}
		want = append(want, rec)
	}
	for _, in := range asked.routes {
		checkSeen(t, in.Road, in.CandidateSegment, in.OptionSegments)
	}
	for _, in := range asked.times {
		checkSeen(t, in.Road, in.PieceSegment, nil)
	}
	i := 0
	err := together.Stream(context.Background(), func(yield func(*trajectory.Trajectory, error) bool) {
		for _, trip := range trips {
			if !yield(trip, nil) {
				return
			}
		}
	}, nil, func(_ *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		rec.Provenance = want[i].Provenance
		if !reflect.DeepEqual(rec, want[i]) {
			t.Errorf("trip %d is another one among others", i)
		}
		i++
		return err
	})
	if err != nil || i != len(trips) {
		t.Errorf("%d trips, error %v", i, err)
	}
}

// checkSeen checks that places are of rows, or one beyond all, and that each row is
// asked about.
func checkSeen(t *testing.T, road []float32, own, others []int32) {
	t.Helper()
	rows := int32(len(road) / 8)
	met := map[int32]bool{}
	for _, places := range [][]int32{own, others} {
		for _, at := range places {
			if at < 0 || at > rows {
				t.Fatalf("place %d of %d", at, rows)
			}
			met[at] = true
		}
	}
	for at := range rows {
		if !met[at] {
			t.Fatalf("row %d of %d is told and not asked about", at, rows)
		}
	}
}
