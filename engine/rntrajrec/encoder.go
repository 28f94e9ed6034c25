package rntrajrec

import (
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

// Encoding is what the encoder says of a trip.
type Encoding struct {
	H     []float32 // [samples][width]
	Whole []float32 // [width]
}

// pool gives places to segments whose X_road is told.
type pool struct {
	places   map[roadnet.SegmentID]int32
	segments []roadnet.SegmentID // by place
}

func newPool() pool { return pool{places: map[roadnet.SegmentID]int32{}} }

func (p *pool) reset() {
	clear(p.places)
	p.segments = p.segments[:0]
}

// place is the place of a segment.
func (p *pool) place(id roadnet.SegmentID) int32 {
	at, known := p.places[id]
	if !known {
		at = int32(len(p.places))
		p.places[id] = at
		p.segments = append(p.segments, id)
	}
	return at
}

// gather puts places for segments. No segment, whose number is that of all
// segments, becomes the number of places.
func (p *pool) gather(segments []int32, all int) {
	for i, id := range segments {
		if segments[i] = nowhere; int(id) < all {
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
