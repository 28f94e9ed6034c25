package flow

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
)

// LinkStudy counts drives over segments and their speeds, over trips that come one
// after another. Its memory is bounded by the segments and slots that were driven.
// It is for one goroutine.
type LinkStudy struct {
	gatherer
	tally *tally[linkKey]
}

type linkKey struct {
	segment roadnet.SegmentID
	slot    Slot
}

// LinkRow is how one segment was driven in one slot.
type LinkRow struct {
	Segment roadnet.SegmentID
	Slot    Slot
	Count   Count
	Speeds  Speeds
}

// NewLinkStudy begins a study of trips on a network.
func NewLinkStudy(net *roadnet.Network, s Study) *LinkStudy {
	return &LinkStudy{gatherer: newGatherer(net, s), tally: newTally[linkKey]()}
}

// telling is the share of a segment that a drive must cover to tell its speed: the ends
// of a trip often do not.
const telling = 0.5

// Add takes in a trip, on the study's network.
func (s *LinkStudy) Add(t Trip) {
	if !s.take(t) {
		return
	}
	s.entries(t, func(e Entry, slot Slot) {
		key := linkKey{e.Segment, slot}
		s.tally.add(key, e)
		if e.Seconds > 0 && e.Metres >= telling*s.net.Length(e.Segment) {
			c := s.tally.of(key)
			c.metres += e.Chance * e.Metres
			c.seconds += e.Chance * e.Seconds
			c.speeds.add(e.Metres/e.Seconds*3.6, e.Chance)
		}
	})
	s.tally.end(vehicleOf(t))
}

// Rows are the counts by segment, and by slot for each.
func (s *LinkStudy) Rows() []LinkRow {
	rows := make([]LinkRow, 0, len(s.tally.cells))
	for k, c := range s.tally.cells {
		count := s.study.count(c)
		rows = append(rows, LinkRow{Segment: k.segment, Slot: k.slot, Count: count, Speeds: s.study.speeds(c, !count.Withheld)})
	}
	slices.SortFunc(rows, func(a, b LinkRow) int {
		return cmp.Or(cmp.Compare(a.Segment, b.Segment), compareSlots(a.Slot, b.Slot))
	})
	return rows
}
