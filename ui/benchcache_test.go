package ui

import (
	_ "unsafe" // for the link below
)

// cleanCaches lets go of the widgets, texts and icons that fyne has not drawn for
// a minute. Its driver with a window does so after each frame; the one of tests
// never does, and so holds all that was ever shown.
//
//go:linkname cleanCaches fyne.io/fyne/v2/internal/cache.Clean
func cleanCaches(canvasRefreshed bool)
