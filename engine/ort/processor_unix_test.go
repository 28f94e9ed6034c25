//go:build unix

package ort

import (
	"syscall"
	"time"
)

// processorTime is how much of the cores' time this program has used: other
// programs do not count.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
