package command

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
	"retrace/storage"
)

type exportCommand struct {
	Output  string `short:"o" required:"" placeholder:"OUT" help:"File to write; - is standard output, as CSV."`
	Format  string `placeholder:"csv|geojson|gpx|gpkg|kml|mfjson|parquet|zip" enum:",csv,geojson,gpx,gpkg,kml,mfjson,parquet,zip" default:"" help:"Format. Default: by the extension of OUT."`
	Layer   string `placeholder:"points|path|spans|links" enum:"points,path,spans,links" default:"points" help:"What a CSV or Parquet file holds. Default: points."`
	Network string `placeholder:"NAME" help:"Network whose recoveries are written. Default: the only one that has any."`
}

func (exportCommand) Help() string {
	return "Writes the recoveries that the workspace holds.\n\n" +
		"Examples:\n  retrace export -o recovered.gpkg\n  retrace export --layer links -o links.csv\n  retrace export --format csv -o - | head"
}

func (c *exportCommand) Run(s *session) error {
	w, err := s.workspace(true)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no workspace yet, so there is nothing to export")
	}
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Network == "" {
		if c.Network, err = onlyNetwork(s, w); err != nil {
			return err
		}
	}
	net, _, err := w.LoadNetwork(s.ctx, c.Network)
	if _, ok := errors.AsType[*storage.NotFoundError](err); ok {
		return s.unknownNetwork(w, c.Network)
	}
	if err != nil {
		return err
	}
	out, err := c.output(s, w, net)
	if err != nil {
		return err
	}
	defer out.Abort()
	return c.write(s, w, net, out)
}

// onlyNetwork is the network that all recoveries were made on.
func onlyNetwork(s *session, w *storage.Workspace) (string, error) {
	var names []string
	seen := map[string]bool{}
	for r, err := range w.RecoverySummaries(s.ctx) {
		if err != nil {
			return "", err
		}
		if !seen[r.Network] {
			seen[r.Network] = true
			names = append(names, r.Network)
		}
	}
	switch len(names) {
	case 0:
		return "", fmt.Errorf("the workspace %s holds no recoveries, so there is nothing to export", w.Path())
	case 1:
		return names[0], nil
	}
	return "", usage("the workspace holds recoveries on %s: choose with --network", strings.Join(names, ", "))
}

// output opens the file to be written.
func (c *exportCommand) output(s *session, w *storage.Workspace, net *roadnet.Network) (write.Writer, error) {
	ext := filepath.Ext(c.Output)
	if c.Format != "" {
		ext = "." + c.Format
	}
	switch {
	case c.Output == "-" && ext != ".csv" && c.Format != "":
		return nil, usage("only CSV goes to standard output")
	case c.Output == "-" && s.globals.JSON:
		return nil, usage("--json and - both want standard output")
	case c.Output == "-":
		return write.StreamCSV(s.stdout, write.Layer(c.Layer), net), nil
	case !write.Known(ext):
		return nil, usage("%s: the extension says no format that can be written; give one with --format", c.Output)
	}
	about, err := aboutOf(s, w, net)
	if err != nil {
		return nil, err
	}
	return write.CreateAs(c.Output, ext, write.Layer(c.Layer), net, about)
}

// aboutOf says how the recoveries on a network were made, if all in one way.
func aboutOf(s *session, w *storage.Workspace, net *roadnet.Network) (write.About, error) {
	about := write.About{Network: net.Info(), Version: s.version}
	first := true
	for r, err := range w.Recoveries(s.ctx) {
		if err != nil {
			return about, err
		}
		if r.Provenance.Fingerprint != net.Info().Fingerprint {
			continue
		}
		if first {
			about.Method, about.Model, about.Settings = r.Provenance.Method, r.Provenance.Model, r.Provenance.Settings
		}
		if about.Method != r.Provenance.Method || about.Settings != r.Provenance.Settings {
			about.Method, about.Model, about.Settings = "several", "", ""
		}
		about.Alternatives = about.Alternatives || len(r.Alternatives) > 0
		first = false
	}
	return about, nil
}

// write writes every recovery that was made on the network as it is now.
func (c *exportCommand) write(s *session, w *storage.Workspace, net *roadnet.Network, out write.Writer) error {
	done, stale := 0, 0
	for r, err := range w.Recoveries(s.ctx) {
		if err != nil {
			return err
		}
		switch {
		case r.Provenance.Fingerprint == net.Info().Fingerprint:
			if err := out.Write(r); err != nil {
				return err
			}
			done++
			s.progress.show("writing", count(done))
		case r.Provenance.Network == c.Network:
			stale++
			s.note("retrace: trajectory %s was recovered on an earlier state of the network %s: recover it again", r.Trajectory, c.Network)
		}
	}
	s.progress.clear()
	if done == 0 {
		return fmt.Errorf("the workspace %s holds no recoveries on the network %s as it is now", w.Path(), c.Network)
	}
	if err := out.Close(); err != nil {
		return err
	}
	if s.globals.JSON {
		if err := s.printJSON(map[string]any{"file": c.Output, "recoveries": done, "stale": stale}); err != nil {
			return err
		}
	}
	if stale > 0 {
		return errSome
	}
	return nil
}
