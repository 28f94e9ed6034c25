// Retrace recovers dense, road-matched trajectories from sparse GPS points.
//
// Without a subcommand it opens the window; with one it needs no display.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"retrace/ui/command"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	p := command.Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: versionText(), OpenWindow: openWindow, Private: private}
	models, err := newModels()
	if err != nil {
		fmt.Fprintln(os.Stderr, "retrace: no model can be recovered by:", err)
	} else {
		p.Models = models
	}
	status := p.Run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// versionText is the version that was set, or what the build knows of itself.
func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development version"
}
