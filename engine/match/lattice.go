package match

import (
	"context"
	"math"

	"retrace/engine/roadnet"
)

// layer is the candidates of one sample.
type layer struct {
	sample   int
	time     int64 // Unix milliseconds
	place    roadnet.Point
	pinned   bool // must not be left out
	hits     []roadnet.Hit
	emission []float64
}

// lattice is the layers of a trajectory and the links between them, and what
// the passes over them find out.
type lattice struct {
	set    Settings
	layers []layer
	into   [][]*link // by layer, from near to far

	best  [][]float64 // log probability of the best way to a candidate
	came  [][]step    // by which it comes
	alpha [][]float64 // log probability of all ways to a candidate
	beta  [][]float64 // and of all ways on from it
	total float64     // of all ways from the first to the last
}

// step is the last step of the best way to a candidate.
type step struct {
	link  *link // nil at the beginning
	from  int   // candidate of link.from
	leaps bool  // the path breaks here
}

// mostSkipped is how many samples in a row can be left out.
const mostSkipped = 4

// skips is what leaving out the layers between two costs; infinite where one
// of them is pinned.
func (t *lattice) skips(from, to int) float64 {
	for i := from + 1; i < to; i++ {
		if t.layers[i].pinned {
			return math.Inf(1)
		}
	}
	return t.set.Skip * float64(to-from-1)
}

// leap is what a break of the path over a link costs. Where there are routes,
// only a trip that would end there otherwise breaks. At a pinned sample it
// costs nothing: a pin must not cost the samples beside it.
func (t *lattice) leap(l *link) float64 {
	switch {
	case l.to != l.from+1:
		return math.Inf(1)
	case !l.noWay:
		return lastResort
	case t.layers[l.from].pinned || t.layers[l.to].pinned:
		return 0
	}
	return t.set.Break
}

const lastResort = 1000

// score is the log probability of going from candidate a to b over a link.
func (t *lattice) score(l *link, a, b int) float64 { return l.score[t.index(l, a, b)] }

// index of a pair in its link.
func (t *lattice) index(l *link, a, b int) int { return a*len(t.layers[l.to].hits) + b }

// forward finds the best way to each candidate, and the sum over all ways, from
// a layer on: what was found for the layers before stands. The error is that of ctx.
func (t *lattice) forward(ctx context.Context, first int) error {
	t.best, t.came, t.alpha = t.best[:first], t.came[:first], t.alpha[:first]
	for j := first; j < len(t.layers); j++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := len(t.layers[j].hits)
		t.best = append(t.best, make([]float64, n))
		t.came = append(t.came, make([]step, n))
		t.alpha = append(t.alpha, make([]float64, n))
		begin := math.Inf(-1)
		if j <= mostSkipped {
			begin = -t.skips(-1, j)
		}
		for b, emission := range t.layers[j].emission {
			best, came, sum := begin, step{}, sumOf(begin)
			for _, l := range t.into[j] {
				t.arrive(l, b, &best, &came, &sum)
			}
			t.best[j][b], t.came[j][b], t.alpha[j][b] = best+emission, came, sum.log()+emission
		}
	}
	return nil
}

// arrive adds what comes to candidate b over a link.
func (t *lattice) arrive(l *link, b int, best *float64, came *step, sum *logSum) {
	skip, leap := t.skips(l.from, l.to), t.leap(l)
	for a, before := range t.best[l.from] {
		s := t.score(l, a, b) - skip
		if w := before + s; w > *best {
			*best, *came = w, step{link: l, from: a}
		}
		if w := before - leap; w > *best {
			*best, *came = w, step{link: l, from: a, leaps: true}
		}
		sum.add(t.alpha[l.from][a] + max(s, -leap))
	}
}

// backward sums over all ways on from each candidate. The error is that of ctx.
func (t *lattice) backward(ctx context.Context) error {
	n := len(t.layers)
	t.beta = make([][]float64, n)
	all := sumOf(math.Inf(-1))
	for i := range t.layers {
		t.beta[i] = make([]float64, len(t.layers[i].hits))
		for a := range t.beta[i] {
			t.beta[i][a] = t.end(i)
			all.add(t.alpha[i][a] + t.beta[i][a])
		}
	}
	t.total = all.log()
	for j := n - 1; j > 0; j-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, l := range t.into[j] {
			t.pull(l)
		}
	}
	return nil
}

// end is the log probability that layer i is the last one matched.
func (t *lattice) end(i int) float64 {
	if len(t.layers)-1-i > mostSkipped {
		return math.Inf(-1)
	}
	return -t.skips(i, len(t.layers))
}

// pull adds the ways on over a link to those of the layer it comes from.
func (t *lattice) pull(l *link) {
	skip, leap := t.skips(l.from, l.to), t.leap(l)
	emission := t.layers[l.to].emission
	for a := range t.beta[l.from] {
		sum := sumOf(t.beta[l.from][a])
		for b := range emission {
			on := emission[b] + t.beta[l.to][b]
			sum.add(max(t.score(l, a, b)-skip, -leap) + on)
		}
		t.beta[l.from][a] = sum.log()
	}
}

// posterior is the probability of a candidate.
func (t *lattice) posterior(layer, candidate int) float64 {
	return math.Exp(t.alpha[layer][candidate] + t.beta[layer][candidate] - t.total)
}

// pair is the probability of going from candidate a to b over a link.
func (t *lattice) pair(l *link, a, b int) float64 {
	s := t.score(l, a, b) - t.skips(l.from, l.to) + t.layers[l.to].emission[b]
	return math.Exp(t.alpha[l.from][a] + s + t.beta[l.to][b] - t.total)
}

// place is a candidate on the best way.
type place struct {
	layer, candidate int
	came             step // by which the way comes here
}

// way is the best way, in order.
func (t *lattice) way() []place {
	at := place{layer: -1}
	best := math.Inf(-1)
	for i := range t.layers {
		for c, s := range t.best[i] {
			if s+t.end(i) > best {
				best, at = s+t.end(i), place{layer: i, candidate: c}
			}
		}
	}
	var way []place
	for at.layer >= 0 {
		at.came = t.came[at.layer][at.candidate]
		way = append(way, at)
		if at.came.link == nil {
			break
		}
		at = place{layer: at.came.link.from, candidate: at.came.from}
	}
	for i, j := 0, len(way)-1; i < j; i, j = i+1, j-1 {
		way[i], way[j] = way[j], way[i]
	}
	return way
}

// logSum adds up numbers given by their logarithms.
type logSum struct{ top, rest float64 }

func sumOf(x float64) logSum { return logSum{x, 1} }

func (s *logSum) add(x float64) {
	switch {
	case math.IsInf(x, -1):
	case x <= s.top:
		s.rest += math.Exp(x - s.top)
	case math.IsInf(s.top, -1):
		s.top, s.rest = x, 1
	default:
		s.rest = s.rest*math.Exp(s.top-x) + 1
		s.top = x
	}
}

func (s *logSum) log() float64 { return s.top + math.Log(s.rest) }
