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
	width := settings.Model.Encoder.Width()
	if s.file != nil && s.file.Network == net { // nothing is kept besides what is in it
		settings.UseRoads(net, fileRoads{s.file.Roads(settings.Model.Hash, width), width})
		return
	}
	settings.UseRoads(net, &keptRoads{session: s, of: storage.Roads{
		Fingerprint: net.Info().Fingerprint, Model: settings.Model.Hash, Width: width, Segments: rntrajrec.PieceSegments,
	}})
}

// fileRoads are those of a network file.
type fileRoads struct {
	values []float32 // of every segment; none: the file was written without
	width  int
}

// Load gives pieces as they lie in the file.
func (f fileRoads) Load(_ context.Context, pieces []int) (map[int][]float32, error) {
	found := map[int][]float32{}
	size := rntrajrec.PieceSegments * f.width
	for _, n := range pieces {
		if n*size < len(f.values) {
			found[n] = f.values[n*size : min((n+1)*size, len(f.values))]
		}
	}
	return found, nil
}

// Save keeps nothing: the file is not written to.
func (fileRoads) Save(context.Context, map[int][]float32) error { return nil }

// allRoads has a model asked about every road of a network, but for what is kept of them
// in the workspace.
func (s *session) allRoads(net *roadnet.Network, settings engine.Settings) ([]float32, error) {
	width := settings.Model.Encoder.Width()
	all := &gatheredRoads{width: width, values: make([]float32, width*net.NumSegments()), of: net.NumSegments(), session: s}
	all.kept = &keptRoads{session: s, of: storage.Roads{
		Fingerprint: net.Info().Fingerprint, Model: settings.Model.Hash, Width: width, Segments: rntrajrec.PieceSegments}}
	defer s.progress.clear()
	return all.values, rntrajrec.NewRoads(net, settings.Model.Encoder, all).All(s.ctx, s.threads())
}

// gatheredRoads gather pieces as they are found.
type gatheredRoads struct {
	session *session
	kept    *keptRoads
	width   int
	values  []float32 // of every segment

	mu       sync.Mutex
	done, of int // segments
}

// Load gathers what is kept.
func (g *gatheredRoads) Load(ctx context.Context, pieces []int) (map[int][]float32, error) {
	found, err := g.kept.Load(ctx, pieces)
	g.take(found)
	return found, err
}

// Save gathers what is new. It is not kept elsewhere.
func (g *gatheredRoads) Save(_ context.Context, pieces map[int][]float32) error {
	g.take(pieces)
	return nil
}

func (g *gatheredRoads) take(pieces map[int][]float32) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for n, values := range pieces {
		g.done += copy(g.values[n*rntrajrec.PieceSegments*g.width:], values) / g.width
	}
	g.session.progress.show("asking the model about the roads", share(int64(g.done), int64(g.of)))
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
