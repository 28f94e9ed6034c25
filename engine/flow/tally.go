package flow

import (
	"hash/fnv"
	"math"
	"slices"
)

// tally counts entries by key, over trips that come one after another. Its memory is
// bounded by the number of keys, however many trips come.
type tally[K comparable] struct {
	cells map[K]*cell
	trip  map[K]*stake // of the trip that is being added
}

// stake is what one trip adds to a cell.
type stake struct {
	mean, doubt float64
	gap         int     // of the last entry, and
	chance      float64 // the chances of its gap
	told        int
}

// close takes in the last gap: it was driven, or not.
func (s *stake) close() {
	p := min(s.chance, 1)
	s.doubt += p * (1 - p)
	s.chance = 0
}

// cell is what is known of one key.
type cell struct {
	Sums
	passes   int // along the ways told
	trips    int // whose way told is among them
	vehicles group
	metres   float64
	seconds  float64
	speeds   histogram
}

func newTally[K comparable]() *tally[K] {
	return &tally[K]{cells: map[K]*cell{}, trip: map[K]*stake{}}
}

// add counts an entry of the trip.
func (t *tally[K]) add(k K, e Entry) {
	s := t.trip[k]
	if s == nil {
		s = &stake{gap: e.gap}
		t.trip[k] = s
	}
	if s.gap != e.gap {
		s.close()
		s.gap = e.gap
	}
	s.mean += e.Chance
	s.chance += e.Chance
	if e.Told {
		s.told++
	}
}

// of is the cell of a key.
func (t *tally[K]) of(k K) *cell {
	c := t.cells[k]
	if c == nil {
		c = &cell{}
		t.cells[k] = c
	}
	return c
}

// hash is what a vehicle is known by.
func hash(vehicle string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(vehicle))
	return h.Sum64()
}

// end adds the trip, which a vehicle drove.
func (t *tally[K]) end(vehicle string) {
	id := hash(vehicle)
	for k, s := range t.trip {
		s.close()
		c := t.of(k)
		c.Mean += s.mean
		c.Doubt += s.doubt
		c.passes += s.told
		if s.told > 0 {
			c.trips++
		}
		c.vehicles.add(id, s.mean, s.told > 0)
	}
	clear(t.trip)
}

// mostVehicles is how many vehicles of a cell are told apart; beyond they share
// places, by chance.
const mostVehicles = 1024

// group is the vehicles of a cell, by their hashes.
type group struct {
	all  []member // by hash
	over bool     // there are more than mostVehicles: hashes are places
}

type member struct {
	id   uint64
	mean float64
	told bool // a way told is among theirs
}

func (g *group) add(id uint64, mean float64, told bool) {
	if g.over {
		id %= mostVehicles
	}
	i, ok := slices.BinarySearchFunc(g.all, id, func(m member, id uint64) int {
		switch {
		case m.id < id:
			return -1
		case m.id > id:
			return 1
		}
		return 0
	})
	if ok {
		g.all[i].mean += mean
		g.all[i].told = g.all[i].told || told
		return
	}
	g.all = slices.Insert(g.all, i, member{id, mean, told})
	if len(g.all) > mostVehicles && !g.over {
		old := g.all
		*g = group{over: true}
		for _, m := range old {
			g.add(m.id, m.mean, m.told)
		}
	}
}

// squares is the sum of the squares of what each vehicle adds.
func (g *group) squares() float64 {
	sum := 0.0
	for _, m := range g.all {
		sum += m.mean * m.mean
	}
	return sum
}

// count is how many vehicles there are whose way told is among them: all of them where
// they are told apart, else estimated by how many places are taken (linear counting:
// Whang, Vander-Zanden and Taylor, ACM Transactions on Database Systems 15 (1990),
// 208-229).
func (g *group) count() int {
	n := 0
	for _, m := range g.all {
		if m.told {
			n++
		}
	}
	if !g.over {
		return n
	}
	free := max(float64(mostVehicles-n), 0.5)
	return int(math.Round(-mostVehicles * math.Log(free/mostVehicles)))
}
