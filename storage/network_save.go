package storage

import (
	"context"
	"errors"
	"fmt"
	"math"

	"retrace/engine/roadnet"
)

// networkSaver writes the columns of a network in several transactions, so that
// memory stays bounded and others can write in between.
type networkSaver struct {
	w        *Workspace
	ctx      context.Context
	replace  bool
	manifest manifest
	data     []any // of the columns
	column   int   // next to write
	chunk    int
}

// describe takes columns into the manifest.
func (s *networkSaver) describe(of Kind, cols []roadnet.Column) error {
	for _, c := range cols {
		t, n, err := describeColumn(c)
		if err != nil {
			return err
		}
		s.manifest.Columns = append(s.manifest.Columns, manifestColumn{of, c.Name, t, n})
		s.data = append(s.data, c.Data)
	}
	if len(s.data) >= manifestChunk {
		return fmt.Errorf("%d columns are more than a workspace takes (%d)", len(s.data), manifestChunk-1)
	}
	return nil
}

func (s *networkSaver) save() error {
	err := s.w.update(s.ctx, s.begin)
	if err != nil {
		return err
	}
	for s.column < len(s.data) && err == nil {
		err = s.w.update(s.ctx, s.someChunks)
	}
	if err == nil {
		err = s.w.update(s.ctx, s.finish)
	}
	if err != nil {
		return errors.Join(err, s.undo())
	}
	return nil
}

// begin takes a number for the chunks.
func (s *networkSaver) begin(c *change) (err error) {
	if err := s.checkName(c); err != nil {
		return err
	}
	s.manifest.Generation, err = c.bucket(bucketChunks).NextSequence()
	return err
}

func (s *networkSaver) checkName(c *change) error {
	name := []byte(s.manifest.Info.Name)
	if !s.replace && c.bucket(bucketNetworks).Get(name) != nil {
		return &ExistsError{s.manifest.Info.Name}
	}
	return nil
}

// someChunks writes the next chunks, as many as go into one transaction.
func (s *networkSaver) someChunks(c *change) error {
	c.bucket(bucketChunks).FillPercent = 1
	for size := 0; size < s.w.opt.batchBytes && s.column < len(s.data); {
		m := s.manifest.Columns[s.column]
		if s.chunk >= m.chunks() {
			s.column, s.chunk = s.column+1, 0
			continue
		}
		value, err := s.encode(c, m)
		if err != nil {
			return err
		}
		key := chunkKey(s.manifest.Generation, s.column, s.chunk)
		if err := c.bucket(bucketChunks).Put(key, value); err != nil {
			return err
		}
		size += len(value)
		s.chunk++
	}
	return s.ctx.Err()
}

// encode makes the value of the next chunk.
func (s *networkSaver) encode(c *change, m manifestColumn) ([]byte, error) {
	from := s.chunk * (chunkSize / m.Type.size())
	to := min(m.Count, from+chunkSize/m.Type.size())
	payload := encodeElements(make([]byte, 0, (to-from)*m.Type.size()), s.data[s.column], from, to)
	f := frame{kind: frameChunk, element: m.Type, commit: c.number}
	return f.seal(chunkKey(s.manifest.Generation, s.column, s.chunk), payload)
}

// finish puts the new network in place of the old, if any.
func (s *networkSaver) finish(c *change) error {
	if err := s.checkName(c); err != nil {
		return err
	}
	old, err := getManifest(c.tx, s.manifest.Info.Name)
	if err != nil {
		return err
	}
	if old != nil {
		if err := c.removeNetwork(old); err != nil {
			return err
		}
	}
	return c.putManifest(&s.manifest)
}

// undo removes the chunks of a network that could not be saved. What it cannot
// remove, the next opening will.
func (s *networkSaver) undo() error {
	g := s.manifest.Generation
	if g == 0 || g == math.MaxUint64 {
		return nil
	}
	err := s.w.update(s.w.background, func(c *change) error {
		return c.removeBetween(bucketChunks, numberKey(g), numberKey(g+1))
	})
	if errors.Is(err, ErrClosed) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
