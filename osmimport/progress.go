package osmimport

import (
	"sync"
	"time"
)

// progressClock passes progress on, not too often. Its zero value tells
// nobody.
type progressClock struct {
	report func(Progress)
	bytes  int64 // of all files

	mu    sync.Mutex
	phase string
	reads bool
	done  int64 // bytes of the files that are through
	last  time.Time
}

// progressEvery is the shortest time between two reports.
const progressEvery = 50 * time.Millisecond

// begin starts a phase; reads tells whether it goes through the files.
func (c *progressClock) begin(phase string, reads bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase, c.reads, c.done, c.last = phase, reads, 0, time.Time{}
	c.tell(0)
}

// at tells how many bytes of the file under way are through.
func (c *progressClock) at(done int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tell(done)
}

// fileDone ends the file under way.
func (c *progressClock) fileDone(size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done += size
	c.tell(0)
}

// end makes sure that nothing is told any more.
func (c *progressClock) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report = nil
}

func (c *progressClock) tell(done int64) {
	now := time.Now()
	if c.report == nil || now.Sub(c.last) < progressEvery {
		return
	}
	c.last = now
	p := Progress{Phase: c.phase}
	if c.reads {
		p.Done, p.Total = c.done+done, c.bytes
	}
	c.report(p)
}

// firstPass takes the ways and relations of one file into the draft.
type firstPass struct {
	*draft
	clock *progressClock
	run   objectRun
}

func (f *firstPass) read(r objectRun) { f.run.follow(r) }

func (f *firstPass) progress(done int64) { f.clock.at(done) }
