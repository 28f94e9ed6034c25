package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"retrace/engine"
	"retrace/engine/flow"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/osmimport"
	"retrace/tools/trial"
)

// world is the trips that are measured on.
type world struct {
	net       *roadnet.Network
	model     *engine.Model
	calendar  *flow.Calendar
	junctions *flow.Junctions
	dense     []*trajectory.Trajectory // reports every 15 s, of which some are kept
	truth     []flow.Trip              // of the same trips
	whole     int                      // trips that means are of
	means     counts                   // over those, a trip
}

// perVehicle is how many trips a vehicle makes.
const perVehicle = 3

func newWorld(ctx context.Context, extract string, trips, truth int) (*world, error) {
	in, err := osmimport.Import(ctx, []string{extract}, osmimport.Options{})
	if err != nil {
		return nil, err
	}
	model, err := trial.Model("")
	if err != nil {
		return nil, err
	}
	w := &world{net: in.Network, model: model, whole: truth, junctions: flow.FindJunctions(in.Network, 30)}
	zone, err := time.LoadLocation(w.net.Info().TimeZone)
	if err != nil {
		return nil, err
	}
	if w.calendar, err = flow.NewCalendar(zone, []flow.Unit{flow.ByHour}, nil); err != nil {
		return nil, err
	}
	all := w.studies()
	o := simulate.Options{Seed: 2, Count: truth, Tick: 15 * time.Second, Days: 1}
	for t, err := range simulate.Trips(ctx, w.net, o) {
		if err != nil {
			return nil, err
		}
		all.add(flow.Trip{ID: t.Truth.Trajectory, Vehicle: t.Truth.Trajectory, Recovery: t.Truth})
	}
	w.means = all.counts()
	fmt.Fprintf(os.Stderr, "%d trips say how much is driven\n", truth)
	o.Seed, o.Count = 1, trips
	number := 0
	for t, err := range simulate.Trips(ctx, w.net, o) {
		if err != nil {
			return nil, err
		}
		w.dense = append(w.dense, t.Dense)
		w.truth = append(w.truth, flow.Trip{ID: t.Truth.Trajectory, Vehicle: fmt.Sprint(number / perVehicle), Recovery: t.Truth})
		number++
	}
	return w, nil
}

// recover recovers the trips, thinned, by a method.
func (w *world) recover(ctx context.Context, keep metrics.Keep, method string) ([]flow.Trip, error) {
	settings := engine.DefaultSettings()
	settings.Alternatives = 20
	if settings.Method = method; method == engine.MethodRNTrajRec {
		settings.Model = w.model
		if err := settings.AskRoads(ctx, w.net, 0); err != nil {
			return nil, err
		}
	}
	r, err := engine.NewRecoverer(w.net, settings)
	if err != nil {
		return nil, err
	}
	var thinned []*trajectory.Trajectory
	for _, t := range w.dense {
		thinned = append(thinned, keep.Thin(t, 1))
	}
	var trips []flow.Trip
	err = r.Stream(ctx, trajectory.Each(thinned), func(*trajectory.Trajectory) []engine.Pin { return nil }, func(t *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		if err != nil {
			return err
		}
		trips = append(trips, flow.Trip{ID: t.ID, Vehicle: w.truth[len(trips)].Vehicle, Recovery: rec})
		return nil
	})
	fmt.Fprintf(os.Stderr, "%s, %s: %d trips\n", keep, method, len(trips))
	return trips, err
}

// kinds are what is counted.
var kinds = [...]string{"links", "turns", "zones"}

// counts are the counts of each kind, by what is counted and when.
type counts [len(kinds)]map[any]flow.Count

// studies count all kinds.
type studies struct {
	links *flow.LinkStudy
	turns *flow.TurnStudy
	zones *flow.ODStudy
	grid  *flow.Grid
}

func (w *world) studies() *studies {
	study := flow.Study{Calendar: w.calendar}
	grid := flow.NewGrid(w.net.Info().Bounds.Center(), 1000, false)
	return &studies{links: flow.NewLinkStudy(w.net, study), turns: flow.NewTurnStudy(w.net, study, w.junctions, nil),
		zones: flow.NewODStudy(w.net, study, grid, false), grid: grid}
}

func (s *studies) add(t flow.Trip) {
	s.links.Add(t)
	s.turns.Add(t)
	s.zones.Add(t)
}

func (s *studies) counts() counts {
	var c counts
	for i := range c {
		c[i] = map[any]flow.Count{}
	}
	for _, r := range s.links.Rows() {
		c[0][[2]any{r.Segment, r.Slot}] = r.Count
	}
	for _, r := range s.turns.Rows() {
		c[1][[3]any{r.Approach, r.Exit, r.Slot}] = r.Count
	}
	for _, r := range s.zones.Rows() {
		c[2][[3]any{s.grid.Zone(r.From).ID, s.grid.Zone(r.To).ID, r.Slot}] = r.Count
	}
	return c
}
