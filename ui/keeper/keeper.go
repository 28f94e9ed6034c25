// Package keeper asks beside the window who drove where and when: it keeps an index of
// package engine/flow in step with the trips that the window holds.
package keeper

import (
	"context"
	"sync"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
)

// Keeper keeps an [flow.Index] in step with the window's trips and asks it questions,
// all beside the window: one thing after the other, of one kind only the latest.
type Keeper struct {
	do func(func()) // runs a function on the window's goroutine

	mu      sync.Mutex
	waiting []job
	busy    bool
	cancel  context.CancelFunc // of what runs
	kind    Kind               // of what runs

	index *flow.Index    // of the worker
	known map[string]any // what the index holds of trips; of the worker

	// Of the window's goroutine:
	asked bool   // something was asked for since the index changed last
	due   bool   // the index may lag behind
	feed  func() // brings it up to date
}

// Kind tells questions apart: a new one takes the place of an older one of its
// kind, which is not answered.
type Kind string

// feeding is the kind of bringing the index up to date.
const feeding Kind = "feed"

type job struct {
	kind Kind
	run  func(ctx context.Context)
}

// New is a keeper of an empty index. Do runs a function on the window's
// goroutine.
func New(do func(func())) *Keeper { return &Keeper{do: do} }

// Feed brings the index up to date once something is asked for: trips gives all that are
// recovered on a network, which may be nil. Changed is called on the window's goroutine
// where the index is another one then; who wants to know more asks again in it, else the
// index is left as it is.
func (k *Keeper) Feed(net *roadnet.Network, trips func() []flow.Trip, changed func()) {
	k.feed = func() {
		now := trips()
		k.start(job{feeding, func(ctx context.Context) {
			if k.update(ctx, net, now) {
				k.do(func() {
					k.asked = false
					changed()
				})
			}
		}})
	}
	k.due = true
	if k.asked {
		k.catchUp()
	}
}

// catchUp brings the index up to date where it may lag behind.
func (k *Keeper) catchUp() {
	if k.due {
		k.due = false
		k.feed()
	}
}

// ask notes that the index is wanted.
func (k *Keeper) ask() {
	k.asked = true
	k.catchUp()
}

// made tells a trip's recovery from any other one.
func made(t flow.Trip) any {
	if t.Recovery != nil {
		return t.Recovery
	}
	return t.Kept
}

// Consult puts a question to the index and hands what it gives to answer, on the
// window's goroutine. There is no answer where a newer question of its kind has
// come. Without a network, and where the question fails, the answer is the zero
// value.
func Consult[T any](k *Keeper, kind Kind, question func(context.Context, *flow.Index) (T, error), answer func(T)) {
	k.ask()
	k.start(job{kind, func(ctx context.Context) {
		var a T
		if k.index != nil {
			if got, err := question(ctx, k.index); err == nil {
				a = got
			}
		}
		k.do(func() {
			if ctx.Err() == nil {
				answer(a)
			}
		})
	}})
}

// start queues a job; one of its kind that waits or runs is not wanted any more.
// Feeding is not broken off, for the index must not lag behind for ever.
func (k *Keeper) start(j job) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy && k.kind == j.kind && j.kind != feeding {
		k.cancel()
	}
	for i, w := range k.waiting {
		if w.kind == j.kind {
			k.waiting = append(k.waiting[:i:i], k.waiting[i+1:]...)
			break
		}
	}
	k.waiting = append(k.waiting, j)
	if !k.busy {
		k.busy = true
		go k.work()
	}
}

// work does what waits, until nothing does.
func (k *Keeper) work() {
	for {
		k.mu.Lock()
		if len(k.waiting) == 0 {
			k.busy = false
			k.mu.Unlock()
			return
		}
		j := k.waiting[0]
		k.waiting = k.waiting[1:]
		var ctx context.Context
		ctx, k.cancel = context.WithCancel(context.Background())
		k.kind = j.kind
		k.mu.Unlock()
		j.run(ctx)
	}
}

// Stop breaks off what runs and forgets what waits.
func (k *Keeper) Stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waiting = nil
	if k.busy {
		k.cancel()
	}
}

// Busy reports whether something runs or waits.
func (k *Keeper) Busy() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.busy
}

// fedAtOnce is how many trips are put into the index between two looks at the
// context.
const fedAtOnce = 512

// update puts in what is new, takes out what is gone, and reports whether there
// was any.
func (k *Keeper) update(ctx context.Context, net *roadnet.Network, trips []flow.Trip) bool {
	changed := false
	if k.index == nil && net != nil || k.index != nil && k.index.Network() != net {
		k.index, k.known, changed = nil, map[string]any{}, true
		if net != nil {
			k.index = flow.NewIndex(net)
		}
	}
	if k.index == nil {
		return changed
	}
	gone := k.gone(trips)
	k.index.Remove(gone)
	var fresh []flow.Trip
	for _, t := range trips {
		if k.known[t.ID] != made(t) {
			fresh = append(fresh, t)
		}
	}
	for len(fresh) > 0 && ctx.Err() == nil {
		n := min(len(fresh), fedAtOnce)
		k.index.Put(fresh[:n])
		for _, t := range fresh[:n] {
			k.known[t.ID] = made(t)
		}
		fresh, changed = fresh[n:], true
	}
	return changed || len(gone) > 0
}

// gone forgets the trips that are not there any more.
func (k *Keeper) gone(trips []flow.Trip) []string {
	here := make(map[string]bool, len(trips))
	for _, t := range trips {
		here[t.ID] = true
	}
	var gone []string
	for id := range k.known {
		if !here[id] {
			gone = append(gone, id)
			delete(k.known, id)
		}
	}
	return gone
}
