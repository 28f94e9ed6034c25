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

// pace estimates the time left from how the work got on so far.
type pace struct {
	phase       string
	first, last float64 // how much of the work was done when it was first and last told
	since, told time.Time
}

// atLeast is how long work must have run before it is judged.
const atLeast = 700 * time.Millisecond

// note takes progress. A phase that does not say which part of the whole it is, is
// judged by itself.
func (c *pace) note(p Progress, now time.Time) {
	done, known := p.Fraction()
	if !known {
		*c = pace{}
		return
	}
	if c.since.IsZero() || p.To == 0 && p.Phase != c.phase || done < c.last {
		*c = pace{first: done, since: now}
	}
	if done > c.last || c.told.IsZero() {
		c.told = now
	}
	c.phase, c.last = p.Phase, done
}

// left is the time that the rest takes at the pace so far: as of the last progress,
// less what has passed since.
func (c *pace) left(now time.Time) (time.Duration, bool) {
	ran, done := c.told.Sub(c.since), c.last-c.first
	if c.since.IsZero() || now.Sub(c.since) < atLeast || done <= 0 {
		return 0, false
	}
	rest := time.Duration(float64(ran)/done*(1-c.last)) - now.Sub(c.told)
	return max(rest, 0).Round(time.Second), rest > 0
}
