package storage

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"

	"retrace/engine/trajectory"
)

// TrajectorySummary is what a list shows of a trajectory.
type TrajectorySummary struct {
	ID, Vehicle, Source string
	Start, End          int64   // Unix milliseconds
	Points              int     // samples
	Length              float64 // metres, straight from sample to sample, to the millimetre
}

// Saved counts what became of trajectories on saving.
type Saved struct{ Added, Replaced, Same int }

// maxID is the longest id of a trajectory in bytes.
const maxID = 1024

// SaveTrajectories keeps trajectories. One whose ID is there already replaces
// the old, at its place, and removes its recoveries, unless both are the same.
// Many are saved in several transactions: where an error ends it, Saved counts
// what is kept.
func (w *Workspace) SaveTrajectories(ctx context.Context, ts []*trajectory.Trajectory) (Saved, error) {
	var total Saved
	for len(ts) > 0 {
		var saved Saved
		var done int
		err := w.update(ctx, func(c *change) (err error) {
			saved, done, err = c.saveTrajectories(ctx, ts, w.opt.batchBytes)
			return err
		})
		if err != nil {
			return total, err
		}
		total = Saved{total.Added + saved.Added, total.Replaced + saved.Replaced, total.Same + saved.Same}
		ts = ts[done:]
	}
	return total, nil
}

// saveTrajectories saves as many as go into one transaction.
func (c *change) saveTrajectories(ctx context.Context, ts []*trajectory.Trajectory, batch int) (s Saved, done int, err error) {
	c.bucket(bucketTrajectories).FillPercent = fillAppending
	c.bucket(bucketTrajectorySummaries).FillPercent = fillAppending
	for size := 0; done < len(ts) && size < batch; done++ {
		if err := ctx.Err(); err != nil {
			return s, done, err
		}
		record, err := encodeTrajectory(ts[done])
		if err == nil {
			err = c.saveTrajectory(ts[done], record, &s)
		}
		if err != nil {
			return s, done, fmt.Errorf("saving trajectory %.100q: %w", ts[done].ID, err)
		}
		size += len(record) + recordOverhead
	}
	return s, done, nil
}

// recordOverhead is about what a record takes beside its payload: in the
// summary, in the index and in the tables of pages.
const recordOverhead = 200

// fillAppending is how full pages are made in buckets that grow at their end.
const fillAppending = 0.9

func (c *change) saveTrajectory(t *trajectory.Trajectory, record []byte, s *Saved) error {
	if t.ID == "" || len(t.ID) > maxID {
		return fmt.Errorf("an id takes 1 to %d bytes, not %d", maxID, len(t.ID))
	}
	number, known := trajectoryNumber(c.tx, t.ID)
	if known {
		if old, err := frameTrajectory.open(numberKey(number), c.bucket(bucketTrajectories).Get(numberKey(number))); err == nil && bytes.Equal(old, record) {
			s.Same++
			return nil
		}
		s.Replaced++
		if err := c.removeRecoveries(number, ""); err != nil {
			return err
		}
	} else {
		s.Added++
		var err error
		if number, err = c.bucket(bucketTrajectories).NextSequence(); err != nil {
			return err
		}
		if err := c.bucket(bucketTrajectoryNumbers).Put([]byte(t.ID), numberKey(number)); err != nil {
			return err
		}
	}
	if err := c.putSummary(number, t); err != nil {
		return err
	}
	return c.put(bucketTrajectories, frameTrajectory, numberKey(number), record)
}

func (c *change) putSummary(number uint64, t *trajectory.Trajectory) error {
	summary, err := encodeTrajectorySummary(summarizeTrajectory(t))
	if err != nil {
		return err
	}
	return c.put(bucketTrajectorySummaries, frameTrajectorySummary, numberKey(number), summary)
}

// trajectoryNumber is the number of a trajectory, false if it is not there.
func trajectoryNumber(tx *bbolt.Tx, id string) (uint64, bool) {
	value := tx.Bucket([]byte(bucketTrajectoryNumbers)).Get([]byte(id))
	return keyNumber(value), value != nil
}

// KnownTrajectories returns those of the ids that the workspace holds.
func (w *Workspace) KnownTrajectories(ids []string) ([]string, error) {
	var known []string
	err := w.view(func(tx *bbolt.Tx) error {
		known = nil
		for _, id := range ids {
			if _, ok := trajectoryNumber(tx, id); ok {
				known = append(known, id)
			}
		}
		return nil
	})
	return known, err
}

