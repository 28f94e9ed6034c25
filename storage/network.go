package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// Networks lists the networks by name. One that is not whole is left out and
// among the Damage.
func (w *Workspace) Networks() ([]roadnet.Info, error) {
	var list []roadnet.Info
	damaged := map[string]error{}
	err := w.view(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(bucketNetworks)).ForEach(func(k, v []byte) error {
			m, err := parseManifest(k, v)
			if err != nil {
				damaged[string(k)] = err
				return nil
			}
			list = append(list, m.Info)
			return nil
		})
	})
	for name, err := range damaged {
		_ = w.noteDamage(Damage{KindNetwork, name, err.Error()})
	}
	return list, err
}

// SaveNetwork keeps a network under the name in its Info with the map behind it
// (may be nil) and the import report (JSON, may be nil). A name that is taken
// gives an [*ExistsError].
func (w *Workspace) SaveNetwork(ctx context.Context, net *roadnet.Network, bm *basemap.Map, report []byte) error {
	return w.saveNetwork(ctx, net, bm, report, false)
}

// ReplaceNetwork is SaveNetwork for a name that may be taken: the old network
// stays until the new one is whole. Recoveries on the old one become stale.
func (w *Workspace) ReplaceNetwork(ctx context.Context, net *roadnet.Network, bm *basemap.Map, report []byte) error {
	return w.saveNetwork(ctx, net, bm, report, true)
}

func (w *Workspace) saveNetwork(ctx context.Context, net *roadnet.Network, bm *basemap.Map, report []byte, replace bool) error {
	info := net.Info()
	if err := CheckName(info.Name); err != nil {
		return err
	}
	s := &networkSaver{w: w, ctx: ctx, replace: replace, manifest: manifest{Info: info}}
	err := s.describe(KindNetwork, net.Columns())
	if err == nil && bm != nil {
		err = s.describe(KindBasemap, bm.Columns())
	}
	if err == nil && report != nil {
		err = s.describe(KindReport, []roadnet.Column{{Name: "report", Data: report}})
	}
	if err == nil {
		err = s.save()
	}
	if err != nil {
		return fmt.Errorf("saving network %q: %w", info.Name, err)
	}
	w.compactLater()
	return nil
}

// LoadNetwork reads a network and the map behind it, which is nil where none
// was saved. A map that is not whole is left out and among the Damage.
func (w *Workspace) LoadNetwork(ctx context.Context, name string) (*roadnet.Network, *basemap.Map, error) {
	l, err := w.loadColumns(ctx, name, KindNetwork, KindBasemap)
	if err != nil {
		return nil, nil, err
	}
	net, err := roadnet.FromColumns(l.manifest.Info, l.columns(KindNetwork))
	if err != nil {
		return nil, nil, w.noteDamage(Damage{KindNetwork, name, err.Error()})
	}
	if !l.manifest.has(KindBasemap) || l.failed[KindBasemap] != nil {
		return net, nil, nil
	}
	bm, err := basemap.FromColumns(l.columns(KindBasemap))
	if err != nil {
		_ = w.noteDamage(Damage{KindBasemap, name, err.Error()})
		return net, nil, nil
	}
	return net, bm, nil
}

// NetworkReport is the import report of a network, nil where none was saved.
func (w *Workspace) NetworkReport(name string) ([]byte, error) {
	l, err := w.loadColumns(context.Background(), name, KindReport)
	if err != nil {
		return nil, err
	}
	if err := l.failed[KindReport]; err != nil {
		return nil, err
	}
	for _, c := range l.columns(KindReport) {
		if report, ok := c.Data.([]uint8); ok {
			return report, nil
		}
	}
	return nil, nil
}

