package work

import (
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/task"
)

// Previewer shows how the files of a drop would be read, lets the user change
// the choices in it, and calls answer: whether they are to be read.
type Previewer func(in *Intake, answer func(read bool))

// Take opens files, folders and zip files, as if they were dropped: extracts
// are imported, then trajectories are read, tables once the user has seen how.
func (d *Desk) Take(paths []string) {
	if len(paths) == 0 {
		return
	}
	before := d.recall()
	var found *sorted
	var in *Intake
	d.tasks.Start(lang.L("Looking at the files"), func(ctx context.Context, _ func(task.Progress)) error {
		var err error
		if found, err = sortOut(ctx, paths); err != nil {
			return err
		}
		if in, err = groupUp(ctx, found, before); err != nil {
			found.clean()
		}
		return err
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("The files cannot be opened."), err)
			return
		}
		d.takeSorted(found, in)
	})
}

// takeSorted imports what is to be imported, while the user looks at how the
// tables would be read, and reads when both is done.
func (d *Desk) takeSorted(s *sorted, in *Intake) {
	d.noteLeftOut(s)
	wanted, waiting := len(in.Groups) > 0, 1
	ready := func() {
		if waiting--; waiting > 0 {
			return
		}
		if wanted {
			d.readTrips(in, s.clean)
			return
		}
		s.clean()
	}
	if in.tabular() && d.Preview != nil {
		waiting++
		d.Preview(in, func(read bool) {
			if wanted = read; wanted {
				d.keepChoices(in)
			}
			ready()
		})
	}
	if len(s.extracts) > 0 {
		waiting++
		d.importExtracts(s.extracts, ready)
	}
	ready()
}

// noteLeftOut says which files were not taken, and why.
func (d *Desk) noteLeftOut(s *sorted) {
	var problems []state.Problem
	for _, p := range s.unknown {
		problems = append(problems, state.Problem{Source: "reading", File: s.name(p), Count: 1,
			What: lang.L("neither an OpenStreetMap extract nor a trajectory file that is known")})
	}
	for _, err := range s.unread {
		problems = append(problems, state.Problem{Source: "reading", What: err.Error(), Count: 1})
	}
	if len(problems) > 0 {
		d.state.AddProblems(problems)
	}
	taken := len(s.extracts) + len(s.trajectories)
	switch {
	case taken == 0 && len(problems) == 0:
		d.state.Notify(state.Warn, lang.L("There was nothing in it to open."), "")
	case taken == 0:
		d.state.Notify(state.Fault, lang.L("None of these files can be opened. Retrace reads extracts (.osm.pbf, .osm, .osm.gz, .osm.bz2) and trajectories (CSV, GPX, GeoJSON, KML, NMEA, FIT, TCX, GeoPackage, Shapefile, Parquet, Arrow)."),
			problems[0].File+" "+problems[0].What)
	case len(problems) > 0:
		d.state.Notify(state.Warn, lang.N("{{.N}} files were left out. The table PROBLEMS names them.", len(problems), map[string]any{"N": len(problems)}), "")
	}
}

// networkName is the name of the network that an import of these files makes.
func networkName(paths []string) string {
	name := filepath.Base(paths[0])
	for _, ending := range []string{".gz", ".bz2", ".pbf", ".osm", ".xml"} {
		name = strings.TrimSuffix(name, ending)
	}
	name = strings.TrimSpace(name)
	if name == "" {
		return "network"
	}
	return name
}
