package dataset

import (
	"context"
	"hash/fnv"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/traffic"
	"retrace/engine/trajectory"
)

// Gathered is what the trips of a data set tell of its network's roads, thinned
// in each way as they are in the data set. A user may have many trips or few, so
// it is there for all of them, for a quarter and for a sixteenth.
type Gathered struct {
	levels [][]*feature.Traffic // by keep and level
}

// levels of traffic: every trip, every fourth, every sixteenth.
const levels = 3

// Gather matches the trips, thinned in each way.
func Gather(ctx context.Context, net *roadnet.Network, trips []*trajectory.Trajectory, tensors Settings, s match.Settings, threads int, progress func(done, of int)) (*Gathered, error) {
	g := &Gathered{}
	done := 0
	for keep := range tensors.Keep {
		thinned := func(yield func(*trajectory.Trajectory, error) bool) {
			for _, t := range trips {
				if !yield(tensors.thinned(t, keep), nil) {
					return
				}
			}
		}
		at := make([]*feature.Traffic, levels)
		for i := range at {
			at[i] = feature.NewTraffic(net)
		}
		err := traffic.Each(ctx, net, thinned, s, threads, func(t traffic.Trip) error {
			for i, every := 0, uint64(1); i < levels && drawOf(t.ID)%every == 0; i, every = i+1, every*4 {
				at[i].Add(t.Samples, t.Ways, t.Seconds)
			}
			if done++; progress != nil {
				progress(done, len(trips)*len(tensors.Keep))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		g.levels = append(g.levels, at)
	}
	return g, nil
}

// drawOf is a number that an id has drawn.
func drawOf(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64() >> 7
}

// of is the traffic that a trip is described with, which it draws by its id: of
// one of the levels, or none.
func (g *Gathered) of(keep int, id string) *feature.Traffic {
	if g == nil {
		return nil
	}
	if level := int(drawOf(id+"#") % (levels + 1)); level < levels {
		return g.levels[keep][level]
	}
	return nil
}
