package flow

import (
	"cmp"
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// ODStudy counts trips from zone to zone. A trip belongs to the slot in which it
// begins. Its memory is bounded by the pairs of zones and slots that were driven. It is
// for one goroutine.
type ODStudy struct {
	gatherer
	zones   Zones
	passing bool // from where a trip enters the zones to where it leaves them
	tally   *tally[pairKey]
	sums    *tally[sumKey]
}

type pairKey struct {
	from, to int
	slot     Slot
}

type sumKey struct {
	zone int
	sum  Sum
	slot Slot
}

// Sum is which trips of a zone are summed.
type Sum uint8

// The sums.
const (
	Begin  Sum = iota // that begin in the zone, those within it too
	End               // that end in the zone, those within it too
	Within            // that begin and end in it
)

// ODRow is how many trips went from one zone to another; zones are Outside where a trip
// lies in none.
type ODRow struct {
	From, To int
	Slot     Slot
	Count    Count
}

// SumRow is one of the sums of a zone.
type SumRow struct {
	Zone  int
	Sum   Sum
	Slot  Slot
	Count Count
}

// NewODStudy begins a study of trips between zones: from where a trip begins to where
// it ends or, if passing, from the first zone that it comes through to the last.
func NewODStudy(net *roadnet.Network, s Study, zones Zones, passing bool) *ODStudy {
	return &ODStudy{gatherer: newGatherer(net, s), zones: zones, passing: passing, tally: newTally[pairKey](), sums: newTally[sumKey]()}
}

// chance is a zone and the chance that a trip's end lies in it.
type chance struct {
	zone int
	p    float64
	told bool
}

// Add takes in a trip, on the study's network.
func (s *ODStudy) Add(t Trip) {
	r := t.Recovery
	if len(r.Ticks) == 0 || len(r.Parts) == 0 || !s.take(t) {
		return
	}
	begun := float64(r.Ticks[0].Time) / 1000
	slot, ok := s.study.Calendar.slot(begun)
	if !s.study.timely(s.dial, begun) {
		return
	}
	if !ok {
		s.basis.Untimed++
		return
	}
	from, to, ok := s.ends(r)
	if !ok {
		return
	}
	for _, a := range from {
		for _, b := range to {
			e := Entry{Chance: a.p * b.p, Told: a.told && b.told}
			s.tally.add(pairKey{a.zone, b.zone, slot}, e)
			s.sums.add(sumKey{a.zone, Begin, slot}, e)
			s.sums.add(sumKey{b.zone, End, slot}, e)
			if a.zone == b.zone {
				s.sums.add(sumKey{a.zone, Within, slot}, e)
			}
		}
	}
	vehicle := vehicleOf(t)
	s.tally.end(vehicle)
	s.sums.end(vehicle)
}

// ends are the zones in which a trip begins and ends; false for a trip of which nothing
// is left when its ends are cut off.
func (s *ODStudy) ends(r *trajectory.Recovery) (from, to []chance, ok bool) {
	certain := func(p roadnet.Point) []chance { return []chance{{s.zones.At(p), 1, true}} }
	switch {
	case s.passing:
		first, last := s.through(r)
		return []chance{{first, 1, true}}, []chance{{last, 1, true}}, true
	case s.study.Trim > 0:
		a, b, ok := s.trimmed(r)
		return certain(a), certain(b), ok
	}
	last := len(r.Ticks) - 1
	return s.candidates(r, r.Ticks[0]), s.candidates(r, r.Ticks[last]), true
}

// candidates are the zones of where a sample may lie, and how probable each is.
func (s *ODStudy) candidates(r *trajectory.Recovery, tick trajectory.Tick) []chance {
	told := s.zones.At(roadnet.Point{Lon: tick.Lon, Lat: tick.Lat})
	all := []chance{{told, 0, true}}
	sum := 0.0
	if tick.Observed && int(tick.Sample) < len(r.Matches) {
		for _, c := range r.Matches[tick.Sample].Candidates {
			zone := s.zones.At(s.net.At(c.Position))
			k := slices.IndexFunc(all, func(a chance) bool { return a.zone == zone })
			if k < 0 {
				k = len(all)
				all = append(all, chance{zone: zone})
			}
			all[k].p += float64(c.Probability)
			sum += float64(c.Probability)
		}
	}
	if sum <= 0 {
		return []chance{{told, 1, true}}
	}
	for i := range all {
		all[i].p /= sum
	}
	return all
}

// trimmed are the places some metres from both ends of a trip.
func (s *ODStudy) trimmed(r *trajectory.Recovery) (from, to roadnet.Point, ok bool) {
	total := 0.0
	for _, p := range r.Parts {
		total += facts.PartLength(s.net, p)
	}
	at := func(metres float64) roadnet.Point {
		for i, p := range r.Parts {
			length := facts.PartLength(s.net, p)
			if metres <= length || i == len(r.Parts)-1 {
				return s.net.At(facts.PartAt(s.net, p, min(metres, length)))
			}
			metres -= length
		}
		return roadnet.Point{}
	}
	if total <= 2*s.study.Trim {
		return from, to, false
	}
	return at(s.study.Trim), at(total - s.study.Trim), true
}

// step is how far apart the places are at which a way is asked for its zones, metres.
const step = 25

// through are the first and the last zone on the way told, without what is trimmed.
func (s *ODStudy) through(r *trajectory.Recovery) (first, last int) {
	first, last = Outside, Outside
	total, begun := 0.0, 0.0
	for _, p := range r.Parts {
		total += facts.PartLength(s.net, p)
	}
	for _, p := range r.Parts {
		length := facts.PartLength(s.net, p)
		for n, pieces := 0, int(math.Ceil(length/step)); n <= pieces && len(p.Segments) > 0; n++ {
			along := length * float64(n) / float64(max(pieces, 1))
			if begun+along < s.study.Trim || begun+along > total-s.study.Trim {
				continue
			}
			if z := s.zones.At(s.net.At(facts.PartAt(s.net, p, along))); z != Outside {
				if last = z; first == Outside {
					first = z
				}
			}
		}
		begun += length
	}
	return first, last
}

// Rows are the counts by zones and slots. What too few vehicles stand behind is
// withheld, and so are other cells of the same row and column, until nothing can be
// told from the sums.
func (s *ODStudy) Rows() []ODRow {
	rows := make([]ODRow, 0, len(s.tally.cells))
	for k, c := range s.tally.cells {
		rows = append(rows, ODRow{From: k.from, To: k.to, Slot: k.slot, Count: s.study.count(c)})
	}
	slices.SortFunc(rows, func(a, b ODRow) int {
		return cmp.Or(compareSlots(a.Slot, b.Slot), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].Slot == rows[from].Slot {
			to++
		}
		block := rows[from:to]
		complement(len(block), func(i int) (int, int) { return block[i].From, block[i].To }, func(i int) *Count { return &block[i].Count })
		from = to
	}
	return rows
}

// Sums are those of each zone, by slot. The trips within a zone are withheld where their
// cell of the matrix is.
func (s *ODStudy) Sums() []SumRow {
	hidden := map[sumKey]bool{}
	for _, r := range s.Rows() {
		if r.From == r.To && r.Count.Withheld {
			hidden[sumKey{r.From, Within, r.Slot}] = true
		}
	}
	rows := make([]SumRow, 0, len(s.sums.cells))
	for k, c := range s.sums.cells {
		count := s.study.count(c)
		if hidden[k] {
			count = withheld()
		}
		rows = append(rows, SumRow{Zone: k.zone, Sum: k.sum, Slot: k.slot, Count: count})
	}
	slices.SortFunc(rows, func(a, b SumRow) int {
		return cmp.Or(compareSlots(a.Slot, b.Slot), cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.Sum, b.Sum))
	})
	return rows
}
