package trajectory

import "fmt"

// Join is the recovery of a whole trip from those of the pieces that it was cut into, in
// order of time: its parts are those of all pieces, its samples theirs one after another,
// and between two pieces is a [Gap] without a path. It is wrong where any piece is, and as
// far off as the pieces are on average. The pieces are not changed; of one, or none with
// [Recovery.Whole], the first is given back.
func Join(pieces []*Recovery) *Recovery {
	if len(pieces) < 2 || pieces[0].Whole == "" {
		return pieces[0]
	}
	j := &Recovery{Trajectory: pieces[0].Whole, Provenance: pieces[0].Provenance}
	right, errors := float32(1), float32(0)
	for i, p := range pieces {
		j.bridge(p)
		j.add(p)
		for _, w := range p.Warnings {
			j.Warnings = append(j.Warnings, fmt.Sprintf("piece %d: %s", i+1, w))
		}
		right *= 1 - p.Risk.Wrong
		errors += p.Risk.Error * float32(len(p.Ticks))
	}
	j.Risk = Risk{Wrong: 1 - right, Error: errors / max(1, float32(len(j.Ticks)))}
	return j
}

// bridge tells of the gap before a piece that is to be added.
func (j *Recovery) bridge(p *Recovery) {
	from, to := -1, -1
	for i, m := range j.Matches {
		if m.State.Placed() {
			from = i
		}
	}
	for i := len(p.Matches) - 1; i >= 0; i-- {
		if p.Matches[i].State.Placed() {
			to = i
		}
	}
	if from >= 0 && to >= 0 {
		g := Gap{FromSample: uint32(from), ToSample: uint32(len(j.Matches) + to), Why: Cut, Broken: true}
		j.Gaps = append(j.Gaps, g)
		j.Doubts = append(j.Doubts, Doubt{FromSample: g.FromSample, ToSample: g.ToSample, Risk: 1})
	}
}

// add puts a piece behind what is there.
func (j *Recovery) add(p *Recovery) {
	part, sample := int32(len(j.Parts)), uint32(len(j.Matches))
	j.Parts = append(j.Parts, p.Parts...)
	j.Matches = append(j.Matches, p.Matches...)
	for _, t := range p.Ticks {
		t.Part += part
		if t.Observed {
			t.Sample += sample
		}
		j.Ticks = append(j.Ticks, t)
	}
	for _, s := range p.Spans {
		s.Part += part
		j.Spans = append(j.Spans, s)
	}
	for _, a := range p.Alternatives {
		a.FromSample, a.ToSample = a.FromSample+sample, a.ToSample+sample
		j.Alternatives = append(j.Alternatives, a)
	}
	for _, g := range p.Gaps {
		g.FromSample, g.ToSample = g.FromSample+sample, g.ToSample+sample
		j.Gaps = append(j.Gaps, g)
	}
	for _, d := range p.Doubts {
		d.FromSample, d.ToSample = d.FromSample+sample, d.ToSample+sample
		j.Doubts = append(j.Doubts, d)
	}
}
