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
		if t := m.byID[id]; t != nil && (t.True != nil || truth.Way != nil) {
			m.hold(id, t, Truths)
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
	Alike    float64 // how much of the way is as it was driven: see [Alike]
	Points   int     // of the truth that no input point stands at
	Right    float64 // share of them on the right segment
	Distance float64 // that they are off in the mean, metres
	F1       float64 // of the segments
}

// Alike is how much of two ways is the same: the length that they have in common
// as a share of the longer one.
func Alike(net *roadnet.Network, a, b *trajectory.Recovery) float64 {
	longest, common := max(lengthOf(net, a), lengthOf(net, b)), lengthOf(net, a)
	for _, d := range Differences(net, a, b) {
		common -= d.Ours.Length
	}
	if longest == 0 {
		return 0
	}
	return min(max(common/longest, 0), 1)
}

// lengthOf is the length of a way in metres.
func lengthOf(net *roadnet.Network, r *trajectory.Recovery) float64 {
	total := 0.0
	for _, p := range r.Parts {
		for k, s := range p.Segments {
			from, to := roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
			total += net.Length(s) * (to - from)
		}
	}
	return total
}
