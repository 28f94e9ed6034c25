package read

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"retrace/engine/trajectory"
	"retrace/internal/scratch"
)

// hold keeps the trajectories of a file until it was read to its end: in memory
// up to a limit of samples, beyond it on disk. What came first stays first.
type hold struct {
	limit int
	count int // samples in memory
	kept  []*trajectory.Trajectory
	file  *scratch.File // nil: nothing is on disk
	w     *bufio.Writer
	enc   *gob.Encoder
	err   error
}

// take keeps one trajectory; false where the disk fails.
func (h *hold) take(t *trajectory.Trajectory, _ error) bool {
	h.kept = append(h.kept, t)
	if h.count += len(t.Samples) + 1; h.count >= h.limit {
		h.err = h.flush()
	}
	return h.err == nil
}

// flush moves what is in memory to disk.
func (h *hold) flush() error {
	if h.file == nil {
		f, err := scratch.NewFile("trips")
		if err != nil {
			return fmt.Errorf("no room on disk for trips beyond memory: %w", err)
		}
		h.file, h.w = f, bufio.NewWriterSize(f, 1<<18)
		h.enc = gob.NewEncoder(h.w)
	}
	for _, t := range h.kept {
		if err := h.enc.Encode(t); err != nil {
			return fmt.Errorf("trips beyond memory could not be kept on disk: %w", err)
		}
	}
	h.kept, h.count = nil, 0
	return nil
}

// each hands on all that was kept; errStop where f wants no more.
func (h *hold) each(f func(*trajectory.Trajectory) bool) error {
	if h.file != nil {
		if err := h.stored(f); err != nil {
			return err
		}
	}
	for i, t := range h.kept {
		h.kept[i] = nil
		if !f(t) {
			return errStop
		}
	}
	return nil
}

func (h *hold) stored(f func(*trajectory.Trajectory) bool) error {
	if err := h.w.Flush(); err != nil {
		return fmt.Errorf("trips beyond memory could not be kept on disk: %w", err)
	}
	if _, err := h.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	dec := gob.NewDecoder(bufio.NewReaderSize(h.file, 1<<18))
	for {
		t := new(trajectory.Trajectory)
		if err := dec.Decode(t); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("trips that were kept on disk could not be read: %w", err)
		}
		if !f(t) {
			return errStop
		}
	}
}

// close removes what is on disk.
func (h *hold) close() {
	if h.file != nil {
		h.file.Remove()
	}
}
