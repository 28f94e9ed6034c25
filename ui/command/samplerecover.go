package command

import (
	"path/filepath"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
	"retrace/mapview/render"
	"retrace/osmimport"
	"retrace/ui/sample"
)

// sampleWidth and sampleHeight are the size of the sample's picture in pixels.
const sampleWidth, sampleHeight = 1600, 1000

// recover recovers the trips, writes the results into the folder and measures
// them against the truth.
func (c *sampleCommand) recover(s *session, r *osmimport.Result, trips []simulate.Trip) error {
	settings := engine.DefaultSettings()
	settings.Threads, settings.Version = s.globals.Threads, s.version
	if err := c.choose(s, &settings); err != nil {
		return err
	}
	if err := settings.Validate(); err != nil {
		return usage("%w", err)
	}
	s.useRoads(r.Network, &settings)
	out, err := c.recoveryFiles(r.Network, aboutRecovery(r.Network, settings, false))
	defer out.Abort()
	if err != nil {
		return err
	}
	scene := render.Scene{Network: r.Network, Basemap: r.Basemap}
	report := &metrics.Report{Network: r.Network.Info().Name, Fingerprint: r.Network.Info().Fingerprint, Seed: c.Seed, Draws: sampleDraws, Cases: len(trips)}
	score := func(settings engine.Settings, take func(*trajectory.Trajectory, *trajectory.Recovery) error) error {
		scores, err := recoverTrips(s, settings, r.Network, trips, take)
		if err == nil {
			report.Results = append(report.Results, metrics.Summarize(settings.Method, sample.Gaps, scores, sampleDraws, c.Seed))
		}
		return err
	}
	err = score(settings, func(t *trajectory.Trajectory, rec *trajectory.Recovery) error {
		scene.Trips = append(scene.Trips, render.Trip{Trajectory: t, Recovery: rec})
		return out.Write(rec)
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	s.noteLost(settings)
	if settings.Method != engine.MethodHMM {
		beside := settings
		beside.Method, beside.Model, beside.City = engine.MethodHMM, nil, nil
		if err := score(beside, func(*trajectory.Trajectory, *trajectory.Recovery) error { return nil }); err != nil {
			return err
		}
	}
	s.progress.show("drawing the map", "")
	scene.About = render.Provenance(&scene, "Retrace "+s.version, time.Now())
	if err := writePicture(filepath.Join(c.Dir, "recovery.png"), &scene, wholeView(&scene, sampleWidth, sampleHeight), render.DefaultOptions()); err != nil {
		return err
	}
	s.progress.clear()
	if s.globals.JSON {
		return s.printJSON(report)
	}
	return c.tell(s.stdout, report, settings)
}

// recoverTrips recovers trips, hands them on and scores them.
func recoverTrips(s *session, settings engine.Settings, net *roadnet.Network, trips []simulate.Trip, take func(*trajectory.Trajectory, *trajectory.Recovery) error) ([]*metrics.Score, error) {
	recoverer, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return nil, err
	}
	in := func(yield func(*trajectory.Trajectory, error) bool) {
		for _, t := range trips {
			if !yield(t.Trajectory, nil) {
				return
			}
		}
	}
	scorer := metrics.NewScorer(net)
	var scores []*metrics.Score
	err = recoverer.Stream(s.ctx, in, nil, func(t *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
		if err != nil {
			return err
		}
		trip := trips[len(scores)]
		scores = append(scores, scorer.Score(trip.Truth, trip.Trajectory, rec))
		s.progress.show("recovering", share(int64(len(scores)), int64(len(trips))))
		return take(t, rec)
	})
	return scores, err
}

// sampleDraws is how often the trips are resampled for the ranges.
const sampleDraws = 1000

// recoveryFiles opens the files of the sample's recovery.
func (c *sampleCommand) recoveryFiles(net *roadnet.Network, about write.About) (write.All, error) {
	var all write.All
	for _, name := range []string{"recovery.csv", "recovery.gpkg"} {
		w, err := write.Create(filepath.Join(c.Dir, name), net, about)
		if err != nil {
			return all, err
		}
		all = append(all, w)
	}
	return all, nil
}
