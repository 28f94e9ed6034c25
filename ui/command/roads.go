package command

import (
	"context"

	"retrace/engine"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/storage"
)

// askRoads asks the model of the settings about the roads of a network, where
// it has an encoder. What the window has kept of it in the workspace is used;
// the command line keeps it in memory only.
func (s *session) askRoads(net *roadnet.Network, settings *engine.Settings) (err error) {
	if settings.Model == nil || settings.Model.Encoder == nil {
		return nil
	}
	defer s.progress.clear()
	settings.Roads, err = settings.Model.AskRoads(s.ctx, net, keptRoads{s}, s.globals.Threads, func(done, of int) {
		s.progress.show("asking the model about the roads", share(int64(done), int64(of)))
	})
	return err
}

// keptRoads reads what is kept in the workspace.
type keptRoads struct{ session *session }

func (k keptRoads) LoadRoads(ctx context.Context, fingerprint, model string) (*rntrajrec.Roads, error) {
	path, err := k.session.workspacePath()
	if err != nil {
		return nil, err
	}
	w, err := storage.Open(path, storage.Options{ReadOnly: true, Program: "retrace " + k.session.version})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	r, err := w.LoadRoads(ctx, fingerprint, model)
	if err != nil || r == nil {
		return nil, err
	}
	return &rntrajrec.Roads{Width: r.Width, Values: r.Values}, nil
}

func (keptRoads) SaveRoads(context.Context, string, string, *rntrajrec.Roads) error { return nil }
