package storage

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// Records are read in batches, each in a transaction of its own: so a loop over
// them holds no lock, and takes no more memory than a batch.
const (
	batchBytes   = 256 << 10
	batchRecords = 2000
	batchLimit   = 16 << 20 // bytes, where no key is found at which the next batch may begin
)

// record is one key of a bucket and its value, copied out.
type record struct{ key, value []byte }

// records goes through the records of a bucket from a key on.
func (w *Workspace) records(ctx context.Context, bucket string, from []byte) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for from != nil {
			if err := ctx.Err(); err != nil {
				yield(record{}, err)
				return
			}
			batch, next, err := w.batch(bucket, from)
			if err != nil {
				yield(record{}, err)
				return
			}
			for _, r := range batch {
				if !yield(r, ctx.Err()) || ctx.Err() != nil {
					return
				}
			}
			from = next
		}
	}
}

// batch copies out some records from a key on, and says where to go on; nil:
// nowhere. Where to go on always lies behind where it began: else a key that a
// bad disk has changed would lead round in circles.
func (w *Workspace) batch(bucket string, from []byte) (batch []record, next []byte, err error) {
	lost := false
	err = w.view(func(tx *bbolt.Tx) error {
		batch, next, lost = nil, nil, false
		var room []byte
		cursor := tx.Bucket([]byte(bucket)).Cursor()
		size := 0
		for k, v := cursor.Seek(from); k != nil; k, v = cursor.Next() {
			full := size > 0 && size+len(v) > batchBytes || len(batch) >= batchRecords
			if full && bytes.Compare(k, from) > 0 && wholeUnder(k, v) {
				next = append([]byte(nil), k...)
				return nil
			}
			if lost = full && size > batchLimit; lost {
				return nil
			}
			size += len(k) + len(v)
			if len(room)+len(k)+len(v) > cap(room) {
				room = make([]byte, 0, max(batchBytes, len(k)+len(v)))
			}
			start := len(room)
			room = append(append(room, k...), v...)
			batch = append(batch, record{room[start : start+len(k) : start+len(k)], room[start+len(k) : len(room) : len(room)]})
		}
		return nil
	})
	if lost {
		err = w.noteDamage(Damage{Kind: KindFile, Reason: fmt.Sprintf("the keys of its %s are not whole", bucket)})
	}
	return batch, next, err
}

// get copies out one value; nil where there is none.
func (w *Workspace) get(bucket string, key []byte) (value []byte, err error) {
	err = w.view(func(tx *bbolt.Tx) error {
		value = cloneValue(tx.Bucket([]byte(bucket)).Get(key))
		return nil
	})
	return value, err
}

// cloneValue copies a value; nil stays nil.
func cloneValue(v []byte) []byte {
	if v == nil {
		return nil
	}
	return append(make([]byte, 0, len(v)), v...)
}

// decoded goes through the records of a bucket as what they stand for. One that
// is not whole gives an error that names it, and the loop may go on.
func decoded[T any](w *Workspace, ctx context.Context, bucket string, kind frameKind, from []byte, of Kind,
	decode func(key, payload []byte) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for r, err := range w.records(ctx, bucket, from) {
			var item T
			if err == nil {
				item, err = decodeRecord(w, r, kind, of, decode)
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// decodeRecord checks one record and decodes it.
func decodeRecord[T any](w *Workspace, r record, kind frameKind, of Kind, decode func(key, payload []byte) (T, error)) (item T, err error) {
	payload, err := kind.open(r.key, r.value)
	if err == nil {
		item, err = decode(r.key, payload)
	}
	if err != nil {
		err = w.noteDamage(Damage{of, w.recordName(of, r.key), err.Error()})
	}
	return item, err
}
