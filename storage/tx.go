package storage

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime/debug"

	"go.etcd.io/bbolt"
)

// The buckets of a workspace.
const (
	bucketMeta                = "meta"                 // "schema"
	bucketNetworks            = "networks"             // name: manifest
	bucketChunks              = "chunks"               // generation, column, chunk: elements
	bucketTrajectories        = "trajectories"         // number: record
	bucketTrajectoryNumbers   = "trajectory numbers"   // id: number
	bucketTrajectorySummaries = "trajectory summaries" // number: summary
	bucketRecoveries          = "recoveries"           // number, method: record
	bucketRecoverySummaries   = "recovery summaries"   // number, method: summary
	bucketSettings            = "settings"             // key: value
	bucketHistory             = "history"              // number: step
	bucketHeld                = "history held"         // number, index: what a step holds of a trip
	bucketHeldRecords         = "history records"      // number, index, kind: the trajectory or recovery that it holds
	bucketRoads               = "roads"                // network, model, chunk: what a model says of roads; made when first needed
)

func buckets() []string {
	return []string{bucketMeta, bucketNetworks, bucketChunks, bucketTrajectories, bucketTrajectoryNumbers,
		bucketTrajectorySummaries, bucketRecoveries, bucketRecoverySummaries, bucketSettings, bucketHistory,
		bucketHeld, bucketHeldRecords}
}

// guard runs fn, which reads the file through its memory map. A broken file
// makes bbolt panic or fault: that becomes a damage. Nothing but bbolt's calls
// and copying belongs into fn.
func guard(fn func() error) (broken string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			broken = fmt.Sprintf("its pages cannot be read: %v", r)
		}
	}()
	return "", fn()
}

// view runs fn in a transaction that reads. What it sees stays as it is for as
// long as fn runs, which is to be short.
func (w *Workspace) view(fn func(*bbolt.Tx) error) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return ErrClosed
	}
	broken, err := guard(func() error { return w.file.db.View(fn) })
	if broken != "" {
		return w.noteDamage(Damage{Kind: KindFile, Reason: broken})
	}
	return err
}

// lockWriting waits until no one else writes. The function it returns lets
// the next one write.
func (w *Workspace) lockWriting(ctx context.Context) (func(), error) {
	select {
	case w.writing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		<-w.writing
		return nil, err
	}
	return func() { <-w.writing }, nil
}

// writable says why the workspace takes no changes, nil if it does.
func (w *Workspace) writable() error {
	switch {
	case len(w.Damage()) > 0:
		return &ReadOnlyError{w.path, true}
	case w.readOnly:
		return &ReadOnlyError{w.path, false}
	}
	return nil
}

// update runs fn in a transaction that writes; it is kept for good if fn
// returns nil, and leaves no trace if not.
func (w *Workspace) update(ctx context.Context, fn func(*change) error) error {
	unlock, err := w.lockWriting(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := w.writable(); err != nil {
		return err
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return ErrClosed
	}
	broken, err := guard(func() error { return runChange(w.file.db, fn) })
	if broken != "" {
		w.file.broken = true
		return w.noteDamage(Damage{Kind: KindFile, Reason: broken})
	}
	if err != nil {
		return fmt.Errorf("workspace %s: %w", w.path, err)
	}
	return nil
}

// change is a transaction that writes.
type change struct {
	tx     *bbolt.Tx
	number uint32 // rises from change to change
}

// runChange runs one change on a database.
func runChange(db *bbolt.DB, fn func(*change) error) error {
	return db.Update(func(tx *bbolt.Tx) error {
		number, err := tx.Bucket([]byte(bucketMeta)).NextSequence()
		if err != nil {
			return err
		}
		return fn(&change{tx, uint32(min(number, math.MaxUint32))})
	})
}

func (c *change) bucket(name string) *bbolt.Bucket { return c.tx.Bucket([]byte(name)) }

// put keeps a payload in a frame.
func (c *change) put(bucket string, kind frameKind, key, payload []byte) error {
	value, err := frame{kind: kind, commit: c.number}.seal(key, payload)
	if err != nil {
		return err
	}
	return c.bucket(bucket).Put(key, value)
}

// numberKey is the key of a numbered record: big-endian, so that keys are in
// the order of numbers.
func numberKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// keyNumber is the number that a key begins with.
func keyNumber(key []byte) uint64 {
	if len(key) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key)
}
