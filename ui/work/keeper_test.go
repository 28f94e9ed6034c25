package work

import (
	"sync/atomic"
	"testing"
	"time"
)

// Who makes more than can be written waits, and goes on once there is room.
func TestWhatIsToBeWrittenDoesNotPileUp(t *testing.T) {
	k := newKeeper(func(err error) { t.Error(err) })
	gate := make(chan bool)
	var written atomic.Int32
	for range mostWaiting + 2 { // one is being written, one more waits than may
		k.add(func() error { <-gate; written.Add(1); return nil })
	}
	through := make(chan bool)
	go func() { k.room(); close(through) }()
	select {
	case <-through:
		t.Error("it does not wait")
	case <-time.After(20 * time.Millisecond):
	}
	for range mostWaiting + 2 {
		gate <- true
	}
	<-through
	k.wait()
	if n := written.Load(); n != mostWaiting+2 {
		t.Errorf("%d jobs were done", n)
	}
}
