package work

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/simulate/city"
	"retrace/osmimport"
	"retrace/ui/state"
	"retrace/ui/task"
)

// OpenSample shows the generated city with trips whose truth is known, and
// recovers them. The sample is not kept: it is made anew each time.
func (d *Desk) OpenSample() {
	if d.sample || d.opening > 0 {
		return
	}
	d.opening++
	var result *osmimport.Result
	var trips []*state.Trip
	d.tasks.Start(lang.L("Building the sample"), func(ctx context.Context, report func(task.Progress)) error {
		var err error
		if result, err = importSample(ctx); err != nil {
			return err
		}
		trips, err = simulateTrips(ctx, result.Network)
		return err
	}, func(err error) {
		d.opening--
		if err != nil {
			d.fail(lang.L("The sample cannot be opened."), err)
			return
		}
		d.showSample(result, trips)
	})
}

func (d *Desk) showSample(r *osmimport.Result, trips []*state.Trip) {
	d.state.Change(func() {
		d.clear()
		d.sample = true
		d.state.SetNetwork(r.Network, r.Basemap)
		d.state.AddTrips(trips)
	})
	d.shown()
	d.Recover(trips)
}

// clear takes away all that is shown; what the workspace holds stays there.
func (d *Desk) clear() {
	ids := make([]string, 0, len(d.state.Trips()))
	for _, t := range d.state.Trips() {
		ids = append(ids, t.ID())
	}
	d.state.RemoveTrips(ids)
	d.state.SetNetwork(nil, nil)
	d.state.ClearHistory()
	d.state.ClearProblems()
}

// importSample makes the network of the generated city, the way every network
// is made: from an extract.
func importSample(ctx context.Context) (*osmimport.Result, error) {
	dir, err := os.MkdirTemp("", "retrace-sample-*")
	if err != nil {
		return nil, fmt.Errorf("make the sample: %w", err)
	}
	defer os.RemoveAll(dir)
	town := city.Generate(city.DefaultSeed)
	path := filepath.Join(dir, "sample.osm")
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("make the sample: %w", err)
	}
	err = osmimport.WriteXML(f, objectsOf(town))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("make the sample: %w", err)
	}
	return osmimport.Import(ctx, []string{path}, osmimport.Options{Name: town.Name})
}

func objectsOf(c *city.City) osmimport.Objects {
	var o osmimport.Objects
	for _, n := range c.Nodes {
		o.Nodes = append(o.Nodes, osmimport.Node{ID: n.ID, Coord: roadnet.Coord{Lon: n.Lon, Lat: n.Lat}, Tags: tagsOf(n.Tags)})
	}
	for _, w := range c.Ways {
		o.Ways = append(o.Ways, osmimport.Way{ID: w.ID, Nodes: w.Nodes, Tags: tagsOf(w.Tags)})
	}
	for _, r := range c.Relations {
		members := make([]osmimport.Member, len(r.Members))
		for i, m := range r.Members {
			members[i] = osmimport.Member{Type: m.Kind.String(), Ref: m.Ref, Role: m.Role}
		}
		o.Relations = append(o.Relations, osmimport.Relation{ID: r.ID, Members: members, Tags: tagsOf(r.Tags)})
	}
	return o
}

func tagsOf(tags city.Tags) []osmimport.Tag {
	out := make([]osmimport.Tag, len(tags))
	for i, t := range tags {
		out[i] = osmimport.Tag(t)
	}
	return out
}
