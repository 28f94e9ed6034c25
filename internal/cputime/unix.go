//go:build unix

// Package cputime tells how much of the processors' time this program has used.
package cputime

import (
	"syscall"
	"time"
)

// Used is the time of processors that this program has used so far: other
// programs do not count. It is 0 where the system does not tell.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
