package rntrajrec

import (
	"fmt"
	"slices"
)

// tickAnswer is what is said of one tick of the beams of a trip.
type tickAnswer struct{ state, scores []float32 }

func sizeOfTick(in *TickInput) int    { return len(in.Moves.Values) + len(in.Moves.Road) + len(in.H) }
func sizeOfRatios(in *RatioInput) int { return len(in.Moves.Values) + len(in.Moves.Road) }

// fewestRows go into one call, empty ones if need be: a single row is multiplied
// in another way, which differs in the last bit.
const fewestRows = 2

// askTicks asks about one tick of several trips, in one call for those whose
// samples are padded alike. How far they are depends on the trip alone, so its
// answer is the same to the last bit whatever it shares a call with.
func askTicks(s TickScorer, width int) func([]*TickInput) ([]tickAnswer, error) {
	return func(trips []*TickInput) ([]tickAnswer, error) {
		answers := make([]tickAnswer, len(trips))
		for _, some := range alikeBy(trips, func(t *TickInput) int { return t.Samples }) {
			all := joinedTicks(trips, some, width)
			state, scores, err := s.Tick(all)
			if err != nil {
				return nil, err
			}
			if len(state) != len(all.State) || len(scores) != len(all.MoveBeam) {
				return nil, fmt.Errorf("the model gives %d values of states and %d scores, asked about %d and %d",
					len(state), len(scores), len(all.State), len(all.MoveBeam))
			}
			for _, i := range some {
				n, m := len(trips[i].State), len(trips[i].MoveBeam)
				answers[i] = tickAnswer{state[:n:n], scores[:m:m]}
				state, scores = state[n:], scores[m:]
			}
		}
		return answers, nil
	}
}

// alikeBy are the places of questions that have something in common.
func alikeBy[T any](all []T, by func(T) int) [][]int {
	var groups [][]int
	for i, t := range all {
		at := slices.IndexFunc(groups, func(g []int) bool { return by(all[g[0]]) == by(t) })
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// joinedTicks is one question of several.
func joinedTicks(trips []*TickInput, some []int, width int) *TickInput {
	first := trips[some[0]]
	if len(some) == 1 && len(first.BeamTrip) >= fewestRows && len(first.MoveBeam) >= fewestRows {
		return first
	}
	all := &TickInput{Samples: first.Samples}
	for trip, i := range some {
		t := trips[i]
		beams := int32(len(all.BeamTrip))
		all.State, all.Road, all.Ratio = append(all.State, t.State...), append(all.Road, t.Road...), append(all.Ratio, t.Ratio...)
		all.H, all.Known = append(all.H, t.H...), append(all.Known, t.Known...)
		for range t.BeamTrip {
			all.BeamTrip = append(all.BeamTrip, int32(trip))
		}
		for _, beam := range t.MoveBeam {
			all.MoveBeam = append(all.MoveBeam, beams+beam)
		}
		all.Moves.join(&t.Moves)
	}
	columns, wide := len(all.Values)/len(all.MoveBeam), len(all.Candidates)/len(all.MoveBeam)
	for len(all.BeamTrip) < fewestRows {
		all.State, all.Road = append(all.State, make([]float32, width)...), append(all.Road, make([]float32, width)...)
		all.Ratio, all.BeamTrip = append(all.Ratio, 0), append(all.BeamTrip, 0)
	}
	for len(all.MoveBeam) < fewestRows {
		all.MoveBeam = append(all.MoveBeam, 0)
		all.Moves.pad(width, columns, wide)
	}
	return all
}

// join appends moves.
func (m *Moves) join(o *Moves) {
	m.Road, m.Values, m.Candidates = append(m.Road, o.Road...), append(m.Values, o.Values...), append(m.Candidates, o.Candidates...)
}

// pad appends an empty move.
func (m *Moves) pad(width, columns, wide int) {
	m.Road, m.Values, m.Candidates = append(m.Road, make([]float32, width)...), append(m.Values, make([]float32, columns)...), append(m.Candidates, make([]float32, wide)...)
}

// askRatios asks about the moves chosen of several trips in one call.
func askRatios(s TickScorer, width int) func([]*RatioInput) ([][]float32, error) {
	return func(trips []*RatioInput) ([][]float32, error) {
		all := trips[0]
		if len(trips) > 1 || len(all.State)/width < fewestRows {
			all = joinedRatios(trips, width)
		}
		ratios, err := s.Ratios(all)
		if err != nil {
			return nil, err
		}
		if len(ratios) != len(all.State)/width {
			return nil, fmt.Errorf("the model gives %d ratios, asked about %d", len(ratios), len(all.State)/width)
		}
		answers := make([][]float32, len(trips))
		for i, t := range trips {
			n := len(t.State) / width
			answers[i], ratios = ratios[:n:n], ratios[n:]
		}
		return answers, nil
	}
}

// joinedRatios is one question of several.
func joinedRatios(trips []*RatioInput, width int) *RatioInput {
	all := &RatioInput{}
	for _, t := range trips {
		all.State = append(all.State, t.State...)
		all.Moves.join(&t.Moves)
	}
	rows := len(all.State) / width
	for n := rows; n < fewestRows; n++ {
		all.State = append(all.State, make([]float32, width)...)
		all.Moves.pad(width, len(all.Values)/n, len(all.Candidates)/n)
	}
	return all
}
