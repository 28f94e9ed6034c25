package roadnet

import (
	"runtime"
	"sync"
)

// parallel splits 0..n-1 into ranges, one or more for each processor, and runs
// f on all of them. It returns when all are done.
func parallel(n int, f func(lo, hi int)) {
	const smallest = 256 // below this, starting a goroutine costs more than it saves
	const perProcessor = 4
	size := max(smallest, n/(runtime.GOMAXPROCS(0)*perProcessor)+1)
	var group sync.WaitGroup
	for lo := 0; lo < n; lo += size {
		group.Go(func() { f(lo, min(lo+size, n)) })
	}
	group.Wait()
}

// each runs f for 0..n-1, few and large tasks, on all processors.
func each(n int, f func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { f(i) })
	}
	group.Wait()
}
