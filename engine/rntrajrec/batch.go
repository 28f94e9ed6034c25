package rntrajrec

import (
	"fmt"
	"slices"
)

// routeQuestion is what the model is asked of where a trip went, and its answer.
type routeQuestion struct{ candidates, options []float32 }

func (q routeQuestion) size() int { return len(q.candidates) + len(q.options) }

type routeAnswer struct{ u, v []float32 }

// gapQuestion is what it is asked of when: the pieces of one gap, in rows of the
// schema's tensor "pieces", and their lengths in metres.
type gapQuestion struct{ pieces, lengths []float32 }

func sizeOfGaps(gaps []gapQuestion) int {
	size := 0
	for _, g := range gaps {
		size += rung(len(g.lengths))
	}
	return size
}

type gapAnswer struct{ share, spread []float32 }

// The most that goes into one call: enough to keep any device busy, and done
// soon enough that nobody waits long for a cancelled one.
const (
	mostValues = 1 << 19 // of features of candidates and options
	mostPieces = 1 << 12 // padded
)

// askRoutes scores the candidates and options of several trips in one call.
func askRoutes(s Scorer, candidateWidth, optionWidth int) func([]routeQuestion) ([]routeAnswer, error) {
	return func(trips []routeQuestion) ([]routeAnswer, error) {
		all := trips[0]
		if len(trips) > 1 {
			all = joined(trips)
		}
		u, v, err := s.Routes(all.candidates, all.options)
		if err != nil {
			return nil, err
		}
		if len(u)*candidateWidth != len(all.candidates) || len(v)*optionWidth != len(all.options) {
			return nil, fmt.Errorf("the model gives %d and %d scores", len(u), len(v))
		}
		answers := make([]routeAnswer, len(trips))
		for i, t := range trips {
			n, m := len(t.candidates)/candidateWidth, len(t.options)/optionWidth
			answers[i] = routeAnswer{u[:n:n], v[:m:m]}
			u, v = u[n:], v[m:]
		}
		return answers, nil
	}
}

func joined(trips []routeQuestion) routeQuestion {
	var n, m int
	for _, t := range trips {
		n, m = n+len(t.candidates), m+len(t.options)
	}
	all := routeQuestion{make([]float32, 0, n), make([]float32, 0, m)}
	for _, t := range trips {
		all.candidates, all.options = append(all.candidates, t.candidates...), append(all.options, t.options...)
	}
	return all
}

// askTimes asks about the gaps of several trips, in calls for gaps of about one
// length each, so that little is padded.
//
// How far a gap is padded depends on the gap alone. So its answer is the same to
// the last bit whatever it shares a call with.
func askTimes(s Scorer, width int) func([][]gapQuestion) ([][]gapAnswer, error) {
	return func(trips [][]gapQuestion) ([][]gapAnswer, error) {
		answers := make([][]gapAnswer, len(trips))
		var all []padded
		for i, gaps := range trips {
			answers[i] = make([]gapAnswer, len(gaps))
			for k, g := range gaps {
				if len(g.lengths) == 0 {
					continue
				}
				all = append(all, padded{g, &answers[i][k], rung(len(g.lengths))})
			}
		}
		slices.SortStableFunc(all, func(a, b padded) int { return a.length - b.length })
		for first := 0; first < len(all); {
			last := first + 1
			for last < len(all) && all[last].length == all[first].length && (last-first+1)*all[first].length <= mostPieces {
				last++
			}
			if err := askPadded(s, all[first:last], width); err != nil {
				return nil, err
			}
			first = last
		}
		return answers, nil
	}
}

// padded is a gap on its way to the model.
type padded struct {
	gapQuestion
	answer *gapAnswer
	length int // in pieces, with the padding
}

// rung is the number of pieces that so many are padded to: the next of 8, 16, 24,
// 32, 48, 64, 96 and so on. All are multiples of 8, so that the rows of a call lie
// alike in memory, which sums over them depend on in the last bit.
func rung(n int) int {
	if n <= 8 {
		return 8
	}
	for r := 16; ; r *= 2 {
		if n <= r {
			return r
		}
		if n <= r*3/2 {
			return r * 3 / 2
		}
	}
}

// fewestGaps go into one call, empty ones if need be: sums over the pieces of a
// single gap are added up in another order.
const fewestGaps = 2

// askPadded makes one call for gaps of one padded length.
func askPadded(s Scorer, gaps []padded, width int) error {
	longest, rows := gaps[0].length, max(fewestGaps, len(gaps))
	pieces, lengths := make([]float32, rows*longest*width), make([]float32, rows*longest)
	counts := make([]int32, rows)
	for i, g := range gaps {
		copy(pieces[i*longest*width:], g.pieces)
		copy(lengths[i*longest:], g.lengths)
		counts[i] = int32(len(g.lengths))
	}
	share, spread, err := s.Times(pieces, lengths, counts, longest)
	if err != nil {
		return err
	}
	if len(share) != len(lengths) || len(spread) != len(lengths) {
		return fmt.Errorf("the model gives the times of %d and %d pieces, asked about %d", len(share), len(spread), len(lengths))
	}
	for i, g := range gaps {
		from, to := i*longest, i*longest+len(g.lengths)
		*g.answer = gapAnswer{share[from:to:to], spread[from:to:to]}
	}
	return nil
}
