package engine

import (
	"context"
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
	if asked > 0 {
		t.Error("the model was asked about roads before a trip came there")
	}
	s.UseRoads(roadnettest.GridCity(11), nil)
	if _, err := NewRecoverer(net, s); err == nil || !strings.Contains(err.Error(), "not of those of") {
		t.Errorf("error %v", err)
	}
	s.Roads = nil
	r, err := NewRecoverer(net, s)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := r.Recover(context.Background(), trip, nil)
	if err != nil || len(rec.Parts) != 1 || len(rec.Warnings) != 0 || len(rec.Ticks) != 13 {
		t.Fatalf("%v: %+v", err, rec)
	}
}
