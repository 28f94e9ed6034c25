package rntrajrec

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// exchange brings the trips that ask a model for something together: whatever is
// asked for while the model is busy goes into one call. So calls grow with what
// the device can take, and a trip alone does not wait.
//
// There is no goroutine behind it: one of those who wait makes the call.
type exchange[In, Out any] struct {
	call  func([]In) ([]Out, error) // answers in order
	size  func(In) int
	most  int // size of a call, unless one alone exceeds it
	lanes int // calls at once

	mu      sync.Mutex
	calling int
	waiting []*request[In, Out]
}

type request[In, Out any] struct {
	in   In
	out  Out
	err  error
	size int
	news chan news
}

type news uint8

const (
	answered news = iota
	yourTurn      // to make a call, for oneself or for others
)

// ask waits for the answer. A request is withdrawn when ctx is done, unless it
// is part of a call already; then ask waits for the end of that.
func (x *exchange[In, Out]) ask(ctx context.Context, in In) (Out, error) {
	r := x.enter(in)
	done := ctx.Done()
	for {
		select {
		case n := <-r.news:
			if n == answered {
				return r.out, r.err
			}
			if ctx.Err() != nil && x.withdraw(r) { // both may have been ready
				x.handOn()
				return r.out, ctx.Err()
			}
			x.makeCall()
			x.handOn()
		case <-done:
			if x.withdraw(r) {
				return r.out, ctx.Err()
			}
			done = nil
		}
	}
}

// enter puts a request in line.
func (x *exchange[In, Out]) enter(in In) *request[In, Out] {
	r := &request[In, Out]{in: in, size: x.size(in), news: make(chan news, x.lanes+1)}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waiting = append(x.waiting, r)
	if x.calling < x.lanes {
		x.calling++
		r.news <- yourTurn
	}
	return r
}

// withdraw takes a request out of the line, and hands on the turns it was given.
// It reports false where the request is part of a call.
func (x *exchange[In, Out]) withdraw(r *request[In, Out]) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	at := slices.Index(x.waiting, r)
	if at < 0 {
		return false
	}
	x.waiting = slices.Delete(x.waiting, at, at+1)
	for len(r.news) > 0 {
		<-r.news
		x.next()
	}
	return true
}

// handOn gives the turn to the next in line.
func (x *exchange[In, Out]) handOn() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.next()
}

func (x *exchange[In, Out]) next() {
	if len(x.waiting) == 0 {
		x.calling--
		return
	}
	x.waiting[0].news <- yourTurn
}

// makeCall answers those longest in line. Where a call of several fails, each is
// tried alone, so that none pays for another.
func (x *exchange[In, Out]) makeCall() {
	batch := x.take()
	if len(batch) == 0 {
		return
	}
	x.answer(batch)
	if len(batch) > 1 && batch[0].err != nil {
		for i := range batch {
			x.answer(batch[i : i+1])
		}
	}
	for _, r := range batch {
		r.news <- answered
	}
}

// take takes as many out of the line as go into a call.
func (x *exchange[In, Out]) take() []*request[In, Out] {
	x.mu.Lock()
	defer x.mu.Unlock()
	n, size := 0, 0
	for n < len(x.waiting) && (n == 0 || size+x.waiting[n].size <= x.most) {
		size += x.waiting[n].size
		n++
	}
	batch := slices.Clone(x.waiting[:n])
	x.waiting = slices.Delete(x.waiting, 0, n)
	return batch
}

func (x *exchange[In, Out]) answer(batch []*request[In, Out]) {
	in := make([]In, len(batch))
	for i, r := range batch {
		in[i] = r.in
	}
	out, err := x.guarded(in)
	for i, r := range batch {
		if r.err = err; err == nil {
			r.out = out[i]
		}
	}
}

// guarded turns a panic into an error: others wait for the answer.
func (x *exchange[In, Out]) guarded(in []In) (out []Out, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("asking the model: internal error: %v", p)
		}
	}()
	out, err = x.call(in)
	if err == nil && len(out) != len(in) {
		err = fmt.Errorf("the model gives %d answers to %d questions", len(out), len(in))
	}
	return out, err
}
