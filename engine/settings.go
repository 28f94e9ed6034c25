package engine

import (
	"time"

	"retrace/engine/match"
	"retrace/engine/roadnet"
)

// MethodHMM is the name of classical map matching.
const MethodHMM = "hmm"

// Settings says how trajectories are recovered.
type Settings struct {
	Method       string        // MethodHMM
	Tick         time.Duration // between two recovered instants
	Alternatives int           // other paths kept for each gap; 0: none
	Threads      int           // trajectories recovered at once; 0: one a core
	Version      string        // of Retrace, for the provenance
	HMM          match.Settings
}

// Pin is what a person knows of one sample: it lies on a segment, or not.
type Pin struct {
	Sample  int // index into Trajectory.Samples
	Segment roadnet.SegmentID
	Forbid  bool // the sample does not lie on the segment
}
