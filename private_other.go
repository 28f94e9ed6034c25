//go:build !unix

package main

// private has nothing to do: who may read a file is what the folder says where it
// lies, and the user's own folders are the user's alone.
func private() {}
