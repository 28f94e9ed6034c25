// Package command is Retrace's command line: the subcommands, their output and
// their exit statuses. It needs no display.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"retrace/engine"
	"retrace/internal/scratch"
)

// The exit statuses.
const (
	OK          = 0 // all went well
	SomeFailed  = 1 // some inputs failed, the rest is written
	WrongUsage  = 2
	NothingRead = 3 // nothing could be read
	Stopped     = 4 // by the user
	Damaged     = 5 // the workspace is not whole; what is whole of it was used
)

// Program is what the command line runs in.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Version        string
	// OpenWindow opens the window and returns when it is closed.
	OpenWindow func(context.Context, Window) error
	// WindowProgram is the path of the program that opens windows, this one or one
	// beside it; empty: there is none.
	WindowProgram string
	// Display says what windows are drawn by, or why none can be opened; nil: this
	// program opens none.
	Display func() (string, error)
	// Private has the system keep what the program writes from everyone but its
	// user; nil: it need not.
	Private func()
	// Models are what can be recovered by besides map matching; nil: none.
	Models engine.Models
}

// Window is what the window opens with.
type Window struct {
	Workspace string        // path of the workspace file; empty: the window decides
	Shared    bool          // others than its owner may read it
	Files     []string      // opened as if they were dropped
	Models    engine.Models // nil: none
}

// exitError is an error with an exit status of its own.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage is an error of the one who typed the command.
func usage(format string, args ...any) error {
	return &exitError{WrongUsage, fmt.Errorf(format, args...)}
}

// errSome says that some inputs failed; each was named when it did.
var errSome = &exitError{status: SomeFailed, err: errors.New("some inputs failed")}

// errDamaged says that a workspace is not whole; what is lost was told.
var errDamaged = &exitError{status: Damaged, err: errors.New("the workspace is damaged")}

// helpShown ends parsing after help or version were printed.
type helpShown int

// Run runs the command that args name (without the program's name) and returns
// its exit status. When ctx ends, Run leaves nothing half-written and returns
// Stopped.
func (p Program) Run(ctx context.Context, args []string) (status int) {
	defer func() {
		switch ended := recover().(type) {
		case nil:
		case helpShown:
			status = int(ended)
		default:
			panic(ended) // a fault must not pass for success
		}
	}()
	var c cli
	parser, err := newParser(&c, p)
	if err != nil {
		fmt.Fprintln(p.Stderr, "retrace:", err)
		return WrongUsage
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(p.Stderr, "retrace: %v\nSee %s --help.\n", err, helpFor(err))
		return WrongUsage
	}
	if p.Private != nil && !c.Shared {
		p.Private()
	}
	scratch.Clear()
	s := newSession(ctx, p, c.Globals, parser.Model)
	err = parsed.Run(s)
	s.progress.clear()
	return s.status(err)
}

// newParser makes the parser of the command line.
func newParser(c *cli, p Program) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("retrace"),
		kong.Description(description),
		kong.Writers(p.Stdout, p.Stderr),
		kong.WithHyphenPrefixedParameters(true), // west and south are negative
		kong.Exit(func(code int) { panic(helpShown(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{"version": "retrace " + p.Version},
	)
}

// helpFor is the command whose help goes with a parse error.
func helpFor(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		if node := parse.Context.Selected(); node != nil && !node.Hidden {
			return node.FullPath()
		}
	}
	return "retrace"
}

// status prints an error and gives the exit status for it.
func (s *session) status(err error) int {
	var exit *exitError
	damaged := s.metDamage(err)
	switch {
	case err == nil && !damaged:
		return OK
	case err != nil && s.ctx.Err() != nil:
		fmt.Fprintln(s.stderr, "retrace: stopped; nothing half-written is left")
		return Stopped
	}
	status := NothingRead
	if errors.As(err, &exit) {
		status = exit.status
	}
	if err != nil && exit != errSome && exit != errDamaged {
		s.complain(err)
	}
	if damaged {
		return Damaged
	}
	return status
}

// complain prints an error, and what to do about it where that is known.
func (s *session) complain(err error) {
	text := strings.TrimSuffix(err.Error(), ".")
	if a := advice(err); a != "" {
		text += ": " + a
	}
	fmt.Fprintln(s.stderr, "retrace:", text)
}
