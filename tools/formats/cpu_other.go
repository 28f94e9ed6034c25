//go:build !unix

package main

import "time"

// spent is the time of day, where the system does not tell the time of
// processors.
func spent() time.Duration { return time.Duration(time.Now().UnixNano()) }
