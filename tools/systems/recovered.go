package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio/npy"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/ort"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
	"retrace/internal/cputime"
)

// recover recovers all trips by a method of the application and prints how long
// it took, in seconds of processor time.
func (j job) recover(ctx context.Context, net *roadnet.Network, trips []trip, w io.Writer) error {
	r, err := j.recoverer(ctx, net)
	if err != nil {
		return err
	}
	inputs, err := j.inputs(trips)
	if err != nil {
		return err
	}
	var segments []int32
	var ratios []float32
	start := cputime.Used()
	for i, t := range trips {
		got, err := r.Recover(ctx, inputs[i], nil)
		if err != nil {
			return fmt.Errorf("trip %d: %w", i, err)
		}
		s, q := atTicks(t.truth, got)
		segments, ratios = append(segments, s...), append(ratios, q...)
	}
	seconds := (cputime.Used() - start).Seconds()
	if err := os.MkdirAll(j.args[0], 0o777); err != nil {
		return err
	}
	for name, values := range map[string]any{"segment": segments, "ratio": ratios} {
		if err := writeArray(filepath.Join(j.args[0], name+".npy"), values); err != nil {
			return err
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"trips": len(trips), "seconds": seconds})
}

func (j job) recoverer(ctx context.Context, net *roadnet.Network) (*engine.Recoverer, error) {
	s := engine.DefaultSettings()
	s.Method, s.Threads = j.method, 1
	if j.even {
		s.Pace = engine.EvenPace()
	}
	if j.method == engine.MethodRNTrajRec {
		m, err := ort.OpenOnCPU(os.DirFS(j.model), filepath.Join(".cache", "onnxruntime"))
		if err != nil {
			return nil, err
		}
		s.Model, s.Decoder, s.Beams = m, j.decoder, j.beams
		if err := s.AskRoads(ctx, net, 1); err != nil {
			return nil, err
		}
	}
	if engine.OfOneCity(j.method) {
		var err error
		if s.City, err = ort.OpenCityOnCPU(j.model, filepath.Join(".cache", "onnxruntime")); err != nil {
			return nil, err
		}
	}
	return engine.NewRecoverer(net, s)
}

// inputs are the samples, or the places that a system estimated for each tick.
func (j job) inputs(trips []trip) ([]*trajectory.Trajectory, error) {
	inputs := make([]*trajectory.Trajectory, len(trips))
	var lon, lat []float64
	if j.places != "" {
		if err := readArray(filepath.Join(j.places, "lon.npy"), &lon); err != nil {
			return nil, err
		}
		if err := readArray(filepath.Join(j.places, "lat.npy"), &lat); err != nil {
			return nil, err
		}
		if n := ticksOf(trips); len(lon) != n || len(lat) != n {
			return nil, fmt.Errorf("%s holds %d and %d coordinates of %d ticks", j.places, len(lon), len(lat), n)
		}
	}
	for i, t := range trips {
		if j.places == "" {
			inputs[i] = t.sparse
			continue
		}
		inputs[i] = &trajectory.Trajectory{ID: t.sparse.ID}
		for k, tick := range t.truth.Ticks {
			inputs[i].Samples = append(inputs[i].Samples, trajectory.Sample{Time: tick.Time, Lon: lon[k], Lat: lat[k]})
		}
		lon, lat = lon[len(t.truth.Ticks):], lat[len(t.truth.Ticks):]
	}
	return inputs, nil
}

// atTicks is where a recovery is at the instants of the truth, -1 where it has
// no tick within half a second.
func atTicks(truth, got *trajectory.Recovery) (segments []int32, ratios []float32) {
	k := 0
	for _, t := range truth.Ticks {
		for k < len(got.Ticks) && got.Ticks[k].Time < t.Time-500 {
			k++
		}
		if k == len(got.Ticks) || got.Ticks[k].Time > t.Time+500 {
			segments, ratios = append(segments, -1), append(ratios, 0)
			continue
		}
		segments, ratios = append(segments, int32(got.Ticks[k].At.Segment)), append(ratios, float32(got.Ticks[k].At.Ratio))
	}
	return segments, ratios
}

