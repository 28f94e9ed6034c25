//go:build !linux

package ui

import "time"

// threadTime is the time by the clock, where nothing better is known.
func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
