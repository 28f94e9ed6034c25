package rntrajrec

import (
	"context"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
)

// gapPieces is the pieces of the gaps of a chain. It can be filled anew and then
// uses its memory again.
type gapPieces struct {
	one       feature.GapPieces
	values    []float32
	lengths   []float32
	times     [][]match.Time // by gap, shares and spreads not yet known
	questions []gapQuestion
}

// cut cuts the paths of the legs into pieces and describes them, unless ctx is
// done.
func (d *Decoder) cut(ctx context.Context, j *job, s *searcher) error {
	p := &j.pieces
	p.values, p.lengths, p.times, p.questions = p.values[:0], p.lengths[:0], p.times[:0], p.questions[:0]
	ways := make([]feature.Way, len(j.legs))
	for gap, leg := range j.legs {
		ways[gap] = feature.Way{Segments: leg.Path, From: j.res.Matches[leg.From].At, To: j.res.Matches[leg.To].At}
	}
	s.trips.Drive(j.samples, ways)
	for gap := range j.legs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !d.asksTime(j, gap) {
			p.times, p.questions = append(p.times, nil), append(p.questions, gapQuestion{})
			continue
		}
		s.trips.FillPieces(&p.one, gap)
		times := make([]match.Time, len(p.one.Pieces))
		for i, piece := range p.one.Pieces {
			times[i] = match.Time{Step: piece.Step, To: piece.To}
			p.lengths = append(p.lengths, float32(piece.Length))
		}
		p.times = append(p.times, times)
		p.values = append(p.values, p.one.Values...)
		segments, seen, err := d.see(ctx, j, gap, p.one.Pieces)
		if err != nil {
			return err
		}
		p.questions = append(p.questions, gapQuestion{segments: segments, seen: seen})
	}
	p.ask()
	return nil
}

// In gaps up to so many seconds there is no doubt when a place is reached that a model
// would settle.
const shortest = 10

// asksTime reports whether the model is asked when the places of a gap are reached: not
// in a short one, nor of a vehicle that stands.
func (d *Decoder) asksTime(j *job, gap int) bool {
	if d.blend.Short == 0 {
		return true
	}
	a, b := j.samples[gap], j.samples[gap+1]
	return j.seconds(gap) > shortest && roadnet.Distance(roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat}) >= d.blend.Near
}

// asksWhen reports whether it is asked so of any gap.
func (d *Decoder) asksWhen(j *job) bool {
	for gap := range j.legs {
		if d.asksTime(j, gap) {
			return true
		}
	}
	return false
}

// ask puts values into the questions of the gaps, now that they lie where they stay.
func (p *gapPieces) ask() {
	values, lengths := p.values, p.lengths
	for gap, times := range p.times {
		n, m := len(times), len(times)*p.one.Columns
		p.questions[gap].pieces, p.questions[gap].lengths = values[:m], lengths[:n]
		values, lengths = values[m:], lengths[n:]
	}
}

// tell tells the legs what was answered, with so many times the doubt.
func (p *gapPieces) tell(answers []gapAnswer, legs []match.Leg, doubt float64) {
	for gap, times := range p.times {
		for i := range times {
			times[i].Share = float64(answers[gap].share[i])
			times[i].Spread = doubt * float64(answers[gap].spread[i])
		}
		legs[gap].Times = times
	}
}
