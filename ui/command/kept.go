package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/storage"
)

// kept are the recoveries of the workspace that were made on a network. The
// caller closes it.
type kept struct {
	*storage.Workspace
	session *session
	name    string // of the network
	net     *roadnet.Network
	basemap *basemap.Map
}

// kept opens the workspace and loads a network of it; empty: the only one that
// has recoveries.
func (s *session) kept(network string) (*kept, error) {
	w, err := s.workspace(true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no workspace yet, so it holds no recoveries")
	}
	if err != nil {
		return nil, err
	}
	k := &kept{Workspace: w, session: s, name: network}
	if err := k.load(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return k, nil
}

func (k *kept) load() (err error) {
	if k.name == "" {
		if k.name, err = k.onlyNetwork(); err != nil {
			return err
		}
	}
	k.net, k.basemap, err = k.LoadNetwork(k.session.ctx, k.name)
	if _, ok := errors.AsType[*storage.NotFoundError](err); ok {
		return k.session.unknownNetwork(k.Workspace, k.name)
	}
	return err
}

// onlyNetwork is the network that all recoveries were made on.
func (k *kept) onlyNetwork() (string, error) {
	var names []string
	seen := map[string]bool{}
	for r, err := range k.RecoverySummaries(k.session.ctx) {
		if isDamage(err) {
			continue // told in the end
		}
		if err != nil {
			return "", err
		}
		if !seen[r.Network] {
			seen[r.Network] = true
			names = append(names, r.Network)
		}
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("the workspace %s holds no recoveries%s", k.Path(), k.whole())
	case 1:
		return names[0], nil
	}
	return "", usage("the workspace holds recoveries on %s: choose with --network", strings.Join(names, ", "))
}

// each calls f with every recovery that was made on the network as it is now. It
// counts them, and tells of those that were made on an earlier state.
func (k *kept) each(f func(*trajectory.Recovery) error) (done, stale int, err error) {
	for r, err := range k.Recoveries(k.session.ctx) {
		if isDamage(err) {
			continue // told in the end
		}
		if err != nil {
			return done, stale, err
		}
		switch {
		case r.Provenance.Fingerprint == k.net.Info().Fingerprint:
			if err := f(r); err != nil {
				return done, stale, err
			}
			done++
			k.session.progress.show("writing", count(done))
		case r.Provenance.Network == k.name:
			stale++
			k.session.note("retrace: trajectory %s was recovered on an earlier state of the network %s: recover it again", r.Trajectory, k.name)
		}
	}
	k.session.progress.clear()
	if done == 0 {
		return 0, stale, fmt.Errorf("the workspace %s holds no recoveries%s on the network %s as it is now", k.Path(), k.whole(), k.name)
	}
	return done, stale, nil
}

// whole says that what is missing may be lost.
func (k *kept) whole() string {
	if len(k.Damage()) > 0 {
		return " that are whole"
	}
	return ""
}

// finish tells what was written.
func (k *kept) finish(file string, done, stale int) error {
	if k.session.globals.JSON {
		if err := k.session.printJSON(map[string]any{"file": file, "recoveries": done, "stale": stale}); err != nil {
			return err
		}
	}
	if stale > 0 {
		return errSome
	}
	return nil
}
