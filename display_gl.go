//go:build !ci && ((!gles && !arm && !arm64) || darwin)

package main

// What fyne asks for with these tags: OpenGL 2.1.
const (
	glES    = false
	glMinor = 1
)
