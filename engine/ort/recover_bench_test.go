package ort

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/cputime"
)

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

// BenchmarkRecover recovers trips of about 50 ticks with the bundle that ships, on
// the CPU, one after another, on a town and on a network of 600,000 segments, by each
// decoder that the bundle has. All is the processor's time, so other programs do not
// count. The shares are of one and the same run: each sample of its profile counts for
// one of them.
func BenchmarkRecover(b *testing.B) {
	model, files := onCPU(b, open(b))
	for _, decoder := range []string{engine.DecoderRoutes, engine.DecoderTicks} {
		for _, size := range []int{48, 388} { // so that main roads lie alike around the middle
			s := engine.DefaultSettings()
			s.Method, s.Decoder, s.Threads, s.Model = engine.MethodRNTrajRec, decoder, 1, model.engine(files)
			if s.Validate() != nil {
				continue // the bundle has no such decoder
			}
			net := roadnettest.GridCity(size)
			b.Run(fmt.Sprintf("%s/%dk", decoder, (net.NumSegments()+500)/1000), func(b *testing.B) { benchRecover(b, net, s) })
		}
	}
}

func benchRecover(b *testing.B, net *roadnet.Network, s engine.Settings) {
	if err := s.AskRoads(context.Background(), net, 1); err != nil {
		b.Fatal(err)
	}
	r, err := engine.NewRecoverer(net, s)
	if err != nil {
		b.Fatal(err)
	}
	trip := crossing(net)
	once := func() {
		if _, err := r.Recover(context.Background(), trip, nil); err != nil {
			b.Fatal(err)
		}
	}
	once() // makes what is kept
	var seen bytes.Buffer
	profiled := pprof.StartCPUProfile(&seen) == nil // else another profile is taken
	start := cputime.Used()
	for b.Loop() {
		once()
	}
	whole := (cputime.Used() - start) / time.Duration(b.N)
	b.ReportMetric(1/whole.Seconds(), "trips/cpu-s")
	if !profiled {
		return
	}
	pprof.StopCPUProfile()
	found, err := sharesOf(&seen)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range append(parts(), rest) {
		b.ReportMetric(100*found[name], "%"+name)
	}
}

// rest is what is none of the parts: the best path, its probabilities and its ticks,
// and what Go does meanwhile.
const rest = "rest"

// parts are the parts of recovery that are told apart.
func parts() []string { return []string{"search", "features", "encoder", "decoder"} }

// partOf is the part of recovery that a function belongs to. The graphs that score and
// time are the decoder; finding candidates, routes and moves is the search, describing
// them the features.
func partOf(function string) string {
	for _, p := range []struct{ part, of string }{
		{"encoder", "ort.(*Model).Encode"}, {"decoder", "ort.(*Model)."},
		{"search", "engine/roadnet."}, {"search", "engine/match."}, {"features", "engine/feature."},
	} {
		if strings.Contains(function, p.of) {
			return p.part
		}
	}
	return ""
}

// sharesOf are the shares of the samples of a profile, by the innermost function that
// belongs to a part.
func sharesOf(profiled io.Reader) (map[string]float64, error) {
	p, err := profile.Parse(profiled)
	if err != nil {
		return nil, err
	}
	sums, all := map[string]float64{}, 0.0
	for _, sample := range p.Sample {
		part := rest
	stack:
		for _, at := range sample.Location {
			for _, line := range at.Line {
				if found := partOf(line.Function.Name); found != "" {
					part = found
					break stack
				}
			}
		}
		sums[part] += float64(sample.Value[0])
		all += float64(sample.Value[0])
	}
	for part := range sums {
		sums[part] /= max(1, all)
	}
	return sums, nil
}
