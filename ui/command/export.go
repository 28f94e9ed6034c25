package command

import (
	"path/filepath"

	"retrace/engine/trajectory/write"
)

type exportCommand struct {
	Output  string `short:"o" required:"" placeholder:"OUT" help:"File to write; - is standard output, as CSV."`
	Format  string `placeholder:"csv|geojson|gpx|gpkg|kml|mfjson|parquet|zip" enum:",csv,geojson,gpx,gpkg,kml,mfjson,parquet,zip" default:"" help:"Format. Default: by the extension of OUT."`
	Layer   string `placeholder:"points|path|spans|links" enum:"points,path,spans,links" default:"points" help:"What a CSV or Parquet file holds. Default: points."`
	Network string `placeholder:"NAME" help:"Network whose recoveries are written. Default: the only one that has any."`
	Join    bool   `help:"Write the pieces of a trip that was cut under its own id, as parts of it."`
	aboutFlag
}

func (exportCommand) Help() string {
	return "Writes the recoveries that the workspace holds.\n\n" +
		"Examples:\n  retrace export -o recovered.gpkg\n  retrace export --layer links -o links.csv\n  retrace export --format csv -o - | head"
}

func (c *exportCommand) Run(s *session) error {
	if err := c.check(s); err != nil {
		return err
	}
	k, err := s.kept(c.Network)
	if err != nil {
		return err
	}
	defer k.Close()
	out, err := c.output(k)
	if err != nil {
		return err
	}
	defer out.Abort()
	if c.Join {
		out = write.Joined(out)
	}
	done, stale, err := k.each(out.Write)
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	s.noteText(write.Note(out))
	return k.finish(c.Output, done, stale)
}

// extension says the format.
func (c *exportCommand) extension() string {
	if c.Format != "" {
		return "." + c.Format
	}
	return filepath.Ext(c.Output)
}

// check refuses outputs that cannot be before anything is opened.
func (c *exportCommand) check(s *session) error {
	switch {
	case c.Output == "-" && c.Format != "" && c.Format != "csv":
		return usage("only CSV goes to standard output")
	case c.Output == "-" && s.globals.JSON:
		return usage("--json and - both want standard output")
	case c.Output != "-" && !write.Known(c.extension()):
		return usage("%s: the extension says no format that can be written; give one with --format", c.Output)
	}
	return nil
}

// output opens the file to be written.
func (c *exportCommand) output(k *kept) (write.Writer, error) {
	about, err := k.about()
	if err != nil {
		return nil, err
	}
	if c.Output == "-" {
		return k.session.stream(write.Layer(c.Layer), k.net, about, c.About)
	}
	return write.CreateAs(c.Output, c.extension(), write.Layer(c.Layer), k.net, about)
}

// about says how the recoveries on the network were made.
func (k *kept) about() (write.About, error) {
	about := write.About{Network: k.net.Info(), Version: k.session.version}
	for r, err := range k.Recoveries(k.session.ctx) {
		if isDamage(err) {
			continue // told in the end
		}
		if err != nil {
			return about, err
		}
		if r.Provenance.Fingerprint == about.Network.Fingerprint {
			about.Add(r)
		}
	}
	return about, nil
}
