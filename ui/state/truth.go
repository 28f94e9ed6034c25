package state

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Truth is how a trip was really driven.
type Truth struct {
	Way  *trajectory.Recovery // on the network that it names
	Path [][]roadnet.Point    // the same as the map shows it, a slice a part
}

// SetTruths says how trips were really driven, by their ids; a truth without a
// way is not known any more.
func (m *Model) SetTruths(truths map[string]Truth) {
	for id, truth := range truths {
		if t := m.byID[id]; t != nil {
			t.True, t.Truth = truth.Way, truth.Path
		}
	}
	m.choices++
	m.keepTruth()
	m.changedTrips()
}

// keepTruth ends a comparison with a truth that is not known any more, or that
// is another one now.
func (m *Model) keepTruth() {
	c := m.comparison
	if c.Ours == nil || c.Against != TrueWay {
		return
	}
	if t := m.byID[c.Trip]; t == nil || m.TruthOf(t) != c.Other {
		m.EndComparison()
	}
}

// TruthOf is how a trip was really driven, on the network that is shown; nil where
// it is not known.
func (m *Model) TruthOf(t *Trip) *trajectory.Recovery {
	if t == nil || t.True == nil || m.net == nil || t.True.Provenance.Fingerprint != m.net.Info().Fingerprint {
		return nil
	}
	return t.True
}

// Measure is what a recovery is worth beside the truth.
type Measure struct {
	Points   int     // of the truth that no input point stands at
	Right    float64 // share of them on the right road
	Distance float64 // that they are off in the mean, metres
	F1       float64 // of the roads driven
}
