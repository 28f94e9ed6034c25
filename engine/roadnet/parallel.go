package roadnet

import (
	"runtime"
	"sync"
)

// parallel splits 0..n-1 into ranges, some for each processor, and runs f on
// all of them. It returns when all are done.
func parallel(n int, f func(lo, hi int)) {
	const smallest = 1024 // below this, starting a goroutine costs more than it saves
	parallelBy(smallest, n, f)
}

// parallelBy is parallel with ranges of at least so many.
func parallelBy(smallest, n int, f func(lo, hi int)) {
	const perProcessor = 8
	size := max(smallest, n/(runtime.GOMAXPROCS(0)*perProcessor)+1)
	var group sync.WaitGroup
	for lo := 0; lo < n; lo += size {
		group.Go(func() { f(lo, min(lo+size, n)) })
	}
	group.Wait()
}
