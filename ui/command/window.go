package command

import "os"

type openCommand struct {
	Files []string `arg:"" optional:"" help:"Files that open as if they were dropped on the window."`
}

func (c *openCommand) Run(s *session) error {
	for _, path := range c.Files {
		if _, err := os.Stat(path); err != nil {
			return usage("%s is neither a command nor a file that is there; see retrace --help", path)
		}
	}
	return s.openWindow(s.ctx, Window{Workspace: s.globals.Workspace, Shared: s.globals.Shared, Files: c.Files, Models: s.models})
}
