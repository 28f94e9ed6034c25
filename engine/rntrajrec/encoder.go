package rntrajrec

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
)

// Encoder is the part of a model that looks at roads and samples: GridGNN and
// GPSFormer. It may be used by several goroutines at once.
type Encoder interface {
	// Width is the number of values that it says of a segment or sample.
	Width() int

	// Hops is how many segments away what is said of a segment depends on.
	Hops() int

	// Roads is X_road of the segments of a part, [segments][Width].
	Roads(p *feature.Part) ([]float32, error)

	// Encode gives the states H_traj [samples][Width] of a trip's samples and
	// h_traj [Width] of the whole. Road is X_road of some segments, and the
	// segments of the points are places in it.
	Encode(road []float32, points *feature.Points, environment []float32) (h, whole []float32, err error)
}

// Roads is X_road: what a model says of every segment of a network. It depends
// on the network and the model alone, so that it can be kept.
type Roads struct {
	Width  int
	Values []float32 // [segments][Width]
}

// roadChunk is how many segments are looked at in one piece: more than the margin
// around them, and done soon enough that nobody waits long for a cancelled one.
const roadChunk = 512

// NewRoads asks a model about every segment of a network, by several threads.
// Progress, which may be nil, is called with the segments done, by any of them.
func NewRoads(ctx context.Context, net *roadnet.Network, e Encoder, threads int, progress func(done, of int)) (*Roads, error) {
	n := net.NumSegments()
	r := &Roads{Width: e.Width(), Values: make([]float32, n*e.Width())}
	var next, done atomic.Int64
	makers, err := feature.NewPartMaker(ctx, net)
	if err != nil {
		return nil, err
	}
	g, all := errgroup.WithContext(ctx)
	for range max(1, min(threads, (n+roadChunk-1)/roadChunk)) {
		g.Go(func() error {
			maker := makers.Fork()
			var part feature.Part
			for {
				first := int(next.Add(roadChunk)) - roadChunk
				if err := cmp.Or(ctx.Err(), all.Err()); first >= n || err != nil {
					return err
				}
				end := min(first+roadChunk, n)
				maker.Fill(&part, roadnet.SegmentID(first), roadnet.SegmentID(end), e.Hops())
				values, err := e.Roads(&part)
				if err != nil {
					return fmt.Errorf("roads of the network %q: %w", net.Info().Name, err)
				}
				copy(r.Values[first*r.Width:end*r.Width], values)
				if now := int(done.Add(int64(end - first))); progress != nil {
					progress(now, n)
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return r, nil
}

// Fit says what is wrong with values for a network and an encoder, as another
// network's would be.
func (r *Roads) Fit(net *roadnet.Network, e Encoder) error {
	if r.Width != e.Width() || len(r.Values) != net.NumSegments()*r.Width {
		return fmt.Errorf("%d values, %d a segment, are not those of a model of %d for %d segments",
			len(r.Values), r.Width, e.Width(), net.NumSegments())
	}
	return nil
}

// of is X_road of one segment.
func (r *Roads) of(id roadnet.SegmentID) []float32 {
	return r.Values[int(id)*r.Width : (int(id)+1)*r.Width]
}

// Encoding is what the encoder says of a trip.
type Encoding struct {
	H     []float32 // [samples][width]
	Whole []float32 // [width]
}

// pool collects X_road of some segments and gives them places.
type pool struct {
	roads  *Roads
	places map[roadnet.SegmentID]int32
	values []float32 // [places][width]
}

func newPool(roads *Roads) pool {
	return pool{roads: roads, places: map[roadnet.SegmentID]int32{}}
}

func (p *pool) reset() {
	clear(p.places)
	p.values = p.values[:0]
}

// place is the place of a segment.
func (p *pool) place(id roadnet.SegmentID) int32 {
	at, known := p.places[id]
	if !known {
		at = int32(len(p.places))
		p.places[id] = at
		p.values = append(p.values, p.roads.of(id)...)
	}
	return at
}

// gather puts places for segments. No segment, whose number is that of all
// segments, becomes the number of places.
func (p *pool) gather(segments []int32) {
	n := int32(len(p.roads.Values) / p.roads.Width)
	for i, id := range segments {
		if segments[i] = nowhere; id < n {
			segments[i] = p.place(roadnet.SegmentID(id))
		}
	}
	copy(segments, settled(nil, segments, 0, int32(len(p.places))))
}

// nowhere stands for no segment until the number of places is known.
const nowhere = -1

// settled appends places, counted on from an offset, and the number of all for
// nowhere.
func settled(to, places []int32, offset, all int32) []int32 {
	for _, at := range places {
		if at == nowhere {
			at = all - offset
		}
		to = append(to, at+offset)
	}
	return to
}
