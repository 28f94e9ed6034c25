package rntrajrec

import (
	"slices"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/trajectory"
)

// timeBatch is the pieces of the gaps of a chain, padded to the longest.
type timeBatch struct {
	pieces, lengths []float32
	counts          []int32
	longest         int
}

// times asks the model how the time of each gap is shared out.
func (d *Decoder) times(samples []trajectory.Sample, res *match.Result, legs []match.Leg) error {
	perGap := make([][]match.Time, len(legs))
	values, lengths := make([][]float32, len(legs)), make([][]float32, len(legs))
	b := &d.batch
	b.counts, b.longest = b.counts[:0], 1
	width := 0
	ways := make([]feature.Way, len(legs))
	for gap, leg := range legs {
		ways[gap] = feature.Way{Segments: leg.Path, From: res.Matches[leg.From].At, To: res.Matches[leg.To].At}
	}
	d.trips.Drive(samples, ways)
	for gap := range legs {
		d.trips.FillPieces(&d.pieces, gap, ways[gap])
		width = d.pieces.Columns
		for _, p := range d.pieces.Pieces {
			perGap[gap] = append(perGap[gap], match.Time{Step: p.Step, To: p.To})
			lengths[gap] = append(lengths[gap], float32(p.Length))
		}
		values[gap] = slices.Clone(d.pieces.Values)
		b.counts = append(b.counts, int32(len(perGap[gap])))
		b.longest = max(b.longest, len(perGap[gap]))
	}
	b.pad(values, lengths, width)
	share, spread, err := d.scorer.Times(b.pieces, b.lengths, b.counts, b.longest)
	if err != nil {
		return err
	}
	for gap := range legs {
		for i := range perGap[gap] {
			perGap[gap][i].Share = float64(share[gap*b.longest+i])
			perGap[gap][i].Spread = float64(spread[gap*b.longest+i])
		}
		legs[gap].Times = perGap[gap]
	}
	return nil
}

func (b *timeBatch) pad(values, lengths [][]float32, width int) {
	b.pieces = make([]float32, len(values)*b.longest*width)
	b.lengths = make([]float32, len(values)*b.longest)
	for gap := range values {
		copy(b.pieces[gap*b.longest*width:], values[gap])
		copy(b.lengths[gap*b.longest:], lengths[gap])
	}
}
