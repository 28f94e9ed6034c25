package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"go.etcd.io/bbolt"

	"retrace/engine/trajectory"
)

// The history is what was done and can be undone, step by step. A step is no
// data of its own: one that is not whole counts as not there, is no damage, and
// costs nothing but itself.

// Step is one step of the history.
type Step struct {
	Number uint64
	Head   []byte // what it is, in the words of whoever writes it
	Count  int    // how many trips it holds, with those put before
	Held   []Held // of the trips that it holds, those that are put or were asked for
}

// Held is what a step holds of one trip.
type Held struct {
	Index      uint32                 // within the step, from 0
	Head       []byte                 // what it is, in the words of whoever writes it
	Trajectory *trajectory.Trajectory // nil: it holds none
	Recovery   *trajectory.Recovery   // nil: it holds none
}

// The kinds of records in a step, as their keys end.
const (
	heldTrajectory = 't'
	heldRecovery   = 'r'
)

func heldKey(step uint64, index uint32) []byte {
	return binary.BigEndian.AppendUint32(numberKey(step), index)
}

func heldRecordKey(step uint64, index uint32, kind byte) []byte {
	return append(heldKey(step, index), kind)
}

func (c *change) editHistory(ctx context.Context, e Edit) error {
	for _, number := range e.Forgotten {
		for _, bucket := range []string{bucketHistory, bucketHeld, bucketHeldRecords} {
			if err := c.removeBetween(bucket, numberKey(number), numberKey(number+1)); err != nil {
				return err
			}
		}
	}
	for _, s := range e.Steps {
		if err := c.putStep(s); err != nil {
			return fmt.Errorf("keeping step %d of the history: %w", s.Number, err)
		}
	}
	return ctx.Err()
}

func (c *change) putStep(s Step) error {
	head := binary.AppendUvarint(nil, uint64(s.Count))
	if err := c.put(bucketHistory, frameHistory, numberKey(s.Number), append(head, s.Head...)); err != nil {
		return err
	}
	for _, h := range s.Held {
		if err := c.putHeld(s.Number, h); err != nil {
			return err
		}
	}
	return nil
}

func (c *change) putHeld(step uint64, h Held) error {
	if err := c.put(bucketHeld, frameHeld, heldKey(step, h.Index), h.Head); err != nil {
		return err
	}
	var t, r []byte
	var err error
	if h.Trajectory != nil {
		if t, err = encodeTrajectory(h.Trajectory); err != nil {
			return err
		}
	}
	if h.Recovery != nil {
		if r, err = encodeRecovery(h.Recovery); err != nil {
			return err
		}
	}
	if err := c.putRecord(frameHeldTrajectory, heldRecordKey(step, h.Index, heldTrajectory), t); err != nil {
		return err
	}
	return c.putRecord(frameHeldRecovery, heldRecordKey(step, h.Index, heldRecovery), r)
}

// putRecord puts a record, or removes it where it is nil.
func (c *change) putRecord(kind frameKind, key, record []byte) error {
	if record == nil {
		return c.bucket(bucketHeldRecords).Delete(key)
	}
	return c.put(bucketHeldRecords, kind, key, record)
}

// Steps reads the steps of the history with what they hold, but without its
// records, in order. Lost are the numbers of those that are not whole and not
// among them.
func (w *Workspace) Steps(ctx context.Context) (steps []Step, lost []uint64, err error) {
	for r, err := range w.records(ctx, bucketHistory, numberKey(0)) {
		if err != nil {
			return nil, nil, err
		}
		s, err := parseStep(r)
		if err == nil {
			s.Held, err = w.heads(s.Number)
		}
		if err != nil || len(s.Held) != s.Count {
			lost = append(lost, keyNumber(r.key))
			continue
		}
		steps = append(steps, s)
	}
	return steps, lost, ctx.Err()
}

func parseStep(r record) (Step, error) {
	payload, err := frameHistory.open(r.key, r.value)
	if err != nil || len(r.key) != 8 {
		return Step{}, errRecord
	}
	count, n := binary.Uvarint(payload)
	if n <= 0 || count > math.MaxUint32 {
		return Step{}, errRecord
	}
	return Step{Number: keyNumber(r.key), Count: int(count), Head: payload[n:]}, nil
}

// heads reads what a step holds, without its records.
func (w *Workspace) heads(step uint64) ([]Held, error) {
	var held []Held
	err := w.view(func(tx *bbolt.Tx) error {
		held = nil
		cursor := tx.Bucket([]byte(bucketHeld)).Cursor()
		prefix := numberKey(step)
		for k, v := cursor.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
			head, err := frameHeld.open(k, v)
			if err != nil || len(k) != 12 {
				return errRecord
			}
			held = append(held, Held{Index: binary.BigEndian.Uint32(k[8:]), Head: bytes.Clone(head)})
		}
		return nil
	})
	return held, err
}

// HeldRecords reads the trajectory and the recovery that a step holds of a
// trip; nil: it holds none. An error says that it is not whole.
func (w *Workspace) HeldRecords(step uint64, index uint32) (*trajectory.Trajectory, *trajectory.Recovery, error) {
	t, err := heldRecord(w, heldRecordKey(step, index, heldTrajectory), frameHeldTrajectory, decodeTrajectory)
	if err != nil {
		return nil, nil, err
	}
	r, err := heldRecord(w, heldRecordKey(step, index, heldRecovery), frameHeldRecovery, decodeRecovery)
	return t, r, err
}

func heldRecord[T any](w *Workspace, key []byte, kind frameKind, decode func([]byte) (*T, error)) (*T, error) {
	value, err := w.get(bucketHeldRecords, key)
	if err != nil || value == nil {
		return nil, err
	}
	payload, err := kind.open(key, value)
	if err == nil {
		var item *T
		if item, err = decode(payload); err == nil {
			return item, nil
		}
	}
	return nil, fmt.Errorf("step %d of the history is not whole: %w", keyNumber(key), err)
}
