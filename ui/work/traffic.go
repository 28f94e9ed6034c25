package work

import (
	"context"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/traffic"
	"retrace/ui/state"
	"retrace/ui/task"
)

// trafficShelf keeps what the trips told of a network's roads, so that a trip is
// recovered at once after a pin.
type trafficShelf struct {
	mu    sync.Mutex // one gathering at a time
	net   *roadnet.Network
	trips uint64 // that it was gathered from
	known *feature.Traffic
}

// gather is what trips tell of the roads, the last one where trips and network are
// the same.
func (s *trafficShelf) gather(ctx context.Context, net *roadnet.Network, trips []*state.Journey, settings engine.Settings,
	report func(task.Progress)) (*feature.Traffic, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := keyOfTrips(trips)
	if s.known != nil && s.net == net && s.trips == key {
		return s.known, nil
	}
	phase := lang.L("Looking at what the trips tell of the roads")
	known, err := traffic.Gather(ctx, net, wholeTrips(trips), settings.HMM, runtime.GOMAXPROCS(0), func(done int) {
		report(task.Progress{Phase: phase, Done: int64(done), Total: int64(len(trips))})
	})
	if err != nil {
		return nil, err
	}
	s.net, s.trips, s.known = net, key, known
	return known, nil
}

func keyOfTrips(trips []*state.Journey) uint64 {
	h := fnv.New64a()
	for _, t := range trips {
		fmt.Fprintf(h, "%q %d ", t.ID(), t.Points())
	}
	return h.Sum64()
}

// neighbours are the trips whose word on the roads counts: all on the network,
// where the user wants that; else none.
func (d *Desk) neighbours() []*state.Journey {
	if !d.state.Options().Gather {
		return nil
	}
	var all []*state.Journey
	for _, t := range d.state.Trips() {
		if t.Status != state.Outside {
			all = append(all, t.Journey())
		}
	}
	return all
}
