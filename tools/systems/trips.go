package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio"

	"retrace/engine/dataset"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// trip is one trip of a data set: what is recovered from, and the truth.
type trip struct {
	sparse *trajectory.Trajectory
	truth  *trajectory.Recovery // ticks alone
}

// arrays are those of a shard that trips are made of.
type arrays struct {
	sampleStart, tickStart, stepStart, stepSegment []int32
	sampleLon, sampleLat, stepLon, stepLat         []float64
	gapSeconds, tickTime, stepRatio                []float32
	tripTime                                       []int64
}

// readTrips reads the trips of a data set on one network.
func readTrips(set string, net *roadnet.Network) ([]trip, error) {
	m, err := dataset.Read(set)
	if err != nil {
		return nil, err
	}
	if m.Settings.Ticks == nil {
		return nil, fmt.Errorf("%s holds no ticks; write it with retrace dataset --encoder --ticks", set)
	}
	if want := net.Info().Fingerprint; len(m.Networks) != 1 || m.Networks[0].Fingerprint != want {
		return nil, fmt.Errorf("%s is not of the network given alone, whose fingerprint is %s", set, want)
	}
	var all []trip
	for _, s := range m.Shards {
		a, err := readArrays(filepath.Join(set, s.Name))
		if err != nil {
			return nil, err
		}
		for i := range s.Trips {
			all = append(all, a.trip(i, fmt.Sprint(len(all)), net))
		}
	}
	return all, nil
}

func readArrays(folder string) (*arrays, error) {
	a := &arrays{}
	var errs []error
	for name, into := range map[string]any{
		"sample_start": &a.sampleStart, "tick_start": &a.tickStart, "step_start": &a.stepStart, "step_segment": &a.stepSegment,
		"sample_lon": &a.sampleLon, "sample_lat": &a.sampleLat, "step_lon": &a.stepLon, "step_lat": &a.stepLat,
		"gap_seconds": &a.gapSeconds, "tick_time": &a.tickTime, "step_ratio": &a.stepRatio, "trip_time": &a.tripTime,
	} {
		errs = append(errs, readArray(filepath.Join(folder, name+".npy"), into))
	}
	return a, errors.Join(errs...)
}

func readArray(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := npyio.Read(f, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// trip i of a shard. A trip has a gap fewer than samples.
func (a *arrays) trip(i int, id string, net *roadnet.Network) trip {
	t := trip{&trajectory.Trajectory{ID: id}, &trajectory.Recovery{Trajectory: id}}
	now, step := a.tripTime[i], int(a.stepStart[i])
	first, last := int(a.sampleStart[i]), int(a.sampleStart[i+1])-1
	for s := first; ; s++ {
		t.sparse.Samples = append(t.sparse.Samples, trajectory.Sample{Time: now, Lon: a.sampleLon[s], Lat: a.sampleLat[s]})
		t.addTick(a, &step, now, net)
		if s == last {
			return t
		}
		gap := s - i
		for k := a.tickStart[gap]; k < a.tickStart[gap+1]; k++ {
			t.addTick(a, &step, now+milliseconds(a.tickTime[k]), net)
		}
		now += milliseconds(a.gapSeconds[gap])
	}
}

func milliseconds(seconds float32) int64 { return int64(float64(seconds)*1000 + 0.5) }

func (t *trip) addTick(a *arrays, step *int, now int64, net *roadnet.Network) {
	id := roadnet.SegmentID(a.stepSegment[*step])
	t.truth.Ticks = append(t.truth.Ticks, trajectory.Tick{
		Time: now, Lon: a.stepLon[*step], Lat: a.stepLat[*step], Layer: net.Layer(id),
		At: roadnet.Position{Segment: id, Ratio: float64(a.stepRatio[*step])},
	})
	*step++
}
