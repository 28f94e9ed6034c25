package task

import (
	"context"
	"errors"
	"testing"
	"time"
)

// loop stands for the window's goroutine: functions wait until they are run.
type loop chan func()

func newLoop() loop { return make(loop, 100) }

func (l loop) do(f func()) { l <- f }

// until runs what is posted until ok, or fails.
func (l loop) until(t *testing.T, ok func() bool) {
	t.Helper()
	end := time.After(time.Minute)
	for !ok() {
		select {
		case f := <-l:
			f()
		case <-end:
			t.Fatal("nothing more happened")
		}
	}
}

func TestFinishedTaskReportsAndLeaves(t *testing.T) {
	l, changes := newLoop(), 0
	m := NewManager(l.do, func() { changes++ })
	var got error = errors.New("done was not called")
	task := m.Start("count", func(_ context.Context, report func(Progress)) error {
		report(Progress{Phase: "counting", Done: 5, Total: 10})
		return nil
	}, func(err error) { got = err })
	if len(m.Running()) != 1 {
		t.Fatalf("%d tasks run, want 1", len(m.Running()))
	}
	l.until(t, func() bool { return task.Status != Running })
	if got != nil || task.Status != Finished || len(m.Running()) != 0 {
		t.Errorf("err %v, status %v, %d running", got, task.Status, len(m.Running()))
	}
	if task.Progress.Done != 5 || changes < 3 {
		t.Errorf("progress %+v after %d changes", task.Progress, changes)
	}
}

func TestCancelEndsATask(t *testing.T) {
	l := newLoop()
	m := NewManager(l.do, func() {})
	var got error
	task := m.Start("wait", func(ctx context.Context, _ func(Progress)) error {
		<-ctx.Done()
		return errors.New("stopped half way")
	}, func(err error) { got = err })
	m.Cancel(task)
	if !task.Ending() {
		t.Error("a cancelled task that still runs must show that it ends")
	}
	l.until(t, func() bool { return task.Status != Running })
	if task.Status != Cancelled || !errors.Is(got, context.Canceled) {
		t.Errorf("status %v, err %v", task.Status, got)
	}
}

func TestTasksRunAtOnce(t *testing.T) {
	l := newLoop()
	m := NewManager(l.do, func() {})
	hold := make(chan struct{})
	first := m.Start("first", func(context.Context, func(Progress)) error { <-hold; return nil }, nil)
	second := m.Start("second", func(context.Context, func(Progress)) error { return nil }, nil)
	l.until(t, func() bool { return second.Status == Finished })
	if first.Status != Running {
		t.Error("the first task must still run")
	}
	close(hold)
	l.until(t, func() bool { return first.Status == Finished })
}

func TestPanicBecomesAnError(t *testing.T) {
	l := newLoop()
	m := NewManager(l.do, func() {})
	task := m.Start("fall", func(context.Context, func(Progress)) error { panic("index out of range") }, nil)
	l.until(t, func() bool { return task.Status != Running })
	if task.Status != Failed || task.Err == nil {
		t.Errorf("status %v, err %v", task.Status, task.Err)
	}
}

func TestTimeLeft(t *testing.T) {
	start := time.Unix(0, 0)
	var c pace
	c.note(Progress{Phase: "a", Done: 0, Total: 100}, start)
	if _, ok := c.left(start.Add(100 * time.Millisecond)); ok {
		t.Error("too early to tell")
	}
	c.note(Progress{Phase: "a", Done: 25, Total: 100}, start.Add(10*time.Second))
	for later, want := range map[time.Duration]time.Duration{0: 30 * time.Second, 4 * time.Second: 26 * time.Second} {
		if left, ok := c.left(start.Add(10*time.Second + later)); !ok || left != want {
			t.Errorf("left %v %v after %v without progress, want %v", left, ok, later, want)
		}
	}
	c.note(Progress{Phase: "b", Done: 0, Total: 10}, start.Add(20*time.Second))
	if _, ok := c.left(start.Add(21 * time.Second)); ok {
		t.Error("a phase that is no part of a whole starts anew")
	}
}

// The time left is that of all phases: at the end of one that is a quarter of the
// work, three times as much is left.
func TestTimeLeftCountsAllPhases(t *testing.T) {
	start := time.Unix(0, 0)
	var c pace
	note := func(p Progress, after time.Duration) { c.note(p, start.Add(after)) }
	var told Progress
	phases := Phases(func(p Progress) { told = p }, 25, 15, 60)
	phases[0](Progress{Phase: "roads", Total: 40})
	note(told, 0)
	phases[0](Progress{Phase: "roads", Done: 40, Total: 40})
	note(told, 10*time.Second)
	if left, ok := c.left(start.Add(10 * time.Second)); !ok || left != 30*time.Second {
		t.Errorf("left %v %v, want 30s", left, ok)
	}
	phases[2](Progress{Phase: "network"}) // it does not say how far it is
	note(told, 16*time.Second)
	if f, ok := told.Fraction(); !ok || f != 0.4 {
		t.Errorf("fraction %v %v, want 0.4", f, ok)
	}
	if left, ok := c.left(start.Add(20 * time.Second)); !ok || left != 20*time.Second {
		t.Errorf("left %v %v, want 20s", left, ok)
	}
}