// RenameNetwork gives a network another name. A name that is taken gives an
// [*ExistsError]. Recoveries know their network by its fingerprint and stay.
func (w *Workspace) RenameNetwork(ctx context.Context, name, to string) error {
	if err := CheckName(to); err != nil {
		return err
	}
	return w.update(ctx, func(c *change) error {
		m, err := getManifest(c.tx, name)
		switch {
		case err != nil:
			return &DamagedError{w.path, Damage{KindNetwork, name, err.Error()}}
		case m == nil:
			return &NotFoundError{KindNetwork, name}
		case c.bucket(bucketNetworks).Get([]byte(to)) != nil:
			return &ExistsError{to}
		}
		m.Info.Name = to
		return errors.Join(c.bucket(bucketNetworks).Delete([]byte(name)), c.putManifest(m))
	})
}

// RemoveNetwork removes a network with its map and report. Recoveries on it
// stay, without their network.
func (w *Workspace) RemoveNetwork(ctx context.Context, name string) error {
	err := w.update(ctx, func(c *change) error {
		m, err := getManifest(c.tx, name)
		switch {
		case err != nil:
			return &DamagedError{w.path, Damage{KindNetwork, name, err.Error()}}
		case m == nil:
			return &NotFoundError{KindNetwork, name}
		}
		return c.removeNetwork(m)
	})
	if err == nil {
		w.compactLater()
	}
	return err
}

func (c *change) removeNetwork(m *manifest) error {
	return errors.Join(
		c.bucket(bucketNetworks).Delete([]byte(m.Info.Name)),
		c.removeBetween(bucketChunks, numberKey(m.Generation), numberKey(m.Generation+1)))
}

// removeBetween removes the keys of a bucket from low up to high.
func (c *change) removeBetween(bucket string, low, high []byte) error {
	b := c.bucket(bucket)
	var keys [][]byte
	cursor := b.Cursor()
	for k, _ := cursor.Seek(low); k != nil && string(k) < string(high); k, _ = cursor.Next() {
		keys = append(keys, k)
	}
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

// putManifest makes a network visible.
func (c *change) putManifest(m *manifest) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return errors.Join(
		c.put(bucketChunks, frameManifest, chunkKey(m.Generation, manifestChunk, 0), text),
		c.put(bucketNetworks, frameManifest, []byte(m.Info.Name), text))
}

// removeOrphans removes the chunks of networks whose saving was broken off.
func (w *Workspace) removeOrphans() error {
	orphans, err := w.orphans()
	if err != nil || len(orphans) == 0 {
		return err
	}
	return w.update(w.background, func(c *change) error {
		for _, g := range orphans {
			if err := c.removeBetween(bucketChunks, numberKey(g), numberKey(g+1)); err != nil {
				return err
			}
		}
		return nil
	})
}

// unknown lists the generations of chunks other than those known. Generations
// rise: a key that a bad disk has changed is none, and must not lead back to an
// earlier one.
func unknown(chunks *bbolt.Bucket, known map[uint64]bool) []uint64 {
	var list []uint64
	cursor, last := chunks.Cursor(), uint64(0)
	for k, v := cursor.First(); k != nil; {
		g := keyNumber(k)
		if !known[g] && !wholeUnder(k, v) {
			k, v = cursor.Next()
			continue
		}
		if g <= last {
			return list
		}
		if !known[g] {
			list = append(list, g)
		}
		last = g
		k, v = cursor.Seek(numberKey(g + 1))
	}
	return list
}

// orphans lists the generations of chunks that belong to no network. While a
// manifest is not whole it finds none: the chunks may be that network's.
func (w *Workspace) orphans() ([]uint64, error) {
	var orphans []uint64
	var damaged error
	err := w.view(func(tx *bbolt.Tx) error {
		generations := map[uint64]bool{}
		_ = tx.Bucket([]byte(bucketNetworks)).ForEach(func(k, v []byte) error {
			m, err := parseManifest(k, v)
			if err != nil {
				damaged = w.noteDamage(Damage{KindNetwork, string(k), err.Error()})
				return nil
			}
			generations[m.Generation] = true
			return nil
		})
		orphans = unknown(tx.Bucket([]byte(bucketChunks)), generations)
		return nil
	})
	if damaged != nil {
		return nil, nil
	}
	return orphans, err
}
