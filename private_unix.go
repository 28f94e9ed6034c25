//go:build unix

package main

import "syscall"

// private has the system keep what this program writes from everyone but its
// user, whoever writes it: outputs, temporary files and what libraries keep.
func private() { syscall.Umask(0o077) }
