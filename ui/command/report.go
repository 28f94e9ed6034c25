package command

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/recovered"
	"retrace/report"
	"retrace/storage"
)

type reportCommand struct {
	Output   string   `short:"o" required:"" placeholder:"REPORT.html" help:"Page to write."`
	Network  string   `placeholder:"NAME|FILE" help:"Network whose recoveries are reported. Default: the only one of the workspace that has any."`
	Recovery string   `placeholder:"FILE" help:"Report what this file holds, as retrace recover wrote it (.gpkg or .geojson), instead of the workspace; with --network."`
	Input    []string `sep:"none" placeholder:"FILE" help:"With --recovery: the trajectories that it was recovered from, to be shown beside."`
	Trip     []string `sep:"none" placeholder:"ID" help:"Report this trip alone; may be given several times."`
	Pictures int      `default:"10" placeholder:"10" help:"How many trips get maps, those most in doubt; 0: none."`
	Title    string   `placeholder:"TEXT" help:"Heads the page."`
}

func (reportCommand) Help() string {
	return "One page that needs nothing else and can be printed. Of one trip: maps of all of it, of its elevated places and of those in doubt, speed and probability over time, " +
		"tables of spans and lengths. Of many: sums, how often each road was driven, the places in doubt, a table of all trips, and those most in doubt with maps.\n\n" +
		"Examples:\n  retrace report -o report.html\n  retrace report -o one.html --trip 4711\n  retrace report -o report.html --recovery recovered.gpkg --input trips.csv --network porto.osm.pbf"
}

func (c *reportCommand) Run(s *session) error {
	if ext := strings.ToLower(filepath.Ext(c.Output)); ext != ".html" && ext != ".htm" {
		return usage("%s: a report is written as .html", c.Output)
	}
	if c.Recovery != "" {
		return c.ofFile(s)
	}
	if len(c.Input) > 0 {
		return usage("--input goes with --recovery: the workspace has its own trajectories")
	}
	k, err := s.kept(c.Network)
	if err != nil {
		return err
	}
	defer k.Close()
	out, err := c.create(s, k.net, k.basemap)
	if err != nil {
		return err
	}
	defer out.Abort()
	written := 0
	_, stale, err := k.each(func(r *trajectory.Recovery) error {
		if !c.wanted(r.Trajectory) {
			return nil
		}
		t, err := k.Trajectory(r.Trajectory)
		if _, gone := errors.AsType[*storage.NotFoundError](err); gone || isDamage(err) {
			t, err = nil, nil
		}
		if err != nil {
			return err
		}
		written++
		return out.Write(report.Trip{Trajectory: t, Recovery: r})
	})
	if err != nil {
		return err
	}
	if err := c.close(s, out, written); err != nil {
		return err
	}
	return k.finish(c.Output, written, stale)
}

// wanted reports whether a trip belongs into the report.
func (c *reportCommand) wanted(id string) bool {
	return len(c.Trip) == 0 || slices.Contains(c.Trip, id)
}

func (c *reportCommand) create(s *session, net *roadnet.Network, bm *basemap.Map) (*report.Writer, error) {
	opt := report.Options{Title: c.Title, Version: s.version, Basemap: bm, Pictures: c.Pictures, Progress: s.drawing}
	if c.Pictures <= 0 {
		opt.Pictures = -1
	}
	return report.Create(c.Output, net, opt)
}

// drawing shows how many trips of a report are drawn.
func (s *session) drawing(done, all int) {
	s.progress.show("drawing trips", count(done)+" of "+count(all))
}

func (c *reportCommand) close(s *session, out *report.Writer, written int) error {
	if written == 0 {
		return usage("no recovery is of a trip called %s", strings.Join(c.Trip, ", "))
	}
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	err := out.Close()
	s.progress.clear()
	return err
}

// ofFile reports what a file holds.
func (c *reportCommand) ofFile(s *session) error {
	if c.Network == "" {
		return usage("--recovery needs --network: what it was recovered on")
	}
	net, bm, err := s.network(c.Network)
	if err != nil {
		return err
	}
	s.progress.show("reading recoveries", "")
	all, err := recovered.Read(s.ctx, c.Recovery, net)
	if err != nil {
		return err
	}
	input := map[string]*trajectory.Trajectory{}
	for t, err := range read.Files(s.ctx, c.Input, s.stdin, read.Options{}) {
		if err != nil {
			return err
		}
		input[t.ID] = t
	}
	out, err := c.create(s, net, bm)
	if err != nil {
		return err
	}
	defer out.Abort()
	written := 0
	for _, r := range all {
		if !c.wanted(r.Trajectory) {
			continue
		}
		written++
		if err := out.Write(report.Trip{Trajectory: input[r.Trajectory], Recovery: r}); err != nil {
			return err
		}
	}
	if err := c.close(s, out, written); err != nil || !s.globals.JSON {
		return err
	}
	return s.printJSON(map[string]any{"file": c.Output, "recoveries": written})
}
