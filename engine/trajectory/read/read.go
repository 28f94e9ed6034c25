package read

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"retrace/engine/trajectory"
)

// Options says how to read; the zero value is ready for use.
type Options struct {
	Dialect  *Dialect       // of the CSV files; nil: guessed from the first rows of each
	Zone     *time.Location // of times that name none; nil: UTC
	Problem  func(Problem)  // called for everything that was left out or mended; may be nil
	Progress func(int64)    // called now and then with the bytes read of all files so far, as they lie on disk; may be nil
	Limits   Limits         // zero fields take the default
}

// Limits bounds what a file may ask for. Zero fields take the default.
type Limits struct {
	Row     int // bytes of one CSV row, one GeoJSON feature or one XML token; default 32 MiB
	Samples int // of one trajectory; default 10,000,000
	Held    int // samples held in memory while rows are grouped, beyond which they go to disk; default 2,000,000
}

// Problem is something that a reader left out or mended.
type Problem struct {
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"` // from 1; 0: the whole file
	Trajectory string `json:"trajectory,omitempty"`
	Reason     string `json:"reason"`          // the same words for the same kind of problem
	Value      string `json:"value,omitempty"` // what stood there, shortened
	Kept       bool   `json:"kept,omitempty"`  // taken all the same, mended or in doubt
}

// String is the problem in one line: file, line, reason, value.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	s += ": " + p.Reason
	if p.Value != "" {
		s += fmt.Sprintf(": %q", p.Value)
	}
	if p.Trajectory != "" {
		s += fmt.Sprintf(" (trajectory %s)", p.Trajectory)
	}
	return s
}

// Files reads the trajectories of several files, one after another; "-" is
// stdin. Where a file cannot be read, or not to its end, an error that names it
// is yielded with a nil trajectory, and the next file follows. The sequence
// ends early when ctx does, with its error.
func Files(ctx context.Context, paths []string, stdin io.Reader, opt Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {}
}

// Reader reads the trajectories of one stream that is called name, as [Files]
// does.
func Reader(ctx context.Context, name string, r io.Reader, opt Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {}
}
