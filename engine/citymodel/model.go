package citymodel

import (
	"errors"
	"fmt"

	"retrace/engine/bundle"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
)

// The systems, by the names that bundles have them by.
const (
	MTrajRec  = "mtrajrec"
	T2Vec     = "t2vec"
	RNTrajRec = "rntrajrec-city"
)

// Systems are all of them.
func Systems() []string { return []string{MTrajRec, RNTrajRec, T2Vec} }

// Model is a system that is loaded. It may be used by several goroutines at once.
type Model struct {
	System string // one of [Systems]
	Name   string // of its bundle
	Hash   string // SHA-256 of its bundle, in hex
	City   bundle.City
	Points feature.Settings      // of sub-graphs
	Routes feature.RouteSettings // for the candidates of samples
	Graphs Graphs
}

// String is the name and the hash of the model's bundle.
func (m *Model) String() string { return m.Name + "@" + m.Hash }

// Graphs are the two graphs of a system. They may be used by several goroutines at
// once.
type Graphs interface {
	// Encode says what the system has to say of the samples of a trip.
	Encode(in *Samples) (*States, error)

	// Tick takes one tick: it gives the state now, the logarithms of the probabilities
	// of all segments (eq. 24) and the ratio along each (eq. 25), [segments].
	Tick(in *Tick) (state, log, ratios []float32, err error)
}

// Samples are those of a trip as an encoder is told of them.
type Samples struct {
	Points      feature.Points // with sub-graphs whose segments are those of the network
	Cells       []int32        // [samples] of the grid
	XY          []float32      // [samples][2] kilometres from the middle of the city
	Environment []float32
}

// States are what an encoder says of a trip.
type States struct {
	H     []float32 // [samples][d]
	Whole []float32 // [d], of the trip
	Keys  []float32 // [samples][d], W_h h (eq. 20)
}

// Tick is what is known before a tick.
type Tick struct {
	States  *States
	State   []float32 // [d]; h of the trip at first
	Segment int32     // of the tick before; the number of segments at first
	Ratio   float32   // along it
	Mask    []float32 // [segments] logarithm of c; 0 at a tick without a sample
}

// ErrOtherNetwork is of a system that is to run on a network that its tables do not
// belong to.
var ErrOtherNetwork = errors.New("its tables are of no use on another network")

// Fit refuses a network that the tables do not belong to. The error is
// [ErrOtherNetwork].
func (m *Model) Fit(net *roadnet.Network) error {
	info := net.Info()
	if info.Fingerprint != m.City.Fingerprint || net.NumSegments() != m.City.Segments {
		return fmt.Errorf("the model %s belongs to the network %q (%s); this is %q (%s): %w",
			m.Name, m.City.Network, short(m.City.Fingerprint), info.Name, short(info.Fingerprint), ErrOtherNetwork)
	}
	return nil
}

// short is the beginning of a fingerprint.
func short(fingerprint string) string { return fingerprint[:min(len(fingerprint), 8)] }
