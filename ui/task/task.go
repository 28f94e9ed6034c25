// Package task runs long work beside the window: each task has a progress, an
// estimate of the time left, and can be cancelled. Several run at once.
package task

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Progress says how far a task is.
type Progress struct {
	Phase       string
	Done, Total int64 // of the phase, in its own unit; Total 0: not known

	// From and To are between which shares of the whole work the phase lies, 0 to 1;
	// both 0: it is all of the work.
	From, To float64
}

// Fraction is how much of the whole work is done, 0 to 1; false where that is not
// known.
func (p Progress) Fraction() (float64, bool) {
	if p.Total <= 0 {
		return p.From, p.To > 0
	}
	phase := min(max(float64(p.Done)/float64(p.Total), 0), 1)
	if p.To == 0 {
		return phase, true
	}
	return p.From + (p.To-p.From)*phase, true
}

// Phases shares a task's work out among its phases, by how long each is expected to
// take: the reports of the i-th go to the i-th function.
func Phases(report func(Progress), expected ...float64) []func(Progress) {
	sum, done := 0.0, 0.0
	for _, e := range expected {
		sum += e
	}
	var each []func(Progress)
	for _, e := range expected {
		from, to := done/sum, (done+e)/sum
		each = append(each, func(p Progress) {
			p.From, p.To = from, to
			report(p)
		})
		done += e
	}
	return each
}

// Status says how a task stands.
type Status uint8

// The states of a task.
const (
	Running Status = iota
	Finished
	Failed
	Cancelled
)

// Task is one piece of work as the window shows it. Its fields change only on
// the window's goroutine.
type Task struct {
	ID       int
	Title    string
	Status   Status
	Progress Progress
	Started  time.Time
	Err      error // of a failed task

	pace   pace
	cancel context.CancelFunc
	ended  bool // asked to end
}

// Ending reports whether the task was asked to end and has not done so yet.
func (t *Task) Ending() bool { return t.ended && t.Status == Running }

// Left estimates the time that the task still takes; false while there is too
// little to go by.
func (t *Task) Left(now time.Time) (time.Duration, bool) { return t.pace.left(now) }

// Job is the work of a task. It reports its progress from any goroutine and
// returns soon after ctx ends.
type Job func(ctx context.Context, report func(Progress)) error

// Manager starts tasks and keeps account of them. Its methods belong on the
// window's goroutine.
type Manager struct {
	do      func(func()) // runs a function on the window's goroutine
	changed func()
	tasks   []*Task
	last    int
	running sync.WaitGroup
}

// NewManager makes a manager. Do runs a function on the window's goroutine;
// changed is called there whenever a task begins, gets on or ends.
func NewManager(do func(func()), changed func()) *Manager {
	return &Manager{do: do, changed: changed}
}

// Running lists the tasks that are under way, the oldest first.
func (m *Manager) Running() []*Task { return m.tasks }

// Start runs job beside the window. Done (may be nil) is called on the window's
// goroutine when it has ended: with nil, with the job's error, or with
// context.Canceled.
func (m *Manager) Start(title string, job Job, done func(error)) *Task {
	ctx, cancel := context.WithCancel(context.Background())
	m.last++
	t := &Task{ID: m.last, Title: title, Started: time.Now(), cancel: cancel}
	m.tasks = append(m.tasks, t)
	m.running.Add(1)
	relay := &relay{do: m.do, show: func(p Progress) { m.show(t, p) }}
	go func() {
		defer m.running.Done()
		err := guarded(ctx, job, relay.report)
		cancelled := ctx.Err() != nil
		cancel()
		m.do(func() { m.end(t, err, cancelled, done) })
	}()
	m.changed()
	return t
}

// guarded runs job; a panic in it becomes an error, so that one bad file does
// not take the window down.
func guarded(ctx context.Context, job Job, report func(Progress)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal fault: %v", p)
		}
	}()
	return job(ctx, report)
}

func (m *Manager) show(t *Task, p Progress) {
	if t.Status != Running {
		return
	}
	t.pace.note(p, time.Now())
	t.Progress = p
	m.changed()
}

func (m *Manager) end(t *Task, err error, cancelled bool, done func(error)) {
	switch {
	case err == nil:
		t.Status = Finished
	case cancelled || errors.Is(err, context.Canceled):
		t.Status, err = Cancelled, context.Canceled
	default:
		t.Status, t.Err = Failed, err
	}
	for i, other := range m.tasks {
		if other == t {
			m.tasks = append(m.tasks[:i:i], m.tasks[i+1:]...)
			break
		}
	}
	if done != nil {
		done(err)
	}
	m.changed()
}

// Cancel asks a task to end.
func (m *Manager) Cancel(t *Task) {
	t.ended = true
	t.cancel()
	m.changed()
}

// CancelAll asks every task to end.
func (m *Manager) CancelAll() {
	for _, t := range m.tasks {
		t.ended = true
		t.cancel()
	}
	m.changed()
}

// Wait waits until no job runs any more. It may be called from any goroutine
// once nothing new is started.
func (m *Manager) Wait() { m.running.Wait() }
