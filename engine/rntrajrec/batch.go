package rntrajrec

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// routeQuestion is what the model is asked of where a trip went, and its answer.
type routeQuestion struct{ RouteInput }

func (q routeQuestion) size() int {
	return len(q.Candidates) + len(q.Options) + len(q.Road) + len(q.H) + mostValues/mostCells*len(q.OptionSegments)
}

type routeAnswer struct{ u, v []float32 }

// gapQuestion is what it is asked of when: the pieces of one gap, in rows of the
// schema's tensor "pieces", and their lengths in metres. Of a model that looks at
// the encoder it is told of the segments of the pieces and the samples around.
type gapQuestion struct {
	pieces, lengths []float32
	segments        []int32
	seen            Seen
}

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
	mostCells  = 1 << 16 // segments of options, padded, of each of which the model holds many values
)

// askRoutes scores the candidates and options of several trips in one call, or in
// one for those whose options are padded alike where the model looks at the
// encoder: how far an option is padded depends on its trip alone.
func askRoutes(s Scorer, candidateWidth, optionWidth, roadWidth int) func([]routeQuestion) ([]routeAnswer, error) {
	return func(trips []routeQuestion) ([]routeAnswer, error) {
		answers := make([]routeAnswer, len(trips))
		for _, alike := range alikeBy(trips, func(t routeQuestion) int { return t.Longest }) {
			all := &trips[alike[0]].RouteInput
			if len(alike) > 1 || all.Longest > 0 {
				all = joined(trips, alike, roadWidth)
			}
			u, v, err := s.Routes(all)
			if err != nil {
				return nil, err
			}
			if len(u)*candidateWidth != len(all.Candidates) || len(v)*optionWidth != len(all.Options) {
				return nil, fmt.Errorf("the model gives %d and %d scores", len(u), len(v))
			}
			for _, i := range alike {
				n, m := len(trips[i].Candidates)/candidateWidth, len(trips[i].Options)/optionWidth
				answers[i] = routeAnswer{u[:n:n], v[:m:m]}
				u, v = u[n:], v[m:]
			}
		}
		return answers, nil
	}
}

// joined is one question of several.
func joined(trips []routeQuestion, some []int, roadWidth int) *RouteInput {
	all := &RouteInput{Longest: trips[some[0]].Longest}
	for _, i := range some {
		all.Road = append(all.Road, trips[i].Road...)
	}
	places, road, h := int32(0), int32(0), int32(0)
	if roadWidth > 0 {
		places = int32(len(all.Road) / roadWidth)
	}
	for _, i := range some {
		t := &trips[i].RouteInput
		all.Candidates, all.Options = append(all.Candidates, t.Candidates...), append(all.Options, t.Options...)
		all.H = append(all.H, t.H...)
		all.CandidateSegment = settled(all.CandidateSegment, t.CandidateSegment, road, places)
		all.OptionSegments = settled(all.OptionSegments, t.OptionSegments, road, places)
		all.CandidateSample = settled(all.CandidateSample, t.CandidateSample, h, 0)
		all.OptionSample = settled(all.OptionSample, t.OptionSample, h, 0)
		if roadWidth > 0 {
			road, h = road+int32(len(t.Road)/roadWidth), h+int32(len(t.H)/roadWidth)
		}
	}
	return all
}

