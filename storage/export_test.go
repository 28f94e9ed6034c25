package storage

import (
	"context"

	"go.etcd.io/bbolt"
)

// Migration is migration for tests from outside.
type Migration = migration

// Change is change for tests from outside.
type Change = change

// Mutate is mutate for tests from outside.
func Mutate(file []byte, seed uint64) []byte { return mutate(file, seed) }

// Tx is the transaction of a change.
func (c *change) Tx() *bbolt.Tx { return c.tx }

// WithMigrations opens a workspace as a later version with more migrations
// would.
func (o Options) WithMigrations(steps ...migration) Options {
	o.migrations = append(migrations(), steps...)
	return o
}

// WithMaxSize keeps the file from growing over a size, as a full disk does.
func (o Options) WithMaxSize(bytes int) Options {
	o.maxSize = bytes
	return o
}

// WithBatches sets how much goes into one transaction.
func (o Options) WithBatches(bytes int) Options {
	o.batchBytes = bytes
	return o
}

// WithCompactAbove sets from how much free space on removing compacts.
func (o Options) WithCompactAbove(bytes int64) Options {
	o.compactAbove = bytes
	return o
}

// CompactClosed is Compact as it works where open files cannot be renamed.
func (w *Workspace) CompactClosed(ctx context.Context) error { return w.compact(ctx, false) }

// WaitForCompaction waits until nothing runs in the background.
func (w *Workspace) WaitForCompaction() { w.tasks.Wait() }

// HasMeta reports whether the workspace has a key beside its layout.
func (w *Workspace) HasMeta(key string) bool {
	value, err := w.get(bucketMeta, []byte(key))
	return err == nil && value != nil
}
