package rntrajrec

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// naming stands for an encoder that says of a segment which one it is, and of a
// sample of which trip it is and which of its samples.
type naming struct{ trips *atomic.Int64 }

func (naming) Width() int { return 2 }
func (naming) Hops() int  { return 0 }

func (naming) Roads(p *feature.Part) ([]float32, error) {
	var values []float32
	for _, id := range p.Segments {
		values = append(values, float32(id), 1)
	}
	return values, nil
}

func (n naming) Encode(road []float32, points *feature.Points, _ []float32) (h, whole []float32, err error) {
	trip := float32(n.trips.Add(1))
	for i := range points.Samples {
		h = append(h, trip, float32(i))
	}
	return h, make([]float32, 2), nil
}

// checking is a model that checks what it is told by such an encoder.
type checking struct {
	nearest
	t     *testing.T
	net   *roadnet.Network
	asked *atomic.Int64
	parts *atomic.Bool // candidates and options of a trip may be asked about in several calls
}

func (c checking) segment(s *Seen, place int32) (roadnet.SegmentID, bool) {
	if int(place) == len(s.Road)/2 {
		return 0, false
	}
	return roadnet.SegmentID(s.Road[2*place]), true
}

// on is a sample's candidate segment, or one that an option ends on.
type on struct {
	trip, sample float32
	segment      roadnet.SegmentID
}

func (c checking) Routes(in *RouteInput) (u, v []float32, err error) {
	c.asked.Add(1)
	candidates := map[on]bool{}
	for i, sample := range in.CandidateSample {
		id, known := c.segment(&in.Seen, in.CandidateSegment[i])
		if !known {
			c.t.Error("a candidate on no segment")
		}
		candidates[on{in.H[2*sample], in.H[2*sample+1], id}] = true
	}
	for i, sample := range in.OptionSample {
		var path []roadnet.SegmentID
		for _, place := range in.OptionSegments[i*in.Longest : (i+1)*in.Longest] {
			if id, known := c.segment(&in.Seen, place); known {
				path = append(path, id)
			}
		}
		from := on{in.H[2*sample], in.H[2*sample+1], path[0]}
		to := on{in.H[2*sample+2], in.H[2*sample+3], path[len(path)-1]}
		if !c.parts.Load() && !(candidates[from] && candidates[to]) || to.sample != from.sample+1 || to.trip != from.trip || !c.net.Drivable(path) {
			c.t.Errorf("option %d leads from %v to %v by %v", i, from, to, path)
		}
	}
	return c.nearest.Routes(in)
}

func (c checking) Times(in *TimeInput) (share, spread []float32, err error) {
	c.asked.Add(1)
	for i, sample := range in.GapSample {
		var path []roadnet.SegmentID
		for k, place := range in.PieceSegment[i*in.Longest : (i+1)*in.Longest] {
			id, known := c.segment(&in.Seen, place)
			if known != (k < int(in.Counts[i])) {
				c.t.Errorf("gap %d of %d pieces: piece %d is on a segment: %v", i, in.Counts[i], k, known)
			}
			if known && (len(path) == 0 || path[len(path)-1] != id) {
				path = append(path, id)
			}
		}
		if in.Counts[i] > 0 && (in.H[2*sample] != in.H[2*sample+2] || in.H[2*sample+1]+1 != in.H[2*sample+3]) {
			c.t.Errorf("gap %d is between samples %v", i, in.H[2*sample:2*sample+4])
		}
		if !c.net.Drivable(path) {
			c.t.Errorf("the pieces of gap %d lie on %v", i, path)
		}
	}
	return c.nearest.Times(in)
}

// A model that looks at the encoder is told of the segments that candidates,
// options and pieces lie on, and of the samples around them, also where several
// trips share a call and where a trip is asked about in parts.
func TestAModelIsToldWhatTheEncoderSaysOfTheRightPlaces(t *testing.T) {
	net := roadnettest.GridCity(12)
	encoder := naming{new(atomic.Int64)}
	roads := NewRoads(net, encoder, nil)
	asked, parts := new(atomic.Int64), new(atomic.Bool)
	routes := feature.DefaultRoutes()
	routes.Candidates.Cap = 4
	d, err := New(net, checking{t: t, net: net, asked: asked, parts: parts}, Settings{
		Routes: routes, Matching: match.DefaultSettings(), Threads: 3, Calls: 1,
		Context: &Context{Encoder: encoder, Roads: roads, Points: feature.DefaultSettings(), Routes: true, Times: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1 << 20, 3000} {
		d.routes.most = most
		parts.Store(most < 1<<20)
		var all sync.WaitGroup
		for seed := range uint64(8) {
			all.Go(func() {
				if _, err := d.Match(context.Background(), strolling(net, seed, 3+int(seed)), nil); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if asked.Load() < 8 {
		t.Errorf("the model was asked %d times", asked.Load())
	}
}

// strolling goes about in a city, from sample to sample.
func strolling(net *roadnet.Network, seed uint64, samples int) []trajectory.Sample {
	rng := rand.New(rand.NewPCG(seed, 3))
	at := net.Info().Bounds.Center()
	var all []trajectory.Sample
	for i := range samples {
		at.Lon, at.Lat = at.Lon+(rng.Float64()-0.5)*0.004, at.Lat+(rng.Float64()-0.5)*0.003
		all = append(all, trajectory.Sample{Time: int64(i) * 120_000, Lon: at.Lon, Lat: at.Lat})
	}
	return all
}

// Every sample is told of once, in order, and no window is large.
func TestWindowsTellOfEverySampleOnce(t *testing.T) {
	for _, n := range []int{1, 2, windowSamples + 2*windowMargin, windowSamples + 2*windowMargin + 1, 1000} {
		var told []int
		err := windows(n, func(first, last, from, to int) error {
			if first > from || to > last || last > n || last-first > windowSamples+2*windowMargin {
				t.Errorf("of %d: %d to %d for %d to %d", n, first, last, from, to)
			}
			for i := from; i < to; i++ {
				told = append(told, i)
			}
			return nil
		})
		if err != nil || len(told) != n || !slices.IsSorted(told) {
			t.Errorf("of %d: told of %v", n, told)
		}
	}
}
