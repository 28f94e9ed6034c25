package flow

import (
	"math/rand/v2"
	"slices"

	"retrace/engine/roadnet"
)

// SelectStudy counts the drives of those trips that fulfil a condition, over all
// segments that they drove: upstream and downstream of it. It is for one goroutine.
//
// Whether a trip fulfils it depends on the whole way, of which a recovery tells other
// pieces gap by gap. So whole ways are drawn, in each gap one of those possible by its
// chance, and each counts for its share of the draws. Pieces that do not fit together
// at a sample may be drawn; what the trip drove is the same.
type SelectStudy struct {
	links     *LinkStudy
	condition *Condition
	total     *tally[Slot]
	entries   []Entry
	way       []roadnet.SegmentID
	order     []piece     // of the way told
	chosen    map[int]int // options of gaps
}

// draws is how many whole ways are drawn of a trip that keeps others than the one told.
const draws = 20

// NewSelectStudy begins a study of the trips that fulfil a condition.
func NewSelectStudy(net *roadnet.Network, s Study, c *Condition) *SelectStudy {
	return &SelectStudy{links: NewLinkStudy(net, s), condition: c, total: newTally[Slot](), chosen: map[int]int{}}
}

// Add takes in a trip, on the study's network. The filter's times are those at which
// segments are entered, the condition looks at the whole trip.
func (s *SelectStudy) Add(t Trip) {
	g := &s.links.gatherer
	if !g.take(t) {
		return
	}
	s.entries = s.entries[:0]
	others := false
	g.likely.Each(t.Recovery, func(e Entry) {
		e.Way = nil // good during the visit only
		s.entries = append(s.entries, e)
		others = others || e.Chance < 1
	})
	s.sections()
	runs := 1
	if others {
		runs = draws
	}
	rng := rand.New(rand.NewPCG(hash(t.ID), 1))
	for range runs {
		s.draw(rng, false)
		s.count(g, 1/float64(runs), false)
	}
	s.draw(rng, true)
	s.count(g, 0, true)
	s.links.tally.end(vehicleOf(t))
	s.total.end(vehicleOf(t))
}

// sections puts the pieces of the way told in driving order, and between them the gaps
// in which it enters nothing while others do.
func (s *SelectStudy) sections() {
	s.order = s.order[:0]
	told := map[int]bool{}
	s.pieces(func(p piece) {
		if p.option == 0 {
			s.order, told[p.gap] = append(s.order, p), true
		}
	})
	s.pieces(func(p piece) {
		if told[p.gap] {
			return
		}
		told[p.gap] = true
		at := slices.IndexFunc(s.order, func(q piece) bool { return s.entries[q.from].along >= s.entries[p.from].along })
		if at < 0 {
			at = len(s.order)
		}
		s.order = slices.Insert(s.order, at, piece{p.gap, 0, p.from, p.from})
	})
}

// piece is entries one after another of one way of a gap; of the way told it is one.
type piece struct{ gap, option, from, to int }

// pieces visits the pieces of the entries as they came.
func (s *SelectStudy) pieces(visit func(piece)) {
	for from := 0; from < len(s.entries); {
		p := piece{s.entries[from].gap, s.entries[from].option, from, from + 1}
		for p.option > 0 && p.to < len(s.entries) && s.entries[p.to].gap == p.gap && s.entries[p.to].option == p.option {
			p.to++
		}
		visit(p)
		from = p.to
	}
}

// draw chooses one way in each gap, and puts the segments of all together.
func (s *SelectStudy) draw(rng *rand.Rand, told bool) {
	clear(s.chosen)
	for _, p := range s.order {
		if _, ok := s.chosen[p.gap]; !ok {
			s.chosen[p.gap] = s.option(p.gap, rng, told)
		}
	}
	s.way = s.way[:0]
	s.each(func(e Entry) { s.way = append(s.way, e.Segment) })
}

// option draws one of the ways of a gap.
func (s *SelectStudy) option(gap int, rng *rand.Rand, told bool) (option int) {
	if told {
		return 0
	}
	at := rng.Float64()
	s.pieces(func(p piece) {
		if p.gap == gap && p.option > 0 && at >= 0 {
			if at -= s.entries[p.from].Chance; at < 0 {
				option = p.option
			}
		}
	})
	return option // else the way told, and ways that enter nothing
}

// each visits the entries of the way drawn, in driving order.
func (s *SelectStudy) each(visit func(Entry)) {
	last := -1
	for _, p := range s.order {
		option := s.chosen[p.gap]
		again := p.gap == last
		if last = p.gap; again && option > 0 {
			continue
		}
		if option == 0 {
			for _, e := range s.entries[p.from:p.to] { // none where the way told enters nothing
				visit(e)
			}
			continue
		}
		for _, e := range s.entries {
			if e.gap == p.gap && e.option == option {
				visit(e)
			}
		}
	}
}

// count counts the way drawn, if it fulfils the condition, by its share of the draws.
func (s *SelectStudy) count(g *gatherer, share float64, told bool) {
	if !s.condition.Holds(s.way) {
		return
	}
	first := true
	s.each(func(e Entry) {
		slot, ok := g.study.Calendar.slot(e.At)
		if !ok || !g.study.timely(g.dial, e.At) {
			return
		}
		one := Entry{Chance: share, Told: told}
		s.links.tally.add(linkKey{e.Segment, slot}, one)
		if first {
			s.total.add(slot, one)
			first = false
		}
	})
}

// Rows are the drives of those selected over each segment. Speeds are not told.
func (s *SelectStudy) Rows() []LinkRow { return s.links.Rows() }

// Total is how many trips are selected, by the slot in which they begin.
func (s *SelectStudy) Total() map[Slot]Count {
	all := map[Slot]Count{}
	for slot, c := range s.total.cells {
		all[slot] = s.links.study.count(c)
	}
	return all
}

// Basis is what stands behind the numbers.
func (s *SelectStudy) Basis() Basis { return s.links.Basis() }
