// Retrace recovers dense, road-matched trajectories from sparse GPS points.
//
// Without a subcommand it opens the window; with one it needs no display.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // Windows and small systems have no zone database

	"retrace/ui/command"
)

// release is the version, which stands in the file VERSION alone.
//
//go:embed VERSION
var release string

// build names the commit of a build that is no release: -ldflags "-X main.build=1a2b3c4".
var build string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	errors, showErrors := errorOutput()
	p := command.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: errors, Version: versionText(), OpenWindow: openWindow, WindowProgram: windowProgram(), Display: display, Private: private}
	models, err := newModels()
	if err != nil {
		fmt.Fprintln(errors, "retrace: no model can be recovered by:", err)
	} else {
		p.Models = models
	}
	status := p.Run(ctx, os.Args[1:])
	stop()
	if status != command.OK {
		showErrors()
	}
	os.Exit(status)
}

// versionText is the version, with the commit where this is no release.
func versionText() string {
	version := strings.TrimSpace(release)
	if build != "" {
		version += "+" + build
	}
	return version
}
