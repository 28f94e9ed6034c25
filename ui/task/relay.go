package task

import (
	"sync"
	"time"
)

// every is how often a task's progress is shown.
const every = 100 * time.Millisecond

// relay hands the latest progress to the window, not more often than it can be
// seen.
type relay struct {
	do   func(func())
	show func(Progress)

	mu     sync.Mutex
	latest Progress
	last   time.Time
}

func (r *relay) report(p Progress) {
	r.mu.Lock()
	newPhase := p.Phase != r.latest.Phase
	r.latest = p
	now := time.Now()
	due := newPhase || now.Sub(r.last) >= every || (p.Total > 0 && p.Done >= p.Total)
	if due {
		r.last = now
	}
	r.mu.Unlock()
	if due {
		r.do(func() { r.show(p) })
	}
}

// pace estimates the time left from how a phase got on so far.
type pace struct {
	phase string
	first Progress
	since time.Time
}

// atLeast is how long a phase must have run before it is judged.
const atLeast = 700 * time.Millisecond

func (c *pace) note(p Progress, now time.Time) {
	if c.since.IsZero() || p.Phase != c.phase || p.Done < c.first.Done {
		*c = pace{phase: p.Phase, first: p, since: now}
	}
}

func (c *pace) left(p Progress, now time.Time) (time.Duration, bool) {
	ran, done := now.Sub(c.since), p.Done-c.first.Done
	if c.since.IsZero() || ran < atLeast || done <= 0 || p.Total <= 0 || p.Phase != c.phase {
		return 0, false
	}
	perUnit := float64(ran) / float64(done)
	return time.Duration(perUnit * float64(max(p.Total-p.Done, 0))).Round(time.Second), true
}
