package command

import (
	"context"
	"slices"

	"retrace/engine"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/storage"
)

// askRoads asks the model of the settings about the roads of a network, where its
// decoder looks at them. What is kept of them in the workspace is used, and what is
// new kept there with the network.
func (s *session) askRoads(net *roadnet.Network, settings *engine.Settings) (err error) {
	if !settings.SeesRoads() {
		return nil
	}
	defer s.progress.clear()
	settings.Roads, err = settings.Model.AskRoads(s.ctx, net, keptRoads{s}, s.globals.Threads, func(done, of int) {
		s.progress.show("asking the model about the roads", share(int64(done), int64(of)))
	})
	return err
}

// keptRoads are those of the workspace.
type keptRoads struct{ session *session }

// open opens the workspace; what of it is lost was told when the network was read.
func (k keptRoads) open(readOnly bool) (*storage.Workspace, error) {
	path, err := k.session.workspacePath()
	if err != nil {
		return nil, err
	}
	return k.session.openWorkspace(path, readOnly)
}

// LoadRoads reads what is kept.
func (k keptRoads) LoadRoads(ctx context.Context, fingerprint, model string) (*rntrajrec.Roads, error) {
	w, err := k.open(true)
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

// SaveRoads keeps what is said of a network of the workspace. Of an extract that was
// imported on the fly nothing is kept.
func (k keptRoads) SaveRoads(ctx context.Context, fingerprint, model string, r *rntrajrec.Roads) error {
	if held, err := k.holds(fingerprint); err != nil || !held {
		return err
	}
	w, err := k.open(false)
	if err != nil {
		return err
	}
	defer w.Close()
	if w.ReadOnly() {
		return nil // it is damaged, and they can be computed again
	}
	return w.SaveRoads(ctx, &storage.Roads{Fingerprint: fingerprint, Model: model, Width: r.Width, Values: r.Values})
}

// holds reports whether the workspace holds a network.
func (k keptRoads) holds(fingerprint string) (bool, error) {
	w, err := k.open(true)
	if err != nil {
		return false, err
	}
	defer w.Close()
	infos, err := w.Networks()
	return slices.ContainsFunc(infos, func(i roadnet.Info) bool { return i.Fingerprint == fingerprint }), err
}
