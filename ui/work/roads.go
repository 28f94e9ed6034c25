package work

import (
	"context"
	"sync"

	"retrace/engine"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/storage"
)

// roadShelf holds what a model says of the roads of the network that trips were
// recovered on last, so that other recoverers have it at once.
type roadShelf struct {
	mu      sync.Mutex // recoveries run side by side
	net     *roadnet.Network
	encoder rntrajrec.Encoder
	ws      *storage.Workspace
	held    *rntrajrec.Roads
}

// useRoads has recovery ask the model of the settings about the roads of a network,
// where its decoder looks at them. What is found out is kept in the workspace; nil: there
// is none.
func (s *roadShelf) useRoads(ws *storage.Workspace, net *roadnet.Network, settings *engine.Settings) {
	if !settings.SeesRoads() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if encoder := settings.Model.Encoder; s.held == nil || s.net != net || s.encoder != encoder || s.ws != ws {
		var keeper rntrajrec.Keeper
		if ws != nil {
			keeper = keptRoads{ws, storage.Roads{
				Fingerprint: net.Info().Fingerprint, Model: settings.Model.Hash, Width: encoder.Width(), Segments: rntrajrec.PieceSegments,
			}}
		}
		settings.UseRoads(net, keeper)
		s.net, s.encoder, s.ws, s.held = net, encoder, ws, settings.Roads
	}
	settings.Roads = s.held
}

// keptRoads are those of a workspace.
type keptRoads struct {
	ws *storage.Workspace
	of storage.Roads
}

// Load reads what is kept.
func (k keptRoads) Load(ctx context.Context, pieces []int) (map[int][]float32, error) {
	return k.ws.LoadRoads(ctx, k.of, pieces)
}

// Save keeps what is new.
func (k keptRoads) Save(ctx context.Context, pieces map[int][]float32) error {
	return k.ws.SaveRoads(ctx, k.of, pieces)
}
