// Package system is what the desktop offers beside its windows: its own dialogs of
// files, and whether it wants light or dark colours. On Linux both come from the desktop
// portal, which is asked over the session bus: a local socket of the user's session. No
// other is opened, and none where the bus is not on this computer.
package system

import (
	"errors"
	"fmt"
)

// Ask says what a dialog of files is to ask for.
type Ask struct {
	Title  string
	Folder bool   // a folder that is there
	Save   bool   // a file to write
	Name   string // that is proposed for it
	Many   bool   // several files may be chosen
}

// X11Window names a window of the X server as the portal does.
func X11Window(id uintptr) string { return fmt.Sprintf("x11:%x", id) }

// ErrNone is told where the system has no dialog of files.
var ErrNone = errors.New("the system has no dialog of files")

// Desktop is the desktop that the window stands on. Its zero value offers nothing.
type Desktop struct {
	dialogs bool // it has dialogs of files
	said    bool // it says whether it wants dark colours
}

// Dialogs reports whether the system has dialogs of files.
func (d Desktop) Dialogs() bool { return d.dialogs }

// SaysColours reports whether the system says if it wants light or dark colours.
func (d Desktop) SaysColours() bool { return d.said }

// Choose shows a dialog of the system and waits for its answer: the paths that were
// chosen, none where the user has left it. Parent names the window that it belongs to,
// as the system does; empty: none. An error means that there was no dialog.
func (d Desktop) Choose(parent string, a Ask) ([]string, error) {
	if !d.dialogs {
		return nil, ErrNone
	}
	return choose(parent, a)
}
