package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// flat stands for a model to which all is the same.
type flat struct{ asked *int }

func (f flat) Width() int { return 2 }
func (f flat) Hops() int  { return 1 }

func (f flat) Roads(p *feature.Part) ([]float32, error) {
	*f.asked++
	return make([]float32, 2*len(p.Segments)), nil
}

func (f flat) Encode(_ []float32, points *feature.Points, _ []float32) (h, whole []float32, err error) {
	return make([]float32, 2*points.Samples), make([]float32, 2), nil
}

func (f flat) Tick(in *rntrajrec.TickInput) (state, scores []float32, err error) {
	return in.State, make([]float32, len(in.MoveBeam)), nil
}

func (f flat) Ratios(in *rntrajrec.RatioInput) ([]float32, error) {
	return make([]float32, len(in.State)/2), nil
}

func flatModel(asked *int) *Model {
	f := flat{asked}
	return &Model{
		Name: "flat", Hash: "abc", Device: func() string { return "cpu" }, Decoder: DecoderTicks,
		Encoder: f, Ticks: f, Routes: feature.DefaultRoutes(), Points: feature.DefaultSettings(), Moves: feature.DefaultTicks(),
	}
}

// shelf keeps roads in memory.
type shelf map[string]*rntrajrec.Roads

func (s shelf) LoadRoads(_ context.Context, fingerprint, model string) (*rntrajrec.Roads, error) {
	if r, ok := s[fingerprint+model]; ok {
		return r, nil
	}
	return nil, errors.New("a shelf may fail")
}

func (s shelf) SaveRoads(_ context.Context, fingerprint, model string, r *rntrajrec.Roads) error {
	s[fingerprint+model] = r
	return nil
}

func TestRoadsAreAskedOnceForANetworkAndAModel(t *testing.T) {
	asked, kept := 0, shelf{}
	m, ctx := flatModel(&asked), context.Background()
	ask := func(seed uint64) {
		t.Helper()
		if r, err := m.AskRoads(ctx, roadnettest.Random(seed, 6), kept, 1, nil); err != nil || r == nil {
			t.Fatal(err)
		}
	}
	for i, seed := range []uint64{1, 1, 2, 2} {
		if ask(seed); asked != 1+i/2 {
			t.Errorf("network %d: the model was asked %d times", seed, asked)
		}
	}
	m.Hash = "another"
	if ask(1); asked != 3 {
		t.Error("another model's word was taken")
	}
	for key := range kept {
		kept[key] = &rntrajrec.Roads{Width: 1}
	}
	if ask(1); asked != 4 {
		t.Error("roads that do not fit were taken")
	}
	m.Encoder = nil
	if r, err := m.AskRoads(ctx, roadnettest.Random(1, 6), kept, 1, nil); r != nil || err != nil {
		t.Errorf("a model without an encoder says %v, %v", r, err)
	}
}

func TestTheDecoderIsTheOneNamed(t *testing.T) {
	net := roadnettest.GridCity(10)
	asked := 0
	s := DefaultSettings()
	s.Method, s.Model = MethodRNTrajRec, flatModel(&asked)
	s.Decoder = DecoderRoutes
	if _, err := NewRecoverer(net, s); err == nil || !strings.Contains(err.Error(), "no decoder of routes") {
		t.Errorf("error %v", err)
	}
	s.Decoder = "oracle"
	if _, err := NewRecoverer(net, s); err == nil || !strings.Contains(err.Error(), "oracle") {
		t.Errorf("error %v", err)
	}
	s.Decoder = ""
	if !strings.Contains(s.String(), "decoder=ticks") {
		t.Errorf("settings %s", s)
	}
	b := net.Info().Bounds
	trip := &trajectory.Trajectory{ID: "x"}
	for i := range 4 {
		lon := b.MinLon + float64(2+i)/8*(b.MaxLon-b.MinLon)
		trip.Samples = append(trip.Samples, trajectory.Sample{Time: int64(i) * 60_000, Lon: lon, Lat: b.Center().Lat})
	}
	if _, err := NewRecoverer(net, s); err == nil || !strings.Contains(err.Error(), "not asked") {
		t.Errorf("error %v", err)
	}
	var err error
	if s.Roads, err = s.Model.AskRoads(context.Background(), net, nil, 1, nil); err != nil {
		t.Fatal(err)
	}
	r, err := NewRecoverer(net, s)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Recover(context.Background(), trip, nil)
	if err != nil || len(rec.Parts) != 1 || len(rec.Warnings) != 0 || len(rec.Ticks) != 13 {
		t.Fatalf("%v: %+v", err, rec)
	}
}
