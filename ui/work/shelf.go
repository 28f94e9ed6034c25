package work

import (
	"sync"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/storage"
)

// shelf keeps what recoveries need again: what a model says of roads, and the
// recoverer made ready last, so that a trip is recovered at once after a pin.
type shelf struct {
	roads   roadShelf
	traffic trafficShelf

	mu    sync.Mutex // recoveries run side by side
	ready *engine.Recoverer
	of    readyOf
}

// readyOf is what a recoverer is made of.
type readyOf struct {
	net      *roadnet.Network
	model    *engine.Model
	traffic  *feature.Traffic
	device   string // that the model runs on now
	settings string
}

// recoverer is a recoverer on a network, the last one where it is the same.
func (s *shelf) recoverer(ws *storage.Workspace, net *roadnet.Network, settings engine.Settings) (*engine.Recoverer, error) {
	of := readyOf{net: net, model: settings.Model, traffic: settings.Traffic, settings: settings.String()}
	if settings.Model != nil {
		of.device = settings.Model.Device()
	}
	s.mu.Lock()
	ready, same := s.ready, s.of == of
	s.mu.Unlock()
	if same && ready != nil {
		return ready, nil
	}
	s.roads.useRoads(ws, net, &settings)
	rec, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready, s.of = rec, of
	return rec, nil
}
