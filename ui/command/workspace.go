package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"retrace/storage"
)

type workspaceCommand struct {
	Verify  workspaceVerify  `cmd:"" help:"Check that a workspace is whole."`
	Salvage workspaceSalvage `cmd:"" help:"Save what is whole of a damaged workspace to a new file."`
}

type workspaceVerify struct {
	File string `arg:"" optional:"" help:"Workspace file. Default: the one of --workspace."`
}

func (workspaceVerify) Help() string {
	return "Reads all that the workspace holds and changes nothing. What is not whole is listed, and the exit status is then 5.\n\n" +
		"Examples:\n  retrace workspace verify\n  retrace workspace verify old.retrace"
}

func (c *workspaceVerify) Run(s *session) error {
	w, err := s.workspaceFile(c.File)
	if err != nil {
		return err
	}
	defer w.Close()
	content, err := s.verify(w)
	if err != nil {
		return err
	}
	if err := s.printContent(w.Path(), content, w.Damage()); err != nil {
		return err
	}
	if len(w.Damage())+len(content.Spare) > 0 {
		return errDamaged
	}
	return nil
}

// workspaceFile opens a workspace for reading; empty: the one of --workspace.
func (s *session) workspaceFile(path string) (*storage.Workspace, error) {
	if path == "" {
		var err error
		if path, err = s.workspacePath(); err != nil {
			return nil, err
		}
	}
	w, err := storage.Open(path, storage.Options{ReadOnly: true, Shared: s.globals.Shared, Program: "retrace " + s.version})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no workspace %s", path)
	}
	return w, err
}

func (s *session) verify(w *storage.Workspace) (storage.Content, error) {
	defer s.progress.clear()
	return w.Verify(s.ctx, func(done int) { s.progress.show("checking", count(done)+" records") })
}

// damageLine is a thing that is lost as it is printed with --json.
type damageLine struct {
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"`
	Reason string `json:"reason"`
}

func damageLines(all []storage.Damage) []damageLine {
	lines := []damageLine{}
	for _, d := range all {
		lines = append(lines, damageLine{string(d.Kind), d.Name, d.Reason})
	}
	return lines
}

// printContent prints what a workspace holds and what of it is lost.
func (s *session) printContent(path string, content storage.Content, lost []storage.Damage) error {
	if s.globals.JSON {
		return s.printJSON(struct {
			File         string       `json:"file"`
			Whole        bool         `json:"whole"`
			Networks     int          `json:"networks"`
			Trajectories int          `json:"trajectories"`
			Recoveries   int          `json:"recoveries"`
			Damage       []damageLine `json:"damage"`
			Spare        []damageLine `json:"spare"`
		}{path, len(lost)+len(content.Spare) == 0, content.Networks, content.Trajectories, content.Recoveries, damageLines(lost), damageLines(content.Spare)})
	}
	for _, d := range lost {
		fmt.Fprintf(s.stdout, "not whole: %s\n", d)
	}
	for _, d := range content.Spare {
		fmt.Fprintf(s.stdout, "not whole, but nothing is lost with it: %s\n", d)
	}
	holds := fmt.Sprintf("%s, %s, %s", plural(content.Networks, "network", "networks"),
		plural(content.Trajectories, "trajectory", "trajectories"), plural(content.Recoveries, "recovery", "recoveries"))
	var err error
	switch {
	case len(lost) > 0:
		_, err = fmt.Fprintf(s.stdout, "%s is damaged. Whole: %s. retrace workspace salvage %s -o NEW saves them.\n", path, holds, path)
	case len(content.Spare) > 0:
		_, err = fmt.Fprintf(s.stdout, "%s is damaged, but all that it holds is whole: %s.\n", path, holds)
	default:
		_, err = fmt.Fprintf(s.stdout, "%s is whole: %s.\n", path, holds)
	}
	return err
}

type workspaceSalvage struct {
	File   string `arg:"" optional:"" help:"Workspace file. Default: the one of --workspace."`
	Output string `short:"o" required:"" placeholder:"NEW" help:"Workspace file to write; it must not be there yet."`
}

func (workspaceSalvage) Help() string {
	return "Writes all that is whole to a new workspace, checks that, and lists what is lost. The damaged file is not changed. " +
		"Where something is lost the exit status is 5.\n\n" +
		"Examples:\n  retrace workspace salvage ~/.local/share/retrace/workspace.retrace -o saved.retrace\n  retrace networks --workspace saved.retrace"
}

func (c *workspaceSalvage) Run(s *session) error {
	if _, err := os.Stat(c.Output); err == nil {
		return usage("%s is there already; name a new file with -o", c.Output)
	}
	w, err := s.workspaceFile(c.File)
	if err != nil {
		return err
	}
	defer w.Close()
	s.progress.show("saving what is whole", "")
	damage, err := w.SalvageTo(s.ctx, c.Output)
	s.progress.clear()
	if err != nil {
		return err
	}
	saved, err := s.workspaceFile(c.Output)
	if err != nil {
		return err
	}
	defer saved.Close()
	content, err := s.verify(saved)
	if err != nil {
		return err
	}
	if err := s.printSaved(saved.Path(), content, damage); err != nil {
		return err
	}
	if len(damage) > 0 {
		return errDamaged
	}
	return nil
}

// printSaved prints what was saved and what was not.
func (s *session) printSaved(path string, content storage.Content, lost []storage.Damage) error {
	if s.globals.JSON {
		return s.printContent(path, content, lost)
	}
	for _, d := range lost {
		fmt.Fprintf(s.stdout, "not whole: %s\n", d)
	}
	_, err := fmt.Fprintf(s.stdout, "Saved to %s: %s, %s, %s.\n", path, plural(content.Networks, "network", "networks"),
		plural(content.Trajectories, "trajectory", "trajectories"), plural(content.Recoveries, "recovery", "recoveries"))
	return err
}
