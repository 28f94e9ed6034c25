package storage

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// Content is what a workspace holds that is whole.
type Content struct {
	Networks, Trajectories, Recoveries int

	// Spare is what is not whole but costs nothing of these: steps of the history,
	// which cannot be undone any more, and what can be computed again. It is no
	// Damage, and salvaging leaves it behind.
	Spare []Damage
}

// Verify reads everything and adds to Damage what is not whole. A workspace
// found damaged takes no more changes. The error is that of the reading. Who
// writes waits until it is done.
// Progress is told how many records were read so far; it may be nil.
func (w *Workspace) Verify(ctx context.Context, progress func(done int)) (Content, error) {
	if progress == nil {
		progress = func(int) {}
	}
	unlock, err := w.lockWriting(ctx) // what is written between two looks would seem damage
	if err != nil {
		return Content{}, err
	}
	defer unlock()
	v := &verifier{w: w, ctx: ctx, progress: progress}
	for _, check := range []func() error{
		v.networks, v.trajectories, v.recoveries, v.settings, v.history, v.roads,
	} {
		if err := check(); err != nil {
			return v.Content, err
		}
	}
	return v.Content, nil
}

// verifier is one run of Verify.
type verifier struct {
	Content
	w        *Workspace
	ctx      context.Context
	progress func(done int)
	done     int
}

func (v *verifier) step() {
	if v.done++; v.done%100 == 0 {
		v.progress(v.done)
	}
}

// spare notes something that can be done without.
func (v *verifier) spare(d Damage) {
	if len(v.Spare) < maxDamage {
		v.Spare = append(v.Spare, d)
	}
}

func (v *verifier) networks() error {
	infos, err := v.w.Networks()
	if err != nil {
		return notDamage(err)
	}
	for _, info := range infos {
		_, _, err := v.w.LoadNetwork(v.ctx, info.Name)
		if err == nil {
			v.Networks++
			_, err = v.w.NetworkReport(info.Name)
		}
		if err := notDamage(err); err != nil {
			return err
		}
		v.done++
		v.progress(v.done)
	}
	return nil
}

func (v *verifier) trajectories() (err error) {
	if v.Trajectories, err = drain(v, v.w.Trajectories(v.ctx)); err != nil {
		return err
	}
	if err := v.pairs(bucketTrajectorySummaries, bucketTrajectories, KindTrajectory); err != nil {
		return err
	}
	return v.found(bucketTrajectorySummaries, frameTrajectorySummary, KindTrajectory, func(_, payload []byte) (string, error) {
		s, err := decodeTrajectorySummary(payload)
		return s.ID, err
	})
}

// found checks that what the summaries in a bucket stand for is found by the id
// of its trajectory, which idOf reads.
func (v *verifier) found(bucket string, kind frameKind, of Kind, idOf func(key, payload []byte) (string, error)) error {
	for r, err := range v.w.records(v.ctx, bucket, numberKey(0)) {
		if err != nil {
			return notDamage(err)
		}
		id, err := decodeRecord(v.w, r, kind, of, idOf)
		if err != nil {
			continue // noted
		}
		var number uint64
		err = v.w.view(func(tx *bbolt.Tx) error {
			number, _ = trajectoryNumber(tx, id)
			return nil
		})
		if err := notDamage(err); err != nil {
			return err
		}
		if number != keyNumber(r.key) {
			_ = v.w.noteDamage(Damage{of, v.w.recordName(of, r.key), "it is not found by the id of its trajectory"})
		}
		v.step()
	}
	return nil
}

func (v *verifier) recoveries() (err error) {
	if v.Recoveries, err = drain(v, v.w.Recoveries(v.ctx)); err != nil {
		return err
	}
	if _, err := drain(v, v.w.RecoverySummaries(v.ctx)); err != nil {
		return err
	}
	if err := v.pairs(bucketRecoverySummaries, bucketRecoveries, KindRecovery); err != nil {
		return err
	}
	return v.found(bucketRecoverySummaries, frameRecoverySummary, KindRecovery, func(_, payload []byte) (string, error) {
		s, err := decodeRecoverySummary(payload)
		return s.Trajectory, err
	})
}

// pairs checks that two buckets have the same keys.
func (v *verifier) pairs(a, b string, of Kind) error {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		for r, err := range v.w.records(v.ctx, pair[0], numberKey(0)) {
			if err != nil {
				return notDamage(err)
			}
			has := false
			err = v.w.view(func(tx *bbolt.Tx) error {
				has = tx.Bucket([]byte(pair[1])).Get(r.key) != nil
				return nil
			})
			if err != nil {
				return notDamage(err)
			}
			if !has {
				_ = v.w.noteDamage(Damage{of, v.w.recordName(of, r.key), fmt.Sprintf("it is not among the %s", pair[1])})
			}
			v.step()
		}
	}
	return nil
}

func (v *verifier) settings() error {
	_, err := drain(v, decoded(v.w, v.ctx, bucketSettings, frameSetting, []byte{0}, KindSetting, unkeyed(asIs)))
	return err
}

// history reads the steps with all that they hold.
func (v *verifier) history() error {
	steps, lost, err := v.w.Steps(v.ctx)
	if err != nil {
		return notDamage(err)
	}
	for _, number := range lost {
		v.spare(Damage{KindStep, fmt.Sprint(number), "it is not whole"})
	}
	for _, s := range steps {
		for _, h := range s.Held {
			if _, _, err := v.w.HeldRecords(s.Number, h.Index); err != nil {
				v.spare(Damage{KindStep, fmt.Sprint(s.Number), "what it holds is not whole"})
				break
			}
			if v.ctx.Err() != nil {
				return v.ctx.Err()
			}
			v.step()
		}
	}
	return nil
}

// roads reads what models say of roads.
func (v *verifier) roads() error {
	missing := false
	err := v.w.view(func(tx *bbolt.Tx) error {
		missing = tx.Bucket([]byte(bucketRoads)) == nil
		return nil
	})
	if err != nil || missing {
		return notDamage(err)
	}
	broken := 0
	for r, err := range v.w.records(v.ctx, bucketRoads, []byte{0}) {
		if err != nil {
			return notDamage(err)
		}
		if !wholeUnder(r.key, r.value) {
			broken++
		}
		v.step()
	}
	if broken > 0 {
		v.spare(Damage{KindRoads, "", fmt.Sprintf("%d pieces of it are not whole", broken)})
	}
	return nil
}

// drain goes through all items and counts those that are whole; what is damaged
// is noted on the way.
func drain[T any](v *verifier, items iter.Seq2[T, error]) (whole int, err error) {
	for _, err := range items {
		if err == nil {
			whole++
		}
		if err := notDamage(err); err != nil {
			return whole, err
		}
		v.step()
	}
	return whole, nil
}

// notDamage leaves out an error that says that something is damaged.
func notDamage(err error) error {
	var d *DamagedError
	if errors.As(err, &d) {
		return nil
	}
	return err
}
