package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"go.etcd.io/bbolt"

	"retrace/storage/pages"
)

// Space says how much room the file takes.
type Space struct {
	File int64 // bytes
	Free int64 // of these, bytes that Compact would give back, about
}

// Space says how much room the file takes and how much of it is free.
func (w *Workspace) Space() (Space, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return Space{}, ErrClosed
	}
	info, err := w.file.file.Stat()
	if err != nil {
		return Space{}, fmt.Errorf("workspace %s: %w", w.path, err)
	}
	s := Space{File: info.Size()}
	if w.readOnly {
		s.Free = pages.Open(w.file.file, s.File, pageSize).FreeBytes()
		return s, nil
	}
	_, err = guard(func() error {
		return w.file.db.View(func(tx *bbolt.Tx) error {
			stats := w.file.db.Stats()
			free := int64(stats.FreePageN+stats.PendingPageN) * int64(w.file.db.Info().PageSize)
			s.Free = max(0, s.File-tx.Size()) + free
			return nil
		})
	})
	return s, err
}

// compactPath is where the new file grows. One left by a killed program is
// removed on opening.
func compactPath(path string) string { return path + ".compact" }

// Compact writes the workspace anew without its free space and puts it in place
// of the old file at once. Readers go on meanwhile, writers wait. Removing much
// starts it in the background of itself.
func (w *Workspace) Compact(ctx context.Context) error {
	return w.compact(ctx, runtime.GOOS != "windows")
}

func (w *Workspace) compact(ctx context.Context, canRenameOpen bool) error {
	unlock, err := w.lockWriting(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.writable(); err != nil {
		return err
	}
	fresh, err := w.copyFresh(ctx)
	if err == nil {
		err = w.swap(fresh, canRenameOpen)
	}
	if err != nil && !errors.Is(err, ctx.Err()) {
		return fmt.Errorf("compacting workspace %s: %w", w.path, err)
	}
	return err
}

// copyFresh copies the workspace to a new file beside it. Nobody writes while
// it does, so that one long transaction stands in nobody's way.
func (w *Workspace) copyFresh(ctx context.Context) (*openFile, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return nil, ErrClosed
	}
	temp := compactPath(w.real)
	os.Remove(temp)
	fresh, err := openBolt(temp, Options{Timeout: w.opt.Timeout}, false) // finish says who may read it
	if err != nil {
		return nil, err
	}
	broken, err := guard(func() error { return copyAll(ctx, fresh.db, w.file.db, w.opt.batchBytes) })
	if broken != "" {
		fresh.broken = true
		err = w.noteDamage(Damage{Kind: KindFile, Reason: broken})
	}
	if err == nil {
		err = fresh.finish(w.file.file)
	}
	if err != nil {
		return nil, errors.Join(err, fresh.close(), os.Remove(temp))
	}
	return fresh, nil
}

// finish makes a copied file last, with the permissions of the old one.
func (f *openFile) finish(old *os.File) error {
	var size int64
	err := f.db.View(func(tx *bbolt.Tx) error {
		size = tx.Size()
		return nil
	})
	info, statErr := f.file.Stat()
	if err = errors.Join(err, statErr); err != nil {
		return err
	}
	if info.Size() < size {
		if err := f.file.Truncate(size); err != nil {
			return err
		}
	}
	if info, err := old.Stat(); err == nil {
		_ = f.file.Chmod(info.Mode())
	}
	f.db.NoSync, f.db.NoGrowSync = false, false
	return f.file.Sync()
}

// copyAll copies all buckets. The new file is not synced on the way.
func copyAll(ctx context.Context, to, from *bbolt.DB, batch int) error {
	to.NoSync, to.NoGrowSync = true, true
	return from.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			c := &copier{ctx: ctx, to: to, name: name, batch: batch}
			if err := c.start(b.Sequence()); err != nil {
				return err
			}
			if err := b.ForEach(c.add); err != nil {
				return err
			}
			return c.flush()
		})
	})
}

// copier collects the entries of a bucket and writes them in transactions of
// bounded size.
type copier struct {
	ctx     context.Context
	to      *bbolt.DB
	name    []byte
	batch   int // bytes
	pending []record
	size    int
}

func (c *copier) start(sequence uint64) error {
	return c.to.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(c.name)
		if err != nil {
			return err
		}
		return b.SetSequence(sequence)
	})
}

func (c *copier) add(k, v []byte) error {
	c.pending = append(c.pending, record{k, v})
	if c.size += len(k) + len(v); c.size < c.batch {
		return nil
	}
	return c.flush()
}

func (c *copier) flush() error {
	if err := c.ctx.Err(); err != nil || len(c.pending) == 0 {
		return err
	}
	err := c.to.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(c.name)
		b.FillPercent = fillAppending
		for _, r := range c.pending {
			if err := b.Put(r.key, r.value); err != nil {
				return err
			}
		}
		return nil
	})
	c.pending, c.size = c.pending[:0], 0
	return err
}

// swap puts the new file in place of the old one.
func (w *Workspace) swap(fresh *openFile, canRenameOpen bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return errors.Join(ErrClosed, fresh.close(), os.Remove(compactPath(w.real)))
	}
	if !canRenameOpen {
		return w.swapClosed(fresh)
	}
	if err := os.Rename(compactPath(w.real), w.real); err != nil {
		return errors.Join(err, fresh.close(), os.Remove(compactPath(w.real)))
	}
	_ = syncDir(w.real)
	old := w.file
	w.file = fresh
	return old.close()
}

// swapClosed is swap where an open file cannot be renamed: it closes both and
// opens what is at the path then, the new file or still the old one.
func (w *Workspace) swapClosed(fresh *openFile) error {
	old := w.file
	w.file = nil
	err := errors.Join(fresh.close(), old.close())
	if err == nil {
		err = os.Rename(compactPath(w.real), w.real)
	}
	file, openErr := openBolt(w.real, w.opt, false)
	w.file = file
	return errors.Join(err, openErr)
}

// compactLater starts a compaction in the background if that is worth its
// while. Should it fail, nothing but space is lost.
func (w *Workspace) compactLater() {
	s, err := w.Space()
	if err != nil || s.Free < w.opt.compactAbove || s.Free < s.File/2 {
		return
	}
	select {
	case w.compacting <- struct{}{}:
	default:
		return // one is on its way
	}
	w.tasks.Go(func() {
		defer func() { <-w.compacting }()
		_ = w.Compact(w.background)
	})
}
