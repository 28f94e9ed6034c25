//go:build !unix

package ort

import "time"

// processorTime is the time by the clock where nothing better is known.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
