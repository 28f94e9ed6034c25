package storage

import (
	"fmt"
	"time"
)

// Holder is the program that holds a workspace.
type Holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Program string    `json:"program"`
	Since   time.Time `json:"since"`
	Writing bool      `json:"writing"` // false: it only reads
}

// LockedError says that another program holds the workspace.
type LockedError struct {
	Path   string
	Holder *Holder // nil: it left no word of itself
}

// Error names the file and its holder.
func (e *LockedError) Error() string {
	if e.Holder == nil {
		return fmt.Sprintf("workspace %s is held by another program", e.Path)
	}
	h := e.Holder
	return fmt.Sprintf("workspace %s is held by %s (process %d on %s, since %s)",
		e.Path, h.Program, h.PID, h.Host, h.Since.Local().Format("2006-01-02 15:04:05"))
}

// NewerError says that a later version of the program wrote the workspace.
type NewerError struct {
	Path          string
	Schema, Known int // version of the file, newest version known here
}

// Error names the file and both versions.
func (e *NewerError) Error() string {
	return fmt.Sprintf("workspace %s was written by a newer version of Retrace (layout %d, known here up to %d): update Retrace to open it",
		e.Path, e.Schema, e.Known)
}

// NotWorkspaceError says that a file is something else, or that nothing of it
// is left.
type NotWorkspaceError struct{ Path string }

// Error names the file.
func (e *NotWorkspaceError) Error() string {
	return fmt.Sprintf("%s is no Retrace workspace, or nothing of it is left; it was not changed", e.Path)
}

// NotFoundError says that the workspace holds no such thing.
type NotFoundError struct {
	Kind Kind
	Name string
}

// Error names the thing.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("the workspace holds no %s %q", e.Kind, e.Name)
}

// ExistsError says that a network of this name is there already.
type ExistsError struct{ Name string }

// Error names the network.
func (e *ExistsError) Error() string {
	return fmt.Sprintf("the workspace already holds a network %q", e.Name)
}

// ReadOnlyError says why a workspace takes no changes.
type ReadOnlyError struct {
	Path    string
	Damaged bool // true: because the file is not whole; false: opened so
}

// Error names the file and the reason.
func (e *ReadOnlyError) Error() string {
	if e.Damaged {
		return fmt.Sprintf("workspace %s is damaged and open for reading only: save what is whole to a new file", e.Path)
	}
	return fmt.Sprintf("workspace %s is open for reading only", e.Path)
}

// Kind is a kind of thing that a workspace holds.
type Kind string

// The kinds of things.
const (
	KindNetwork    Kind = "network"
	KindBasemap    Kind = "background of network"
	KindReport     Kind = "import report of network"
	KindTrajectory Kind = "trajectory"
	KindRecovery   Kind = "recovery"
	KindSetting    Kind = "setting"
	KindStep       Kind = "step of the history"
	KindRoads      Kind = "what a model says of roads"
	KindFile       Kind = "file" // the file's own structure: Name is empty
)

// Damage is one thing that is lost, or may be, from a broken file.
type Damage struct {
	Kind   Kind
	Name   string // of the network, trajectory, setting
	Reason string
}

// String is the damage in words.
func (d Damage) String() string {
	if d.Name == "" {
		return fmt.Sprintf("%s: %s", d.Kind, d.Reason)
	}
	return fmt.Sprintf("%s %q: %s", d.Kind, d.Name, d.Reason)
}

// DamagedError says that a thing is there but not whole.
type DamagedError struct {
	Path string
	Damage
}

// Error names the file, the thing and what is wrong with it.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("workspace %s is damaged: %s", e.Path, e.Damage)
}
