package storage

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"go.etcd.io/bbolt"
)

// Verify reads everything and adds to Damage what is not whole. A workspace
// found damaged takes no more changes. The error is that of the reading.
func (w *Workspace) Verify(ctx context.Context) error {
	for _, check := range []func(context.Context) error{
		w.verifyNetworks, w.verifyTrajectories, w.verifyRecoveries, w.verifyRest,
	} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) verifyNetworks(ctx context.Context) error {
	infos, err := w.Networks()
	if err != nil {
		return notDamage(err)
	}
	for _, info := range infos {
		_, _, err := w.LoadNetwork(ctx, info.Name)
		if err == nil {
			_, err = w.NetworkReport(info.Name)
		}
		if err := notDamage(err); err != nil {
			return err
		}
	}
	return nil
}

func (w *Workspace) verifyTrajectories(ctx context.Context) error {
	if err := drain(w.Trajectories(ctx)); err != nil {
		return err
	}
	if err := w.verifyPairs(ctx, bucketTrajectorySummaries, bucketTrajectories, KindTrajectory); err != nil {
		return err
	}
	return w.verifyFound(ctx, bucketTrajectorySummaries, frameTrajectorySummary, KindTrajectory, func(_, payload []byte) (string, error) {
		s, err := decodeTrajectorySummary(payload)
		return s.ID, err
	})
}

// verifyFound checks that what the summaries in a bucket stand for is found by
// the id of its trajectory, which idOf reads.
func (w *Workspace) verifyFound(ctx context.Context, bucket string, kind frameKind, of Kind, idOf func(key, payload []byte) (string, error)) error {
	for r, err := range w.records(ctx, bucket, numberKey(0)) {
		if err != nil {
			return notDamage(err)
		}
		id, err := decodeRecord(w, r, kind, of, idOf)
		if err != nil {
			continue // noted
		}
		var number uint64
		err = w.view(func(tx *bbolt.Tx) error {
			number, _ = trajectoryNumber(tx, id)
			return nil
		})
		if err := notDamage(err); err != nil {
			return err
		}
		if number != keyNumber(r.key) {
			_ = w.noteDamage(Damage{of, w.recordName(of, r.key), "it is not found by the id of its trajectory"})
		}
	}
	return nil
}

func (w *Workspace) verifyRecoveries(ctx context.Context) error {
	if err := drain(w.Recoveries(ctx)); err != nil {
		return err
	}
	if err := drain(w.RecoverySummaries(ctx)); err != nil {
		return err
	}
	if err := w.verifyPairs(ctx, bucketRecoverySummaries, bucketRecoveries, KindRecovery); err != nil {
		return err
	}
	return w.verifyFound(ctx, bucketRecoverySummaries, frameRecoverySummary, KindRecovery, func(_, payload []byte) (string, error) {
		s, err := decodeRecoverySummary(payload)
		return s.Trajectory, err
	})
}

// verifyPairs checks that two buckets have the same keys.
func (w *Workspace) verifyPairs(ctx context.Context, a, b string, of Kind) error {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		for r, err := range w.records(ctx, pair[0], numberKey(0)) {
			if err != nil {
				return notDamage(err)
			}
			has := false
			err = w.view(func(tx *bbolt.Tx) error {
				has = tx.Bucket([]byte(pair[1])).Get(r.key) != nil
				return nil
			})
			if err != nil {
				return notDamage(err)
			}
			if !has {
				_ = w.noteDamage(Damage{of, w.recordName(of, r.key), fmt.Sprintf("it is not among the %s", pair[1])})
			}
		}
	}
	return nil
}

func (w *Workspace) verifyRest(ctx context.Context) error {
	settings := decoded(w, ctx, bucketSettings, frameSetting, []byte{0}, KindSetting, unkeyed(asIs))
	return drain(settings)
}

// drain goes through all items; what is damaged is noted on the way.
func drain[T any](items iter.Seq2[T, error]) error {
	for _, err := range items {
		if err := notDamage(err); err != nil {
			return err
		}
	}
	return nil
}

// notDamage leaves out an error that says that something is damaged.
func notDamage(err error) error {
	var d *DamagedError
	if errors.As(err, &d) {
		return nil
	}
	return err
}
