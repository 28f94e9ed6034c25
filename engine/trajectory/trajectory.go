// Package trajectory holds what goes into a recovery and what comes out:
// trajectories of samples, and recoveries of ticks and driven paths, with the
// readers and writers of their file formats.
package trajectory

import (
	"iter"

	"retrace/engine/roadnet"
)

// Sample is one input point of a trajectory.
type Sample struct {
	Time     int64 // Unix milliseconds, UTC
	Lon, Lat float64
}

// Trajectory is what one vehicle reported on one trip, in order of time.
type Trajectory struct {
	ID      string
	Vehicle string // empty: unknown
	Source  string // file it was read from
	Samples []Sample
	Whole   string // id of the trip that this was cut from; empty: it was not cut
}

// Each hands out trajectories that are there already, as readers do those of files.
func Each(all []*Trajectory) iter.Seq2[*Trajectory, error] {
	return func(yield func(*Trajectory, error) bool) {
		for _, t := range all {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// SampleState says what recovery made of an input sample.
type SampleState uint8

const (
	Matched   SampleState = iota
	OffRoad               // no road within the search radius: skipped
	Outlier               // a road is near, but no drive can pass it in time: skipped
	Duplicate             // same instant as the sample before
	Passed                // tells nothing new: no part in finding the path, placed on it by its own time
)

// Placed reports whether a sample has a place on the path.
func (s SampleState) Placed() bool { return s == Matched || s == Passed }

// Deck says where on stacked roads a position lies.
type Deck uint8

const (
	Ground Deck = iota
	OnDeck      // on an elevated segment
	Below       // on a segment under a deck
	Tunnel
)

// String is the deck's word in output files.
func (d Deck) String() string { return [...]string{"ground", "deck", "below", "tunnel"}[d&3] }

// UncertainMargin is the deck margin under which a deck counts as uncertain.
const UncertainMargin = 0.2

// Candidate is one place where a sample or a tick may be.
type Candidate struct {
	roadnet.Position
	Distance    float32 // metres from the sample
	Probability float32 // 0..1, posterior
}

// Tick is one recovered instant. There are very many of them: the fields stand so
// that there is no room between them.
type Tick struct {
	Time        int64 // Unix milliseconds, UTC
	Lon, Lat    float64
	At          roadnet.Position
	Along       float64 // metres from the start of the part
	Part        int32   // index into Recovery.Parts
	Sample      uint32  // index into Trajectory.Samples, where Observed
	Probability float32 // 0..1, that At.Segment is right
	Margin      float32 // probability of this deck less that of the runner-up; 1 where there is but one
	Observed    bool    // an input instant
	Layer       int8
	Deck        Deck
}

// Uncertain reports whether deck against ground is in doubt.
func (t Tick) Uncertain() bool { return t.Margin < UncertainMargin }

// Part is one unbroken piece of the driven path.
type Part struct {
	Segments   []roadnet.SegmentID // connected, in driving order; a U-turn is a segment followed by its reverse
	StartRatio float64             // on the first segment
	EndRatio   float64             // on the last segment
}

// SampleMatch says what became of one input sample.
type SampleMatch struct {
	At         roadnet.Position // where matched; meaningless unless the state is placed
	Candidates []Candidate      // by falling probability, the chosen one among them
	Distance   float32
	State      SampleState
}

// Alternative is another path between two matched samples.
type Alternative struct {
	FromSample, ToSample uint32
	Part                 Part
	Probability          float32
}

// Why says why what is told of a gap is not simply a drive on the network.
type Why uint8

// The reasons. Those from CarPark to Outside are where the vehicle left the network.
const (
	NoWay   Why = iota + 1 // the network has no way from the one sample to the other
	TooFar                 // even the straight way asks for a speed that no vehicle has: a position or a time is wrong
	TooFast                // every way on the network asks for a speed that its roads do not allow, the straight way does not
	CarPark                // a car park, a yard or the like
	NewRoad                // a road that the network lacks
	Ferry                  // a ferry
	Outside                // beyond the edge of the network
	Turned                 // it turned round where the network does not say that one may: the path turns farther on
	Cut                    // the trip was cut here: no sample came for long, or the vehicle stood, see [Join]
)

// String is the reason's word in output files.
func (w Why) String() string {
	if w < NoWay || w > Cut {
		return ""
	}
	return [...]string{"no_way", "too_far", "too_fast", "car_park", "new_road", "ferry", "outside", "turned", "cut"}[w-NoWay]
}

// Gap is what a recovery says of the time between two samples that have a place on the
// path and none between them, where that is not simply a drive on the network.
type Gap struct {
	FromSample, ToSample uint32
	Why                  Why
	Broken               bool    // no path is told: a new part begins at the later sample
	Speed                float32 // m/s that the slowest way on the network asks for, or else the straight way; 0: not known
}

// Span is a stretch that the vehicle drove on, below or near an elevated road.
type Span struct {
	Enter, Exit int64 // Unix milliseconds
	Part        int32
	From, To    float64 // metres along the part
	Road        string  // name, else ref, else class
	Kind        Deck
	Probability float32
	RunnerUp    string // what else it may be, in the words of Road
	Margin      float32
}

// Doubt says how far the way told between two consecutive matched samples can be
// trusted: which way it was, and where along it the vehicle is.
type Doubt struct {
	FromSample, ToSample uint32
	Probability          float32 // 0..1, of the way told and those that hardly differ from it, as the method says
	RunnerUp             float32 // 0..1, of the most probable way that does differ
	Risk                 float32 // 0..1, calibrated: that the way told is wrong, see package engine/risk; 1 where none is told
	Error                float32 // metres, expected between the vehicle and the places told of it
	Along                float32 // metres of doubt along the way, half way in time
	Odd                  Oddity  // what no vehicle does
}

// Oddity is what a way has that hardly any vehicle does, any of these.
type Oddity uint8

// The oddities.
const (
	Loops     Oddity = 1 << iota // it drives a road twice in one direction
	Reverses                     // it turns back more than once
	Speeds                       // it asks for a speed that no vehicle has on its roads
	AnyOddity = Loops | Reverses | Speeds
)

// Has reports whether an oddity is among some.
func (o Oddity) Has(one Oddity) bool { return o&one != 0 }

// Risk is how far a whole recovery can be trusted.
type Risk struct {
	Wrong float32 // 0..1, calibrated: that the trip is wrong, see package engine/risk
	Error float32 // metres, expected between the vehicle and the places told of it
}

// Provenance says how a recovery was made.
type Provenance struct {
	Method      string // "hmm", "rntrajrec"
	Network     string // name
	Fingerprint string
	Settings    string // canonical text of the settings
	Model       string // name and SHA-256 of its bundle, as name@hash; empty: the method has none
	Device      string // that computed
	Version     string // of Retrace
}

// Recovery is the dense road-matched trajectory recovered from a sparse one.
type Recovery struct {
	Trajectory   string // its id
	Whole        string // id of the trip that it was cut from; empty: it was not cut
	Ticks        []Tick
	Parts        []Part
	Matches      []SampleMatch // one per sample of the trajectory
	Alternatives []Alternative
	Spans        []Span
	Gaps         []Gap   // that are not simply drives on the network, in order
	Doubts       []Doubt // of all gaps, in order; none: not known
	Risk         Risk    // where there are Doubts
	Warnings     []string
	Provenance   Provenance
}
