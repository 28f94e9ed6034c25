package storage

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"go.etcd.io/bbolt"

	"retrace/engine/trajectory"
)

// maxMethod is the longest name of a method in bytes.
const maxMethod = 100

// recoveryKey is the key of a recovery: those of a trajectory stand together.
func recoveryKey(number uint64, method string) []byte { return append(numberKey(number), method...) }

// SaveRecoveries keeps recoveries, one for each trajectory and method: a later
// one replaces the earlier. Each must name its method and fingerprint in its
// Provenance, and its trajectory must be there. Many are saved in several
// transactions. A call costs a few writes to the disk: better save some at a
// time than each for itself.
func (w *Workspace) SaveRecoveries(ctx context.Context, rs []*trajectory.Recovery) error {
	for len(rs) > 0 {
		var done int
		err := w.update(ctx, func(c *change) (err error) {
			done, err = c.saveRecoveries(ctx, rs, w.opt.batchBytes)
			return err
		})
		if err != nil {
			return err
		}
		rs = rs[done:]
	}
	return nil
}

// saveRecoveries saves as many as go into one transaction.
func (c *change) saveRecoveries(ctx context.Context, rs []*trajectory.Recovery, batch int) (done int, err error) {
	c.bucket(bucketRecoveries).FillPercent = fillAppending
	c.bucket(bucketRecoverySummaries).FillPercent = fillAppending
	for size := 0; done < len(rs) && size < batch; done++ {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n, err := c.saveRecovery(rs[done])
		if err != nil {
			return done, fmt.Errorf("saving the recovery of trajectory %.100q: %w", rs[done].Trajectory, err)
		}
		size += n + recordOverhead
	}
	return done, nil
}

func (c *change) saveRecovery(r *trajectory.Recovery) (size int, err error) {
	if err := checkProvenance(r.Provenance); err != nil {
		return 0, err
	}
	number, ok := trajectoryNumber(c.tx, r.Trajectory)
	if !ok {
		return 0, &NotFoundError{KindTrajectory, r.Trajectory}
	}
	record, err := encodeRecovery(r)
	if err != nil {
		return 0, err
	}
	key := recoveryKey(number, r.Provenance.Method)
	if err := c.put(bucketRecoveries, frameRecovery, key, record); err != nil {
		return 0, err
	}
	return len(record), c.putRecoverySummary(key, r)
}

func (c *change) putRecoverySummary(key []byte, r *trajectory.Recovery) error {
	summary, err := encodeRecoverySummary(summarizeRecovery(r))
	if err != nil {
		return err
	}
	return c.put(bucketRecoverySummaries, frameRecoverySummary, key, summary)
}

func checkProvenance(p trajectory.Provenance) error {
	switch {
	case p.Method == "" || len(p.Method) > maxMethod || strings.ContainsRune(p.Method, 0):
		return fmt.Errorf("%q is no name of a method", p.Method)
	case p.Fingerprint == "":
		return fmt.Errorf("it does not say on which network it was made")
	}
	return nil
}

// Recovery reads the recovery of a trajectory by a method. Positions are kept
// to 1e-7 degrees, lengths to millimetres, ratios to 1e-9, probabilities to
// 1/65535 and margins to 1/32767.
func (w *Workspace) Recovery(id, method string) (*trajectory.Recovery, error) {
	var r record
	err := w.view(func(tx *bbolt.Tx) error {
		number, _ := trajectoryNumber(tx, id)
		key := recoveryKey(number, method)
		r = record{key, cloneValue(tx.Bucket([]byte(bucketRecoveries)).Get(key))}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if r.value == nil {
		return nil, &NotFoundError{KindRecovery, id + " (" + method + ")"}
	}
	got, err := decodeRecord(w, r, frameRecovery, KindRecovery, unkeyed(decodeRecovery))
	if err == nil && got.Trajectory != id {
		return nil, w.noteDamage(Damage{KindRecovery, id + " (" + method + ")", "its record is another one's"})
	}
	return got, err
}

// Recoveries goes through all recoveries in the order of their trajectories,
// and by method for each.
func (w *Workspace) Recoveries(ctx context.Context) iter.Seq2[*trajectory.Recovery, error] {
	return decoded(w, ctx, bucketRecoveries, frameRecovery, numberKey(0), KindRecovery, unkeyed(decodeRecovery))
}

// RecoverySummaries goes through the summaries of all recoveries in order.
func (w *Workspace) RecoverySummaries(ctx context.Context) iter.Seq2[RecoverySummary, error] {
	return func(yield func(RecoverySummary, error) bool) {
		networks, err := w.fingerprints()
		if err != nil {
			yield(RecoverySummary{}, err)
			return
		}
		all := decoded(w, ctx, bucketRecoverySummaries, frameRecoverySummary, numberKey(0), KindRecovery, unkeyed(decodeRecoverySummary))
		for s, err := range all {
			s.State = s.stateOn(networks)
			if !yield(s, err) {
				return
			}
		}
	}
}

// RemoveRecoveries removes the recoveries of trajectories by a method; an empty
// method stands for all. Ids without one are passed over.
func (w *Workspace) RemoveRecoveries(ctx context.Context, ids []string, method string) error {
	return w.eachID(ctx, ids, func(c *change, _ string, number uint64) error {
		return c.removeRecoveries(number, method)
	})
}

// removeRecoveries removes the recoveries of one trajectory, by one method or,
// where it is empty, by all.
func (c *change) removeRecoveries(number uint64, method string) error {
	for _, bucket := range []string{bucketRecoveries, bucketRecoverySummaries} {
		low, high := numberKey(number), numberKey(number+1)
		if method != "" {
			low = recoveryKey(number, method)
			high = append(recoveryKey(number, method), 0)
		}
		if err := c.removeBetween(bucket, low, high); err != nil {
			return err
		}
	}
	return nil
}
