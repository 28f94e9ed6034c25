package work

import "sync"

// keeper writes to the workspace beside the window, one job after another in
// the order in which they were given. It does all that it was given, whatever
// is cancelled.
type keeper struct {
	failed func(error) // is told of what could not be written; on any goroutine

	mu   sync.Mutex
	idle *sync.Cond
	jobs []func() error
	busy bool
}

func newKeeper(failed func(error)) *keeper {
	k := &keeper{failed: failed}
	k.idle = sync.NewCond(&k.mu)
	return k
}

// add has a job done after all before it.
func (k *keeper) add(job func() error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.jobs = append(k.jobs, job)
	if !k.busy {
		k.busy = true
		go k.work()
	}
}

func (k *keeper) work() {
	for {
		k.mu.Lock()
		if len(k.jobs) == 0 {
			k.busy = false
			k.idle.Broadcast()
			k.mu.Unlock()
			return
		}
		job := k.jobs[0]
		k.jobs = k.jobs[1:]
		k.idle.Broadcast()
		k.mu.Unlock()
		if err := job(); err != nil {
			k.failed(err)
		}
	}
}

// mostWaiting is how many jobs wait before those who make more of them wait too.
const mostWaiting = 16

// room waits until few jobs wait, so that what is to be written does not pile up in
// memory. It may be called from any goroutine but the window's.
func (k *keeper) room() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.jobs) > mostWaiting {
		k.idle.Wait()
	}
}

// wait waits until all jobs given so far are done. It may be called from any
// goroutine.
func (k *keeper) wait() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.busy {
		k.idle.Wait()
	}
}