func ticksOf(trips []trip) int {
	n := 0
	for _, t := range trips {
		n += len(t.truth.Ticks)
	}
	return n
}

// recovered reads what a system recovered, one recovery a trip, of ticks alone.
func recovered(folder string, net *roadnet.Network, trips []trip) ([]*trajectory.Recovery, error) {
	var segments []int32
	var ratios []float32
	if err := readArray(filepath.Join(folder, "segment.npy"), &segments); err != nil {
		return nil, err
	}
	if err := readArray(filepath.Join(folder, "ratio.npy"), &ratios); err != nil {
		return nil, err
	}
	if n := ticksOf(trips); len(segments) != n || len(ratios) != n {
		return nil, fmt.Errorf("%s holds %d segments and %d ratios of %d ticks", folder, len(segments), len(ratios), n)
	}
	all := make([]*trajectory.Recovery, len(trips))
	for i, t := range trips {
		all[i] = &trajectory.Recovery{Trajectory: t.truth.Trajectory}
		for k, tick := range t.truth.Ticks {
			at := roadnet.Position{Segment: roadnet.SegmentID(segments[k]), Ratio: float64(ratios[k])}
			if segments[k] < 0 {
				continue
			}
			if int(segments[k]) >= net.NumSegments() || !(at.Ratio >= 0 && at.Ratio <= 1) {
				return nil, fmt.Errorf("%s: trip %d, tick %d: the network has no place %v", folder, i, k, at)
			}
			p := net.At(at)
			all[i].Ticks = append(all[i].Ticks, trajectory.Tick{Time: tick.Time, Lon: p.Lon, Lat: p.Lat, At: at, Layer: net.Layer(at.Segment)})
		}
		segments, ratios = segments[len(t.truth.Ticks):], ratios[len(t.truth.Ticks):]
	}
	return all, nil
}

// score prints the figures of what was recovered, as JSON.
func (j job) score(_ context.Context, net *roadnet.Network, trips []trip, w io.Writer) error {
	got, err := recovered(j.args[0], net, trips)
	if err != nil {
		return err
	}
	scorer, scores := metrics.NewScorer(net), make([]*metrics.Score, len(trips))
	for i, t := range trips {
		scores[i] = scorer.Score(t.truth, t.sparse, got[i])
	}
	return json.NewEncoder(w).Encode(metrics.Summarize("", "", scores, j.draws, 1))
}

// draw writes one trip as a table of points, which retrace render shows.
func (j job) draw(_ context.Context, net *roadnet.Network, trips []trip, _ io.Writer) error {
	if j.trip < 0 || j.trip >= len(trips) {
		return fmt.Errorf("there is no trip %d of %d", j.trip, len(trips))
	}
	drawn := trips[j.trip].truth
	switch j.what {
	case "recovered":
		got, err := recovered(j.args[0], net, trips)
		if err != nil {
			return err
		}
		drawn = got[j.trip]
	case "samples":
		drawn = trips[j.trip].observed()
	}
	out, err := write.Create(j.args[1], net, write.About{Network: net.Info()})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := out.Write(drawn); err != nil {
		return err
	}
	return out.Close()
}

// observed are the ticks with a sample, where they truly were.
func (t *trip) observed() *trajectory.Recovery {
	r := &trajectory.Recovery{Trajectory: t.truth.Trajectory}
	for _, tick := range t.truth.Ticks {
		if k := len(r.Ticks); k < len(t.sparse.Samples) && tick.Time == t.sparse.Samples[k].Time {
			r.Ticks = append(r.Ticks, tick)
		}
	}
	return r
}

func writeArray(path string, values any) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	err = npy.Write(b, values)
	if err == nil {
		err = b.Flush()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
