// Package clean tidies the samples of a trajectory by rules that each have a
// switch, and tells of everything that it did.
package clean

import (
	"slices"
	"time"

	"retrace/engine/trajectory"
)

// Rule is the name of a rule.
type Rule string

// The rules, in the order in which they work.
const (
	Backwards  Rule = "backwards"  // time that goes backwards
	Duplicates Rule = "duplicates" // several samples at one instant
	Outside    Rule = "outside"    // samples far from the network
	Jumps      Rule = "jumps"      // samples that no vehicle can reach
	Standing   Rule = "standing"   // many samples at one place
	Gaps       Rule = "gaps"       // long times without a sample
	Stops      Rule = "stops"      // long times at one place
)

// Rules says which rules work and how. The zero value only puts samples in order
// of time, which every trajectory is in.
type Rules struct {
	DropBackwards bool                        // leave out samples that go back in time, rather than put them in order
	Duplicates    bool                        // leave out all but the first sample of an instant
	Inside        func(lon, lat float64) bool // leave out samples for which this is false; nil: keep them
	MaxSpeed      float64                     // leave out samples that need more than this to be reached, m/s; 0: keep them
	Standing      float64                     // of samples that stay within this many metres keep the first and the last; 0: keep them
	Gap           time.Duration               // cut where no sample came for longer; 0: never. That of Default cuts only where it is unusual for the trip
	Stop          time.Duration               // cut where the vehicle stayed within StopRadius for longer; 0: never
	StopRadius    float64                     // metres; 0: 100
}

// Default are the rules that the program reads with.
func Default() Rules { return Rules{Duplicates: true, Gap: 30 * time.Minute} }

// Change is one thing that a rule did.
type Change struct {
	Rule   Rule
	Reason string             // what, in words that are the same each time
	At     *trajectory.Sample // the sample left out, or the first behind a cut; nil: the whole trajectory
	Kept   bool               // nothing was left out
}

// teller is told of changes; it may be nil.
type teller func(Change)

func (t teller) tell(r Rule, reason string, s trajectory.Sample, kept bool) {
	if t != nil {
		t(Change{Rule: r, Reason: reason, At: &s, Kept: kept})
	}
}

// Apply works all rules on the samples of a trajectory, in the order in which
// they were reported, and gives the pieces that it is cut into, each in order of
// time. No piece is empty; there may be none. The samples are changed in place.
func (r Rules) Apply(samples []trajectory.Sample, told func(Change)) [][]trajectory.Sample {
	t := teller(told)
	samples = r.order(samples, t)
	if r.Duplicates {
		samples = duplicates(samples, t)
	}
	if r.Inside != nil {
		samples = filter(samples, func(s trajectory.Sample) bool { return r.Inside(s.Lon, s.Lat) }, Outside, "far from the network, left out", t)
	}
	pieces := [][]trajectory.Sample{samples}
	if r.MaxSpeed > 0 {
		pieces = each(pieces, func(p []trajectory.Sample) [][]trajectory.Sample { return jumps(p, r.MaxSpeed, t) })
	}
	if r.Gap > 0 {
		pieces = each(pieces, func(p []trajectory.Sample) [][]trajectory.Sample { return gaps(p, r.Gap, t) })
	}
	if r.Stop > 0 {
		pieces = each(pieces, func(p []trajectory.Sample) [][]trajectory.Sample { return r.stops(p, t) })
	}
	if r.Standing > 0 {
		pieces = each(pieces, func(p []trajectory.Sample) [][]trajectory.Sample {
			return [][]trajectory.Sample{standing(p, r.Standing, t)}
		})
	}
	return slices.DeleteFunc(pieces, func(p []trajectory.Sample) bool { return len(p) == 0 })
}

// each works a rule on every piece.
func each(pieces [][]trajectory.Sample, f func([]trajectory.Sample) [][]trajectory.Sample) [][]trajectory.Sample {
	var all [][]trajectory.Sample
	for _, p := range pieces {
		all = append(all, f(p)...)
	}
	return all
}

// filter leaves out the samples that do not pass.
func filter(samples []trajectory.Sample, pass func(trajectory.Sample) bool, rule Rule, reason string, t teller) []trajectory.Sample {
	kept := samples[:0]
	for _, s := range samples {
		if pass(s) {
			kept = append(kept, s)
		} else {
			t.tell(rule, reason, s, false)
		}
	}
	return kept
}
