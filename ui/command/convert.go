package command

import (
	"errors"
	"fmt"

	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
)

type convertCommand struct {
	Files  []string `arg:"" name:"file" help:"Trajectory files, folders and archives; - is standard input."`
	Output string   `short:"o" required:"" placeholder:"OUT" help:"File to write; its extension says the format."`
	readFlags
}

func (convertCommand) Help() string {
	return "Reads trajectories as they were reported, tidies and cuts them as the flags say, and writes them; nothing is recovered. " +
		"Written are " + write.Extensions() + " (a shapefile in an archive).\n\n" +
		"Examples:\n  retrace convert geolife/ -o geolife.parquet\n  retrace convert day.nmea.gz -o day.gpx --max-speed 200 --problems left-out.csv"
}

func (c *convertCommand) Run(s *session) error {
	if !write.Known(c.Output) {
		return usage("%s: the extension says no format that can be written (%s)", c.Output, write.Extensions())
	}
	opt, err := c.options()
	if err != nil {
		return err
	}
	problems, err := c.problems(s)
	if err != nil {
		return err
	}
	defer problems.table.abort()
	opt.Problem = problems.add
	out, err := write.CreateSamples(c.Output, write.About{Version: s.version})
	if err != nil {
		return err
	}
	defer out.Abort()
	trips, points, failed := 0, 0, 0
	for t, err := range read.Files(s.ctx, c.Files, s.stdin, opt) {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err != nil {
			failed++
			s.complain(err)
			continue
		}
		if err := out.Write(t); err != nil {
			return err
		}
		trips, points = trips+1, points+len(t.Samples)
		s.progress.show("converting", plural(trips, "trajectory", "trajectories"))
	}
	s.progress.clear()
	return c.finish(s, out, problems, conversion{File: c.Output, Trajectories: trips, Points: points, Failed: failed, Problems: problems.reasons})
}

// conversion is what a conversion came to, as it is printed with --json.
type conversion struct {
	File         string         `json:"file"`
	Trajectories int            `json:"trajectories"`
	Points       int            `json:"points"`
	Failed       int            `json:"files_failed"`
	Problems     map[string]int `json:"problems,omitempty"`
}

func (c *convertCommand) finish(s *session, out *write.SampleWriter, problems *problemCounter, sum conversion) error {
	problems.report()
	if sum.Trajectories == 0 {
		if opt, err := c.options(); err == nil {
			s.suggest(c.Files, opt, s.placesOf())
		}
		return &exitError{NothingRead, errors.Join(problems.close(), fmt.Errorf("nothing could be read, nothing is written"))}
	}
	if err := errors.Join(out.Close(), problems.close()); err != nil {
		return err
	}
	s.noteText(out.Note())
	if s.globals.JSON {
		if err := s.printJSON(sum); err != nil {
			return err
		}
	} else if !s.globals.Quiet {
		s.note("%s with %s in %s", plural(sum.Trajectories, "trajectory", "trajectories"), plural(sum.Points, "point", "points"), sum.File)
	}
	if sum.Failed > 0 {
		return errSome
	}
	return nil
}
