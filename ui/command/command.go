// Package command is Retrace's command line: the subcommands, their output and
// their exit statuses. It needs no display.
package command

import (
	"context"
	"io"
)

// The exit statuses.
const (
	OK          = 0 // all went well
	SomeFailed  = 1 // some inputs failed, the rest is written
	WrongUsage  = 2
	NothingRead = 3 // nothing could be read
	Stopped     = 4 // by the user
)

// Program is what the command line runs in.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Version        string
	// OpenWindow opens the window on a workspace file (empty: the default one)
	// and files, as if they were dropped, and returns when it is closed.
	OpenWindow func(ctx context.Context, workspace string, files []string) error
}

// Run runs the command that args name (without the program's name) and returns
// its exit status. When ctx ends, Run leaves nothing half-written and returns
// Stopped.
func (p Program) Run(ctx context.Context, args []string) int { return WrongUsage }
