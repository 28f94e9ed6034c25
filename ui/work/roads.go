package work

import (
	"context"
	"sync"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/storage"
	"retrace/ui/task"
)

// roadShelf keeps what models say of roads: the last in memory, and all in the
// workspace, where there is one.
type roadShelf struct {
	mu   sync.Mutex // recoveries run side by side
	key  string     // network and model of what is held
	held *rntrajrec.Roads
}

// askRoads asks the model of the settings about the roads of a network, where its
// decoder looks at them and they are not kept.
func (s *roadShelf) askRoads(ctx context.Context, ws *storage.Workspace, net *roadnet.Network, settings *engine.Settings, report func(task.Progress)) error {
	return settings.AskRoads(ctx, net, shelfOf{s, ws}, settings.Threads, func(done, of int) {
		report(task.Progress{Phase: lang.L("Looking at the roads"), Done: int64(done), Total: int64(of)})
	})
}

// shelfOf is a shelf with the workspace behind it; nil: none is.
type shelfOf struct {
	shelf *roadShelf
	ws    *storage.Workspace
}

// LoadRoads looks into memory, then into the workspace.
func (s shelfOf) LoadRoads(ctx context.Context, fingerprint, model string) (*rntrajrec.Roads, error) {
	s.shelf.mu.Lock()
	held := s.shelf.held
	if s.shelf.key != fingerprint+model {
		held = nil
	}
	s.shelf.mu.Unlock()
	if held != nil || s.ws == nil {
		return held, nil
	}
	kept, err := s.ws.LoadRoads(ctx, fingerprint, model)
	if err != nil || kept == nil {
		return nil, err
	}
	r := &rntrajrec.Roads{Width: kept.Width, Values: kept.Values}
	s.hold(fingerprint+model, r)
	return r, nil
}

// SaveRoads keeps roads in memory and in the workspace.
func (s shelfOf) SaveRoads(ctx context.Context, fingerprint, model string, r *rntrajrec.Roads) error {
	s.hold(fingerprint+model, r)
	if s.ws == nil {
		return nil
	}
	return s.ws.SaveRoads(ctx, &storage.Roads{Fingerprint: fingerprint, Model: model, Width: r.Width, Values: r.Values})
}

func (s shelfOf) hold(key string, r *rntrajrec.Roads) {
	s.shelf.mu.Lock()
	defer s.shelf.mu.Unlock()
	s.shelf.key, s.shelf.held = key, r
}
