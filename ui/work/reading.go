package work

import (
	"context"
	"errors"
	"os"
	"slices"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// reading is one run of reading trajectory files.
type reading struct {
	desk     *Desk
	in       *Intake
	net      *roadnet.Network
	ids      *ids
	trips    *batch[*state.Trip]
	shown    []*state.Trip
	problems *batch[state.Problem]
	say      func(reason string) string // in the words of the window

	uncovered bool // all trips are shown again, for those that came
	found
}

// found counts what a reading came upon.
type found struct {
	left    int               // rows and points left out
	failed  int               // files that could not be read to their end
	same    int               // trips that were there already
	denser  map[string]string // ids of trips that are denser versions of others, and of which
	known   int               // files that were read already
	reasons map[string]int    // how often each thing was left out, mended or cut
}

// readTrips reads trajectory files and shows the trips as they come, which undo
// takes back. Then is called when all is read.
func (d *Desk) readTrips(in *Intake, then func()) {
	d.leaveSample()
	r := &reading{desk: d, in: in, net: d.state.Network(), ids: newIDs(d.state.Trips()), problems: newBatch(d.do, d.state.AddProblems), say: words.Refused()}
	r.reasons, r.denser = map[string]int{}, map[string]string{}
	step := d.state.DoLater(state.ReadStep, 0, "")
	r.trips = newBatch(d.do, func(trips []*state.Trip) {
		r.shown = append(r.shown, trips...)
		d.state.During(step, func() { d.state.AddTrips(trips) })
		r.uncover(trips)
	})
	d.runs[step] = d.tasks.Start(lang.L("Reading trips"), func(ctx context.Context, report func(task.Progress)) error {
		return r.run(ctx, report)
	}, func(err error) {
		delete(d.runs, step)
		d.state.Drop(step)
		d.fail(lang.L("Not all trips were read."), err)
		d.keeper.add(func() error { return r.keepKnown(context.Background()) }) // once the trips are kept
		r.summary()
		if d.OnTrips != nil && len(r.shown) > 0 {
			d.OnTrips(r.shown)
		}
		then()
	})
}

// uncover ends what shows some trips alone, where it would hide those that come.
func (r *reading) uncover(trips []*state.Trip) {
	m := r.desk.state
	hidden := func(t *state.Trip) bool { return !t.Hidden && !m.Visible(t) }
	if slices.ContainsFunc(trips, hidden) {
		m.Change(func() {
			m.SetSolo("")
			m.Widen()
		})
		r.uncovered = true
	}
}

// run reads the groups one after another; what was read before an error or a
// cancel stays.
func (r *reading) run(ctx context.Context, report func(task.Progress)) error {
	total, before := int64(0), int64(0)
	for _, g := range r.in.Groups {
		total += sizeOf(g.Paths)
	}
	var broken error
	for _, g := range r.in.Groups {
		broken = r.group(ctx, g, func(done int64) { report(task.Progress{Done: before + done, Total: total}) })
		if broken != nil || ctx.Err() != nil {
			break
		}
		before += sizeOf(g.Paths)
	}
	r.trips.flush()
	r.problems.flush()
	return errors.Join(broken, ctx.Err())
}

// group reads files that are written alike.
func (r *reading) group(ctx context.Context, g *Group, progress func(int64)) error {
	opt, err := g.Choice.options(r.in.Cleaning, r.net)
	if err != nil {
		return err
	}
	opt.Problem, opt.Progress, opt.Known = r.problem, progress, r.desk.known
	r.ids.begin()
	for t, err := range read.Files(ctx, g.Paths, nil, opt) {
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			r.failed++
			r.problems.add(state.Problem{Source: "reading", What: err.Error(), Count: 1})
			continue
		}
		r.take(t)
	}
	return nil
}

// take shows a trip, under an id of its own, unless it is there.
func (r *reading) take(t *trajectory.Trajectory) {
	r.desk.keeper.room()
	t.Source = r.in.Name(t.Source)
	id := t.ID
	other := r.ids.taken[id]
	j := r.ids.give(t)
	if j == nil {
		r.same++
		return
	}
	if other != nil && t.ID != id && isDenser(t, other.Trajectory()) {
		r.denser[t.ID] = id
	}
	r.trips.add(state.TripOf(j, nil))
}

func (r *reading) problem(p read.Problem) {
	if p.Reason == read.SameFile {
		r.known++
		p.Kept = true // its trips are here
	}
	if !p.Kept {
		r.left++
	}
	r.reasons[p.Reason]++
	object := p.Trajectory
	what := r.say(p.Reason)
	if p.Value != "" {
		what += ": " + p.Value
	}
	r.problems.add(state.Problem{Source: "reading", File: r.in.Name(p.File), Line: p.Line, Object: object, Rule: p.Rule, What: what, Count: 1, Kept: p.Kept, At: p.At})
}

func sizeOf(paths []string) int64 {
	total := int64(0)
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			total += info.Size()
		}
	}
	return total
}
