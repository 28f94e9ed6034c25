package state

import (
	"sync"

	"retrace/engine/trajectory"
)

// Records reads the trajectories and recoveries of the workspace. Its methods may be
// called from any goroutine.
type Records interface {
	Trajectory(id string) (*trajectory.Trajectory, error)
	Recovery(id, method string) (*trajectory.Recovery, error)
}

// shelfBytes bounds what a [Shelf] holds.
const shelfBytes = 48 << 20

// Shelf reads what trips hold in the workspace alone, and holds what was read last. It
// may be used from any goroutine.
type Shelf struct {
	records Records
	lost    func(error)

	mu    sync.Mutex
	held  []onShelf // the oldest first
	bytes int
}

// onShelf is something that is held, so that it need not be read again.
type onShelf struct {
	what  any
	bytes int
}

// NewShelf is a shelf over the records of a workspace. Lost is told of what cannot be
// read; it is called on any goroutine.
func NewShelf(records Records, lost func(error)) *Shelf {
	return &Shelf{records: records, lost: lost}
}

// hold holds something until newer things take its room.
func (s *Shelf) hold(what any, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held, s.bytes = append(s.held, onShelf{what, bytes}), s.bytes+bytes
	gone := 0
	for ; s.bytes > shelfBytes && gone < len(s.held)-1; gone++ {
		s.bytes -= s.held[gone].bytes
		s.held[gone].what = nil
	}
	s.held = s.held[gone:]
}

// trajectory reads a trajectory; what cannot be read has no samples.
func (s *Shelf) trajectory(id string) *trajectory.Trajectory {
	t, err := s.records.Trajectory(id)
	if err != nil {
		s.lost(err)
		return &trajectory.Trajectory{ID: id}
	}
	s.hold(t, bytesOf(t))
	return t
}

// recovery reads a recovery; what cannot be read has no ticks.
func (s *Shelf) recovery(id string, made trajectory.Provenance) *trajectory.Recovery {
	r, err := s.records.Recovery(id, made.Method)
	if err != nil {
		s.lost(err)
		return &trajectory.Recovery{Trajectory: id, Provenance: made}
	}
	s.hold(r, bytesOfRecovery(r))
	return r
}

// About how many bytes one of each takes in memory.
const (
	sampleBytes = 24
	tickBytes   = 96
	matchBytes  = 160
	restBytes   = 500
)

func bytesOf(t *trajectory.Trajectory) int { return restBytes + sampleBytes*len(t.Samples) }

func bytesOfRecovery(r *trajectory.Recovery) int {
	bytes := 2*restBytes + tickBytes*len(r.Ticks) + matchBytes*len(r.Matches)
	for _, p := range r.Parts {
		bytes += 4 * len(p.Segments)
	}
	for _, a := range r.Alternatives {
		bytes += 80 + 4*len(a.Part.Segments)
	}
	return bytes
}
