package command

import (
	"fmt"
	"time"

	"retrace/engine"
	"retrace/engine/mapcheck"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/engine/trajectory/write"
	"retrace/report"
)

// recovery takes results as they come.
type recovery struct {
	*session
	out               write.Writer
	report            *report.Writer      // nil: none is wanted
	check             *mapcheck.Collector // nil: nobody asks what trips say of the map
	settings          engine.Settings
	done, failed, odd int
	began             time.Time
}

// recoveredLine is a result as it is printed with --json.
type recoveredLine struct {
	Trajectory  string   `json:"trajectory"`
	Source      string   `json:"source,omitempty"`
	Error       string   `json:"error,omitempty"`
	Points      int      `json:"points,omitempty"`
	Ticks       int      `json:"ticks,omitempty"`
	Parts       int      `json:"parts,omitempty"`
	Spans       int      `json:"spans,omitempty"`
	Method      string   `json:"method,omitempty"`
	Device      string   `json:"device,omitempty"`
	Probability float64  `json:"mean_probability,omitempty"`
	Lowest      float64  `json:"lowest_probability,omitempty"`
	Risk        float64  `json:"risk,omitempty"`
	Expected    float64  `json:"expected_error_m,omitempty"`
	Risky       int      `json:"risky_gaps,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
}

// emit writes one result, or names what failed.
func (r *recovery) emit(t *trajectory.Trajectory, rec *trajectory.Recovery, err error) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if r.began.IsZero() {
		r.began = time.Now()
	}
	line := recoveredLine{}
	if t != nil {
		line.Trajectory, line.Source, line.Points = t.ID, t.Source, len(t.Samples)
	}
	if err == nil && len(rec.Parts) == 0 {
		err = fmt.Errorf("trajectory %q of %s: %s", t.ID, t.Source, facts.NoPath(rec))
	}
	if err != nil {
		r.failed++
		r.note("retrace: %v", err)
		line.Error = err.Error()
		return r.tell(line)
	}
	if err := r.write(t, rec); err != nil {
		return err
	}
	r.done++
	if len(rec.Warnings) > 0 {
		r.odd++
	}
	r.progress.show("recovering", fmt.Sprintf("%s, %.0f a second", plural(r.done, "trajectory", "trajectories"), float64(r.done)/max(0.1, time.Since(r.began).Seconds())))
	line.Ticks, line.Parts, line.Spans, line.Warnings = len(rec.Ticks), len(rec.Parts), len(rec.Spans), rec.Warnings
	line.Method, line.Device = rec.Provenance.Method, rec.Provenance.Device
	line.Probability, line.Lowest = probabilities(rec.Ticks)
	line.Risk, line.Expected = float64(rec.Risk.Wrong), float64(rec.Risk.Error)
	for _, d := range facts.Doubts(rec) {
		if !d.Span {
			line.Risky++
		}
	}
	return r.tell(line)
}

// write writes a recovery to all outputs.
func (r *recovery) write(t *trajectory.Trajectory, rec *trajectory.Recovery) error {
	if r.check != nil {
		r.check.Add(t.Samples, rec)
	}
	if err := r.out.Write(rec); err != nil || r.report == nil {
		return err
	}
	return r.report.Write(report.Trip{Trajectory: t, Recovery: rec})
}

// tell prints a line with --json.
func (r *recovery) tell(line recoveredLine) error {
	if !r.globals.JSON {
		return nil
	}
	return r.printJSON(line)
}

// probabilities are the mean and the lowest of ticks.
func probabilities(ticks []trajectory.Tick) (mean, lowest float64) {
	if len(ticks) == 0 {
		return 0, 0
	}
	lowest = 1
	for _, t := range ticks {
		mean += float64(t.Probability)
		lowest = min(lowest, float64(t.Probability))
	}
	return mean / float64(len(ticks)), lowest
}

// finish gives the outputs their names, if there is anything in them.
func (r *recovery) finish(missingPins []string) error {
	r.progress.clear()
	if r.done == 0 {
		return &exitError{NothingRead, fmt.Errorf("no trajectory was recovered, nothing is written")}
	}
	if err := r.out.Close(); err != nil {
		return err
	}
	r.noteText(write.Note(r.out))
	if r.report != nil {
		if err := r.report.Close(); err != nil {
			return err
		}
		r.progress.clear()
	}
	for _, text := range missingPins {
		r.failed++
		r.note("retrace: %s", text)
	}
	r.noteLost(r.settings)
	if !r.globals.Quiet {
		r.note("%s recovered, %s with warnings, %s failed", plural(r.done, "trajectory", "trajectories"), count(r.odd), count(r.failed))
	}
	if r.failed > 0 {
		return errSome
	}
	return nil
}
