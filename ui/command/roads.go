package command

import (
	"context"
	"slices"
	"sync"

	"retrace/engine"
	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
	"retrace/storage"
)

// useRoads has recovery ask the model of the settings about the roads of a network,
// where its decoder looks at them. What is kept of them in the workspace is used, and
// what is new kept there with the network.
func (s *session) useRoads(net *roadnet.Network, settings *engine.Settings) {
	if !settings.SeesRoads() {
		return
	}
	settings.UseRoads(net, &keptRoads{session: s, of: storage.Roads{
		Fingerprint: net.Info().Fingerprint, Model: settings.Model.Hash, Width: settings.Model.Encoder.Width(), Segments: rntrajrec.PieceSegments,
	}})
}

// keptRoads are those of the workspace, which is open only as long as they are read or
// written: others may want to write to it meanwhile.
type keptRoads struct {
	session *session
	of      storage.Roads

	mu     sync.Mutex // this program is not to stand in its own way
	looked bool       // into the workspace
	absent bool       // nothing can be kept there
}

var _ rntrajrec.Keeper = (*keptRoads)(nil)

// open opens the workspace; what of it is lost was told when the network was read. Once
// it cannot be opened, or does not hold the network, as one imported on the fly, it is
// not looked at again. The lock is held.
func (k *keptRoads) open(readOnly bool) (*storage.Workspace, error) {
	path, err := k.session.workspacePath()
	if err != nil || k.absent {
		return nil, err
	}
	w, err := k.session.openWorkspace(path, readOnly)
	if err != nil {
		k.absent = true
		return nil, err
	}
	if !k.looked {
		infos, err := w.Networks()
		k.looked = true
		k.absent = err != nil || !slices.ContainsFunc(infos, func(i roadnet.Info) bool { return i.Fingerprint == k.of.Fingerprint })
	}
	if k.absent || !readOnly && w.ReadOnly() { // it is damaged, and they can be computed again
		return nil, w.Close()
	}
	return w, nil
}

// Load reads what is kept.
func (k *keptRoads) Load(ctx context.Context, pieces []int) (map[int][]float32, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	w, err := k.open(true)
	if w == nil {
		return nil, err
	}
	defer w.Close()
	return w.LoadRoads(ctx, k.of, pieces)
}

// Save keeps what is new.
func (k *keptRoads) Save(ctx context.Context, pieces map[int][]float32) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	w, err := k.open(false)
	if w == nil {
		return err
	}
	defer w.Close()
	return w.SaveRoads(ctx, k.of, pieces)
}
