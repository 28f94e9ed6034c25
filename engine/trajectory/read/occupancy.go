package read

import (
	"bytes"
	"strconv"
)

// Occupancy says what is made of a column that tells whether a passenger or a load
// is on board.
type Occupancy string

// What can be made of it.
const (
	IgnoreOccupancy Occupancy = ""         // nothing
	CutOccupancy    Occupancy = "cut"      // a trip is cut where it changes
	MarkOccupancy   Occupancy = "mark"     // and its pieces are called occupied or free
	OnlyOccupied    Occupancy = "occupied" // and only the occupied pieces are kept
)

// stretches tells the occupied and free stretches of trajectories apart. The rows of
// one trajectory come in order of time, or the other way round.
type stretches struct {
	use  Occupancy
	last map[string]stretch // by trajectory
	key  []byte
	name []byte
}

type stretch struct {
	occupied bool
	n        int // from 1
}

func newStretches(use Occupancy) *stretches { return &stretches{use: use, last: map[string]stretch{}} }

// of is the name of the stretch of a trajectory that a row belongs to; false where
// the row is not wanted.
func (s *stretches) of(id, vehicle, value []byte) (name []byte, wanted bool) {
	s.key = append(append(append(s.key[:0], id...), 0), vehicle...)
	now := stretch{occupied: isOccupied(value), n: 1}
	if before, known := s.last[string(s.key)]; known {
		now.n = before.n
		if before.occupied != now.occupied {
			now.n++
		}
		if now != before {
			s.last[string(s.key)] = now
		}
	} else {
		s.last[string(s.key)] = now
	}
	s.name = strconv.AppendInt(append(append(s.name[:0], id...), '/'), int64(now.n), 10)
	if s.use == MarkOccupancy {
		if now.occupied {
			s.name = append(s.name, " occupied"...)
		} else {
			s.name = append(s.name, " free"...)
		}
	}
	return s.name, now.occupied || s.use != OnlyOccupied
}

// isOccupied reports whether a value says that somebody is on board: a number that
// is not 0, or a word for it.
func isOccupied(value []byte) bool {
	if v, err := strconv.ParseFloat(string(value), 64); err == nil {
		return v != 0
	}
	switch string(bytes.ToLower(value)) {
	case "", "false", "f", "no", "n", "free", "vacant", "empty", "available", "for hire", "off":
		return false
	}
	return true
}
