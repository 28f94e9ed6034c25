//go:build !ci && (gles || arm || arm64) && !darwin

package main

// What fyne asks for with these tags: OpenGL ES 2.0.
const (
	glES    = true
	glMinor = 0
)