// askTimes asks about the gaps of several trips, in calls for gaps of one padded
// length each.
//
// How far a gap is padded depends on its trip alone. So its answer is the same to
// the last bit whatever it shares a call with.
func askTimes(s Scorer, width, roadWidth int) func([][]gapQuestion) ([][]gapAnswer, error) {
	return func(trips [][]gapQuestion) ([][]gapAnswer, error) {
		answers := make([][]gapAnswer, len(trips))
		var all []padded
		for i, gaps := range trips {
			answers[i] = make([]gapAnswer, len(gaps))
			lengths := paddedLengths(gaps)
			for k, g := range gaps {
				if n := len(g.lengths); n > 0 {
					all = append(all, padded{g, &answers[i][k], lengths[rung(n)]})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b padded) int { return a.length - b.length })
		for first := 0; first < len(all); {
			last := first + 1
			for last < len(all) && all[last].length == all[first].length && (last-first+1)*all[first].length <= mostPieces {
				last++
			}
			if err := askPadded(s, all[first:last], width, roadWidth); err != nil {
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

// rung is the number of rows that so many are padded to: the next of 8, 16, 24, 32,
// 40, 48, 56, 64, 80, 96, 112, 128, 160 and so on. All are multiples of 8, so that
// the rows of a call lie alike in memory, which sums over them depend on in the last
// bit.
func rung(n int) int {
	step := 8
	for n > 8*step {
		step *= 2
	}
	return max(1, (n+step-1)/step) * step
}

// rowsOfACall is how many rows of pieces take the CPU as long as a call takes for
// nothing.
const rowsOfACall = 32

// paddedLengths says how long the gaps of a trip that are of one rung are padded, by
// that rung: so that the calls for them take the least, if nothing else is in them.
func paddedLengths(gaps []gapQuestion) map[int]int {
	counts := map[int]int{}
	for _, g := range gaps {
		if n := len(g.lengths); n > 0 {
			counts[rung(n)]++
		}
	}
	rungs := slices.Sorted(maps.Keys(counts))
	costs, from := make([]int, len(rungs)+1), make([]int, len(rungs)+1) // of the first so many, and where the last call begins
	for last := range rungs {
		costs[last+1] = math.MaxInt
		together := 0
		for first := last; first >= 0; first-- {
			together += counts[rungs[first]]
			cost := costs[first] + max(fewestGaps, together)*rungs[last] + rowsOfACall
			if cost < costs[last+1] {
				costs[last+1], from[last+1] = cost, first
			}
		}
	}
	lengths := map[int]int{}
	for end := len(rungs); end > 0; end = from[end] {
		for _, r := range rungs[from[end]:end] {
			lengths[r] = rungs[end-1]
		}
	}
	return lengths
}

// fewestGaps go into one call, empty ones if need be: sums over the pieces of a
// single gap are added up in another order.
const fewestGaps = 2

// askPadded makes one call for gaps of one padded length.
func askPadded(s Scorer, gaps []padded, width, roadWidth int) error {
	in := paddedInput(gaps, width, roadWidth)
	share, spread, err := s.Times(in)
	if err != nil {
		return err
	}
	if len(share) != len(in.Lengths) || len(spread) != len(in.Lengths) {
		return fmt.Errorf("the model gives the times of %d and %d pieces, asked about %d", len(share), len(spread), len(in.Lengths))
	}
	for i, g := range gaps {
		from, to := i*in.Longest, i*in.Longest+len(g.lengths)
		*g.answer = gapAnswer{share[from:to:to], spread[from:to:to]}
	}
	return nil
}

// paddedInput lays gaps out as the model takes them.
func paddedInput(gaps []padded, width, roadWidth int) *TimeInput {
	longest, rows := gaps[0].length, max(fewestGaps, len(gaps))
	in := &TimeInput{
		Pieces: make([]float32, rows*longest*width), Lengths: make([]float32, rows*longest),
		Counts: make([]int32, rows), Longest: longest,
	}
	for i, g := range gaps {
		copy(in.Pieces[i*longest*width:], g.pieces)
		copy(in.Lengths[i*longest:], g.lengths)
		in.Counts[i] = int32(len(g.lengths))
	}
	if gaps[0].segments == nil {
		return in
	}
	for _, g := range gaps {
		in.Road = append(in.Road, g.seen.Road...)
	}
	places, road := int32(len(in.Road)/roadWidth), int32(0)
	in.GapSample = make([]int32, rows) // an empty gap is beside any sample
	for i, g := range gaps {
		in.GapSample[i] = int32(len(in.H) / roadWidth)
		in.H = append(in.H, g.seen.H...)
		in.PieceSegment = settled(in.PieceSegment, g.segments, road, places)
		for len(in.PieceSegment) < (i+1)*longest {
			in.PieceSegment = append(in.PieceSegment, places)
		}
		road += int32(len(g.seen.Road) / roadWidth)
	}
	for len(in.PieceSegment) < rows*longest {
		in.PieceSegment = append(in.PieceSegment, places)
	}
	return in
}
