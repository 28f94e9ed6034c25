package storage

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"

	"retrace/engine/trajectory"
)

// networks makes the networks visible of which all chunks are there, without
// the map or the report where theirs are not, and removes all other chunks.
func (s *salvage) networks() error {
	names := map[string]bool{}
	generations := slices.SortedFunc(maps.Keys(s.manifests), func(a, b uint64) int { return cmp.Compare(b, a) })
	for _, g := range generations {
		m := s.manifests[g]
		if names[m.Info.Name] {
			continue // an older one of the name, which had been replaced
		}
		names[m.Info.Name] = true
		if err := s.network(m); err != nil {
			return err
		}
	}
	orphans, err := s.to.orphans()
	for _, g := range orphans {
		if s.manifests[g] == nil {
			s.lost(Damage{KindNetwork, "", fmt.Sprintf("the description of number %d is lost", g)})
		}
	}
	return errors.Join(err, s.to.removeOrphans())
}

func (s *salvage) network(m *manifest) error {
	failed, err := s.missing(m)
	if err != nil {
		return err
	}
	for _, of := range []Kind{KindNetwork, KindBasemap, KindReport} {
		if failed[of] != nil {
			s.lost(Damage{of, m.Info.Name, failed[of].Error()})
		}
	}
	if failed[KindNetwork] != nil {
		return nil
	}
	for i := range m.Columns {
		if failed[m.Columns[i].Of] != nil {
			m.Columns[i].Count, m.Columns[i].Of = 0, kindLost
		}
	}
	return s.to.update(s.ctx, func(c *change) error { return c.putManifest(m) })
}

// kindLost marks the columns of a part that was lost: they keep their place,
// since chunks are found by the index of their column.
const kindLost Kind = "lost"

// missing finds the parts of a network of which chunks are missing.
func (s *salvage) missing(m *manifest) (map[Kind]error, error) {
	l := &networkLoader{manifest: m}
	failed := map[Kind]error{}
	err := s.to.view(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket([]byte(bucketChunks)).Cursor()
		for i, c := range m.Columns {
			if _, err := l.columnJobs(cursor, i, c); err != nil && failed[c.Of] == nil {
				failed[c.Of] = fmt.Errorf("column %q: %w", c.Name, err)
			}
		}
		return nil
	})
	return failed, err
}

// joinTrajectories makes index and summaries of the trajectories found.
func (s *salvage) joinTrajectories() error {
	err := s.rejoin(bucketTrajectories, func(c *change, r record) error {
		payload, err := frameTrajectory.open(r.key, r.value)
		if err != nil {
			return c.bucket(bucketTrajectories).Delete(r.key)
		}
		t, err := decodeTrajectory(payload)
		if err != nil || t.ID == "" {
			return c.bucket(bucketTrajectories).Delete(r.key)
		}
		delete(s.trajectories, keyNumber(r.key))
		return c.joinTrajectory(r.key, t)
	})
	for _, number := range slices.Sorted(maps.Keys(s.trajectories)) {
		s.lost(Damage{KindTrajectory, s.trajectories[number], "its record is lost"})
	}
	return err
}

// joinTrajectory makes index and summary of one trajectory. An earlier one of
// the same id had been removed before.
func (c *change) joinTrajectory(key []byte, t *trajectory.Trajectory) error {
	if old, ok := trajectoryNumber(c.tx, t.ID); ok {
		for _, bucket := range []string{bucketTrajectories, bucketTrajectorySummaries} {
			if err := c.bucket(bucket).Delete(numberKey(old)); err != nil {
				return err
			}
		}
	}
	if err := c.bucket(bucketTrajectoryNumbers).Put([]byte(t.ID), key); err != nil {
		return err
	}
	return c.putSummary(keyNumber(key), t)
}

// joinRecoveries makes summaries of the recoveries found whose trajectories
// are there.
func (s *salvage) joinRecoveries() error {
	err := s.rejoin(bucketRecoveries, func(c *change, r record) error {
		payload, err := frameRecovery.open(r.key, r.value)
		if err != nil {
			return c.bucket(bucketRecoveries).Delete(r.key)
		}
		recovery, err := decodeRecovery(payload)
		if err != nil {
			return c.bucket(bucketRecoveries).Delete(r.key)
		}
		if number, ok := trajectoryNumber(c.tx, recovery.Trajectory); !ok || number != keyNumber(r.key) {
			s.recoveries[string(r.key)] = recovery.Trajectory
			return c.bucket(bucketRecoveries).Delete(r.key)
		}
		delete(s.recoveries, string(r.key))
		return c.putRecoverySummary(r.key, recovery)
	})
	for _, key := range slices.Sorted(maps.Keys(s.recoveries)) {
		s.lost(Damage{KindRecovery, s.recoveries[key] + " (" + key[min(8, len(key)):] + ")", "it or its trajectory is lost"})
	}
	return err
}

// rejoin runs fn for each record of a bucket, many in one transaction.
func (s *salvage) rejoin(bucket string, fn func(*change, record) error) error {
	for from := numberKey(0); from != nil; {
		batch, next, err := s.to.batch(bucket, from)
		if err != nil {
			return err
		}
		err = s.to.update(s.ctx, func(c *change) error {
			for _, r := range batch {
				if err := fn(c, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}

// sequences sets the counters behind the highest numbers in use.
func (s *salvage) sequences() error {
	return s.to.update(s.ctx, func(c *change) error {
		for _, name := range []string{bucketChunks, bucketTrajectories} {
			last, _ := c.bucket(name).Cursor().Last()
			if err := c.bucket(name).SetSequence(max(c.bucket(name).Sequence(), keyNumber(last))); err != nil {
				return err
			}
		}
		return c.bucket(bucketMeta).SetSequence(max(uint64(c.number), uint64(s.commit)))
	})
}
