package ort

import (
	"context"
	"fmt"
	"testing"
	"time"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/cputime"
)

// watched is a model that notes how long it takes.
type watched struct {
	*Model
	routes, times time.Duration
}

func (w *watched) Routes(in *rntrajrec.RouteInput) (u, v []float32, err error) {
	start := cputime.Used()
	defer func() { w.routes += cputime.Used() - start }()
	return w.Model.Routes(in)
}

func (w *watched) Times(in *rntrajrec.TimeInput) (share, spread []float32, err error) {
	start := cputime.Used()
	defer func() { w.times += cputime.Used() - start }()
	return w.Model.Times(in)
}

// crossing is a trip across the middle of a city, a sample every two minutes.
func crossing(net *roadnet.Network) *trajectory.Trajectory {
	c := net.Info().Bounds.Center()
	t := &trajectory.Trajectory{ID: "crossing"}
	for i := range 7 {
		t.Samples = append(t.Samples, trajectory.Sample{Time: int64(i) * 120_000,
			Lon: c.Lon + 0.00007 + (float64(i)-3)*0.006, Lat: c.Lat + 0.00005 + float64(i%3-1)*0.004})
	}
	return t
}

// BenchmarkRecover recovers trips of about 50 ticks with the bundle that ships,
// on the CPU, one after another, on a town and on a network of 600,000 segments.
// All is the processor's time, so other programs do not count. Shares are of the
// whole: search for candidates and routes with their
// features, scoring them, and time; the rest is the best path, its probabilities
// and its ticks.
func BenchmarkRecover(b *testing.B) {
	model, files := onCPU(b, open(b))
	for _, size := range []int{48, 388} { // so that main roads lie alike around the middle
		net := roadnettest.GridCity(size)
		b.Run(fmt.Sprintf("%dk", (net.NumSegments()+500)/1000), func(b *testing.B) {
			w := &watched{Model: model}
			s := engine.DefaultSettings()
			s.Method, s.Decoder, s.Threads = engine.MethodRNTrajRec, engine.DecoderRoutes, 1
			s.Model = model.engine(files)
			s.Model.Scorer = w
			r, err := engine.NewRecoverer(net, s)
			if err != nil {
				b.Fatal(err)
			}
			trip, search := crossing(net), searchTime(net, s.Model.Routes)
			once := func() {
				if _, err := r.Recover(context.Background(), trip, nil); err != nil {
					b.Fatal(err)
				}
			}
			once() // makes what is kept
			w.routes, w.times = 0, 0
			start := cputime.Used()
			for b.Loop() {
				once()
			}
			whole := (cputime.Used() - start) / time.Duration(b.N)
			share := func(part time.Duration) float64 { return 100 * float64(part) / float64(whole) }
			scoring, times := w.routes/time.Duration(b.N), w.times/time.Duration(b.N)
			b.ReportMetric(1/whole.Seconds(), "trips/cpu-s")
			b.ReportMetric(share(search), "%search")
			b.ReportMetric(share(scoring), "%scoring")
			b.ReportMetric(share(times), "%time")
			b.ReportMetric(share(whole-search-scoring-times), "%rest")
		})
	}
}

// searchTime is what finding and describing the candidates and routes of the
// trip takes.
func searchTime(net *roadnet.Network, s feature.RouteSettings) time.Duration {
	s.Candidates.Excess = rntrajrec.Excess
	maker := feature.NewTripMaker(net, s)
	samples := crossing(net).Samples
	var trip feature.Trip
	maker.Fill(&trip, samples, nil)
	const times = 50
	start := cputime.Used()
	for range times {
		maker.Fill(&trip, samples, nil)
	}
	return (cputime.Used() - start) / times
}