// Trajectories goes through all trajectories in order.
func (w *Workspace) Trajectories(ctx context.Context) iter.Seq2[*trajectory.Trajectory, error] {
	return decoded(w, ctx, bucketTrajectories, frameTrajectory, numberKey(0), KindTrajectory, unkeyed(decodeTrajectory))
}

// TrajectorySummaries goes through the summaries of all trajectories in order.
func (w *Workspace) TrajectorySummaries(ctx context.Context) iter.Seq2[TrajectorySummary, error] {
	return decoded(w, ctx, bucketTrajectorySummaries, frameTrajectorySummary, numberKey(0), KindTrajectory, unkeyed(decodeTrajectorySummary))
}

// unkeyed makes a decoder that does not look at the key.
func unkeyed[T any](decode func([]byte) (T, error)) func(_, payload []byte) (T, error) {
	return func(_, payload []byte) (T, error) { return decode(payload) }
}

// TrajectoryIDs lists the ids of all trajectories in order.
func (w *Workspace) TrajectoryIDs(ctx context.Context) ([]string, error) {
	var ids []string
	for s, err := range w.TrajectorySummaries(ctx) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, s.ID)
	}
	return ids, nil
}

// Trajectory reads one trajectory.
func (w *Workspace) Trajectory(id string) (*trajectory.Trajectory, error) {
	var r record
	var known bool
	err := w.view(func(tx *bbolt.Tx) error {
		var number uint64
		number, known = trajectoryNumber(tx, id)
		r = record{numberKey(number), cloneValue(tx.Bucket([]byte(bucketTrajectories)).Get(numberKey(number)))}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, &NotFoundError{KindTrajectory, id}
	case r.value == nil:
		return nil, w.noteDamage(Damage{KindTrajectory, id, "its record is missing"})
	}
	t, err := decodeRecord(w, r, frameTrajectory, KindTrajectory, unkeyed(decodeTrajectory))
	if err == nil && t.ID != id {
		return nil, w.noteDamage(Damage{KindTrajectory, id, "its record is another one's"})
	}
	return t, err
}

// RemoveTrajectories removes trajectories and their recoveries. Ids that are
// not there are passed over.
func (w *Workspace) RemoveTrajectories(ctx context.Context, ids []string) error {
	return w.eachID(ctx, ids, func(c *change, id string, number uint64) error { return c.removeTrajectory(id, number) })
}

func (c *change) removeTrajectory(id string, number uint64) error {
	for bucket, key := range map[string][]byte{
		bucketTrajectoryNumbers:   []byte(id),
		bucketTrajectorySummaries: numberKey(number),
		bucketTrajectories:        numberKey(number),
	} {
		if err := c.bucket(bucket).Delete(key); err != nil {
			return err
		}
	}
	return c.removeRecoveries(number, "")
}

// removeBatch is how many removals go into one transaction.
const removeBatch = 5000

// eachID runs fn for the known ones of the ids, many in one transaction.
func (w *Workspace) eachID(ctx context.Context, ids []string, fn func(c *change, id string, number uint64) error) error {
	for len(ids) > 0 {
		some := ids[:min(len(ids), removeBatch)]
		err := w.update(ctx, func(c *change) error {
			for _, id := range some {
				if number, ok := trajectoryNumber(c.tx, id); ok {
					if err := fn(c, id, number); err != nil {
						return err
					}
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		ids = ids[len(some):]
	}
	w.compactLater()
	return nil
}

// recordName is the name under which a damage of a record is listed.
func (w *Workspace) recordName(of Kind, key []byte) string {
	switch of {
	case KindTrajectory:
		return w.trajectoryName(key)
	case KindRecovery:
		return w.trajectoryName(key) + " (" + string(key[min(8, len(key)):]) + ")"
	}
	return string(key)
}

func numberName(key []byte) string { return fmt.Sprintf("number %d", keyNumber(key)) }

// trajectoryName is the id of the trajectory whose number a key begins with,
// or that number if its summary is lost too.
func (w *Workspace) trajectoryName(key []byte) string {
	number := numberKey(keyNumber(key))
	value, err := w.get(bucketTrajectorySummaries, number)
	if err != nil || value == nil {
		return numberName(key)
	}
	payload, err := frameTrajectorySummary.open(number, value)
	if err != nil {
		return numberName(key)
	}
	s, err := decodeTrajectorySummary(payload)
	if err != nil {
		return numberName(key)
	}
	return s.ID
}
