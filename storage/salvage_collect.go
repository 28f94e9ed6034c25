package storage

import (
	"context"

	"retrace/storage/pages"
)

// salvage takes what is whole out of a file, whatever shape its trees are in,
// and builds a workspace of it: first all values whose checksum is right are
// copied, then what belongs together is put together.
type salvage struct {
	ctx    context.Context
	from   *pages.File
	to     *Workspace
	damage []Damage

	pending []salvaged
	size    int
	found   bool
	schema  int
	commit  uint32

	manifests    map[uint64]*manifest // by generation
	trajectories map[uint64]string    // ids by number, as far as summaries tell
	recoveries   map[string]string    // ids by key, likewise
}

// salvaged is a value on its way.
type salvaged struct {
	bucket string
	record
	commit uint32
}

func (s *salvage) run() error {
	s.manifests, s.trajectories, s.recoveries = map[uint64]*manifest{}, map[uint64]string{}, map[string]string{}
	if _, err := s.from.Entries(s.take); err != nil {
		return err
	}
	if !s.found {
		return errNothing
	}
	if err := s.flush(); err != nil {
		return err
	}
	if err := s.bringUp(); err != nil {
		return err
	}
	for _, step := range []func() error{s.networks, s.joinTrajectories, s.joinRecoveries, s.sequences} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// bringUp runs the migrations that the file has not seen.
func (s *salvage) bringUp() error {
	newest := len(s.to.opt.migrations) + 1
	if s.schema == 0 {
		s.schema = newest
	}
	if s.schema > newest {
		return &NewerError{s.to.path, s.schema, newest}
	}
	return migrate(s.to.file.db, s.to.path, s.schema, s.to.opt.migrations)
}

// take looks at one entry of the file and copies it if it is whole.
func (s *salvage) take(e pages.Entry) error {
	head, err := e.Value(min(frameHeader, e.Size()))
	if err != nil {
		return s.ctx.Err()
	}
	f, err := parseFrame(head, e.Size())
	if err != nil {
		return s.ctx.Err()
	}
	value, err := e.Value(e.Size())
	if err != nil || !frameWhole(e.Key, value) {
		s.lose(f.kind, e.Key)
		return s.ctx.Err()
	}
	s.found = true
	s.commit = max(s.commit, f.commit)
	return s.keep(f, record{append([]byte(nil), e.Key...), append([]byte(nil), value...)})
}

// lose notes values that no list tells of. Steps of the history are none of
// them: without one the rest can be undone as far as it is whole.
func (s *salvage) lose(kind frameKind, key []byte) {
	if kind == frameSetting {
		s.lost(Damage{KindSetting, string(key), "its value is not whole"})
	}
}

func (s *salvage) lost(d Damage) {
	if len(s.damage) < maxDamage {
		s.damage = append(s.damage, d)
	}
}

// keep sorts a whole value to where it belongs. Summaries are made anew later,
// but tell what should be there.
func (s *salvage) keep(f frame, r record) error {
	payload := r.value[frameHeader:]
	bucket := ""
	switch f.kind {
	case frameSchema:
		s.schema, _ = parseSchema(r.value)
	case frameManifest:
		if m, err := parseManifest(r.key, r.value); err == nil {
			s.manifests[m.Generation] = m
		}
	case frameTrajectorySummary:
		if t, err := decodeTrajectorySummary(payload); err == nil {
			s.trajectories[keyNumber(r.key)] = t.ID
		}
	case frameRecoverySummary:
		if t, err := decodeRecoverySummary(payload); err == nil {
			s.recoveries[string(r.key)] = t.Trajectory
		}
	case frameChunk:
		bucket = bucketChunks
	case frameTrajectory:
		bucket = bucketTrajectories
	case frameRecovery:
		bucket = bucketRecoveries
	case frameSetting:
		bucket = bucketSettings
	case frameHistory:
		bucket = bucketHistory
	case frameHeld:
		bucket = bucketHeld
	case frameHeldTrajectory, frameHeldRecovery:
		bucket = bucketHeldRecords
	}
	if bucket == "" {
		return s.ctx.Err()
	}
	s.pending = append(s.pending, salvaged{bucket, r, f.commit})
	if s.size += len(r.value); s.size < s.to.opt.batchBytes {
		return s.ctx.Err()
	}
	return s.flush()
}

// flush writes the values on their way. Of two under one key the later stays.
func (s *salvage) flush() error {
	err := s.to.update(s.ctx, func(c *change) error {
		for _, p := range s.pending {
			b := c.bucket(p.bucket)
			if old := b.Get(p.key); old != nil {
				if f, err := parseFrame(old, int64(len(old))); err == nil && f.commit >= p.commit {
					continue
				}
			}
			if err := b.Put(p.key, p.value); err != nil {
				return err
			}
		}
		return nil
	})
	s.pending, s.size = nil, 0
	return err
}
