package state

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Against says what the recovery of a trip is compared with.
type Against uint8

// What a recovery can be compared with.
const (
	Earlier  Against = iota // what was recovered before
	OtherWay                // what another method recovers
	TrueWay                 // what was really driven
)

// Comparison sets the recovery of a trip beside another one of the same trip.
type Comparison struct {
	Trip        string
	Against     Against
	Ours        *trajectory.Recovery // that the trip shows
	Other       *trajectory.Recovery
	Differences []Difference // in driving order
	At          int          // the difference that is looked at; -1: none yet
}

// Difference is a place where two recoveries drive different ways.
type Difference struct {
	Ours, Other Stretch
}

// Stretch is one side's way through a difference. Where the side drives nothing
// there, it is empty and has the instant and the place at which it passes by.
type Stretch struct {
	Pieces       []Piece
	Length       float64 // metres
	Enter, Leave int64   // Unix milliseconds
	Timed        bool    // Enter and Leave are known
	At           roadnet.Point
}

// Piece is a stretch of one part of a recovery.
type Piece struct {
	Part     int     // index into Recovery.Parts
	From, To float64 // metres along the part
}

// Comparison is what is compared; false where nothing is.
func (m *Model) Comparison() (Comparison, bool) {
	return m.comparison, m.comparison.Ours != nil
}

// Compare sets the recovery that a trip shows beside another one; false where
// there is none, or where the other is of another network.
func (m *Model) Compare(id string, against Against, other *trajectory.Recovery) bool {
	t := m.byID[id]
	if t == nil || !t.IsShown() || other == nil || other.Provenance.Fingerprint != m.net.Info().Fingerprint {
		return false
	}
	m.Change(func() {
		m.comparison = Comparison{Trip: id, Against: against, Ours: t.Shown(), Other: other,
			Differences: Differences(m.net, t.Shown(), other), At: -1}
		m.SelectTrip(id)
		m.touch(Comparing)
	})
	return true
}

// EndComparison compares nothing any more.
func (m *Model) EndComparison() {
	if m.comparison.Ours != nil {
		m.comparison = Comparison{}
		m.touch(Comparing)
	}
}

// keepComparison follows a trip that was recovered again, and ends the
// comparison where the trip or its recovery is gone.
func (m *Model) keepComparison() {
	c := &m.comparison
	if c.Ours == nil {
		return
	}
	t := m.byID[c.Trip]
	if t == nil || !t.IsShown() {
		m.EndComparison()
		return
	}
	if t.Shown() != c.Ours {
		c.Ours = t.Shown()
		c.Differences, c.At = Differences(m.net, c.Ours, c.Other), -1
		m.touch(Comparing)
	}
}

// ShowDifference looks at a difference by its index.
func (m *Model) ShowDifference(i int) {
	if i < 0 || i >= len(m.comparison.Differences) {
		return
	}
	m.Change(func() {
		m.comparison.At = i
		m.touch(Comparing)
		if d := m.comparison.Differences[i]; d.Ours.Timed {
			m.SetTime(d.Ours.Enter)
		}
	})
}

// StepDifference looks at the difference after (step 1) or before (-1) the one
// that is looked at, round at the end; false where there is none.
func (m *Model) StepDifference(step int) bool {
	n := len(m.comparison.Differences)
	if n == 0 {
		return false
	}
	at := m.comparison.At
	if at < 0 && step < 0 {
		at = 0
	}
	m.ShowDifference((at + step + n) % n)
	return true
}
