package flow

import (
	"cmp"
	"math"
	"slices"

	"retrace/engine/roadnet"
)

// TurnStudy counts how junctions are driven through, from approach to exit. Its memory
// is bounded by the movements and slots that were driven. It is for one goroutine.
type TurnStudy struct {
	gatherer
	junctions *Junctions
	only      map[int32]bool // numbers of junctions; nil: all
	tally     *tally[turnKey]
}

type turnKey struct {
	junction       int32
	approach, exit roadnet.SegmentID
	slot           Slot
}

// Turn is what a driver does at a junction.
type Turn string

// The turns.
const (
	Straight Turn = "straight"
	Left     Turn = "left"
	Right    Turn = "right"
	UTurn    Turn = "u-turn"
)

// TurnRow is how often a junction was driven through from one approach to one exit.
type TurnRow struct {
	Junction       Junction
	Approach, Exit roadnet.SegmentID
	Turn           Turn
	Slot           Slot
	Count          Count
}

// NewTurnStudy begins a study of some junctions, by their numbers; none: of all.
func NewTurnStudy(net *roadnet.Network, s Study, junctions *Junctions, only []int) *TurnStudy {
	t := &TurnStudy{gatherer: newGatherer(net, s), junctions: junctions, tally: newTally[turnKey]()}
	for _, k := range only {
		if t.only == nil {
			t.only = map[int32]bool{}
		}
		t.only[int32(k)] = true
	}
	return t
}

// Add takes in a trip, on the study's network.
func (s *TurnStudy) Add(t Trip) {
	if !s.take(t) {
		return
	}
	s.entries(t, func(e Entry, slot Slot) {
		junction, approach, ok := s.junctions.movement(e)
		if ok && (s.only == nil || s.only[junction]) {
			s.tally.add(turnKey{junction, approach, e.Segment, slot}, e)
		}
	})
	s.tally.end(vehicleOf(t))
}

// Rows are the counts by junction, approach, exit and slot. What too few vehicles stand
// behind is withheld, and so are the smallest others of its approach and of its exit
// until nothing can be told from the sums of the junction's arms.
func (s *TurnStudy) Rows() []TurnRow {
	rows := make([]TurnRow, 0, len(s.tally.cells))
	for k, c := range s.tally.cells {
		rows = append(rows, TurnRow{Junction: s.junctions.all[k.junction], Approach: k.approach, Exit: k.exit, Turn: TurnOf(s.net, k.approach, k.exit), Slot: k.slot, Count: s.study.count(c)})
	}
	slices.SortFunc(rows, func(a, b TurnRow) int {
		return cmp.Or(cmp.Compare(a.Junction.ID, b.Junction.ID), compareSlots(a.Slot, b.Slot), cmp.Compare(a.Approach, b.Approach), cmp.Compare(a.Exit, b.Exit))
	})
	same := func(a, b TurnRow) bool { return a.Junction.ID == b.Junction.ID && a.Slot == b.Slot }
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && same(rows[from], rows[to]) {
			to++
		}
		block := rows[from:to]
		complement(len(block), func(i int) (roadnet.SegmentID, roadnet.SegmentID) { return block[i].Approach, block[i].Exit }, func(i int) *Count { return &block[i].Count })
		from = to
	}
	return rows
}

// TurnOf is what a driver does who goes from one segment to another: by the angle
// between how the one ends and how the other begins.
func TurnOf(net *roadnet.Network, from, to roadnet.SegmentID) Turn {
	if back, ok := net.Reverse(from); ok && back == to {
		return UTurn
	}
	const ahead, behind = 40, 150
	angle := math.Mod(net.Heading(roadnet.Position{Segment: to})-net.Heading(roadnet.Position{Segment: from, Ratio: 1})+540, 360) - 180
	switch {
	case math.Abs(angle) <= ahead:
		return Straight
	case math.Abs(angle) > behind:
		return UTurn
	case angle < 0:
		return Left
	}
	return Right
}
