package storage

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

func (e *encoder) matches(ms []trajectory.SampleMatch) {
	e.uint(uint64(len(ms)))
	segment := differ{e: e}
	for _, m := range ms {
		e.byte(byte(m.State))
		if m.State.Placed() {
			segment.put(int64(m.At.Segment))
			e.ratio("ratio along a segment", m.At.Ratio)
		}
		e.metres("distance from a sample", float64(m.Distance))
		e.uint(uint64(len(m.Candidates)))
		for _, c := range m.Candidates {
			segment.put(int64(c.Segment))
			e.ratio("ratio along a segment", c.Ratio)
			e.metres("distance from a sample", float64(c.Distance))
			e.share("probability", c.Probability)
		}
	}
}

func (d *decoder) matches() []trajectory.SampleMatch {
	ms := make([]trajectory.SampleMatch, d.count(matchMin))
	segment := summer{d: d}
	for i := range ms {
		m := &ms[i]
		m.State = trajectory.SampleState(d.byte())
		if m.State > trajectory.Passed {
			d.fail()
		}
		if m.State.Placed() {
			m.At.Segment = roadnet.SegmentID(segment.next())
			m.At.Ratio = d.ratio()
		}
		m.Distance = float32(d.metres())
		m.Candidates = make([]trajectory.Candidate, d.count(candidateMin))
		for j := range m.Candidates {
			c := &m.Candidates[j]
			c.Segment = roadnet.SegmentID(segment.next())
			c.Ratio = d.ratio()
			c.Distance = float32(d.metres())
			c.Probability = d.share()
		}
	}
	return ms
}

func (e *encoder) metres(what string, v float64) { e.int(e.steps(what, v, metreSteps)) }
func (d *decoder) metres() float64               { return float64(d.int()) / metreSteps }

func (e *encoder) part(p trajectory.Part) {
	e.uint(uint64(len(p.Segments)))
	segment := differ{e: e}
	for _, s := range p.Segments {
		segment.put(int64(s))
	}
	e.ratio("ratio along a segment", p.StartRatio)
	e.ratio("ratio along a segment", p.EndRatio)
}

func (d *decoder) part() trajectory.Part {
	p := trajectory.Part{Segments: make([]roadnet.SegmentID, d.count(1))}
	segment := summer{d: d}
	for i := range p.Segments {
		p.Segments[i] = roadnet.SegmentID(segment.next())
	}
	p.StartRatio = d.ratio()
	p.EndRatio = d.ratio()
	return p
}

func (e *encoder) alternatives(as []trajectory.Alternative) {
	e.uint(uint64(len(as)))
	for _, a := range as {
		e.uint(uint64(a.FromSample))
		e.uint(uint64(a.ToSample))
		e.part(a.Part)
		e.share("probability", a.Probability)
	}
}

func (d *decoder) alternatives() []trajectory.Alternative {
	as := make([]trajectory.Alternative, d.count(alternativeMin))
	for i := range as {
		a := &as[i]
		a.FromSample = uint32(d.uint())
		a.ToSample = uint32(d.uint())
		a.Part = d.part()
		a.Probability = d.share()
	}
	return as
}

func (e *encoder) spans(ss []trajectory.Span) {
	e.uint(uint64(len(ss)))
	for _, s := range ss {
		e.int(s.Enter)
		e.int(s.Exit - s.Enter)
		e.int(int64(s.Part))
		e.metres("metres along the part", s.From)
		e.metres("metres along the part", s.To)
		e.text(s.Road)
		e.byte(byte(s.Kind))
		e.share("probability", s.Probability)
		e.text(s.RunnerUp)
		e.margin("margin", s.Margin)
	}
}

func (d *decoder) spans() []trajectory.Span {
	ss := make([]trajectory.Span, d.count(spanMin))
	for i := range ss {
		s := &ss[i]
		s.Enter = d.int()
		s.Exit = s.Enter + d.int()
		s.Part = int32(d.int())
		s.From = d.metres()
		s.To = d.metres()
		s.Road = d.shared()
		s.Kind = trajectory.Deck(d.byte())
		s.Probability = d.share()
		s.RunnerUp = d.shared()
		s.Margin = d.margin()
		if s.Kind > trajectory.Tunnel {
			d.fail()
		}
	}
	return ss
}

func (e *encoder) gaps(gs []trajectory.Gap) {
	e.uint(uint64(len(gs)))
	for _, g := range gs {
		e.uint(uint64(g.FromSample))
		e.uint(uint64(g.ToSample))
		broken := byte(0)
		if g.Broken {
			broken = 1
		}
		e.byte(byte(g.Why)<<1 | broken)
		e.metres("speed in metres a second", float64(g.Speed))
	}
}

func (d *decoder) gaps() []trajectory.Gap {
	gs := make([]trajectory.Gap, d.count(gapMin))
	for i := range gs {
		g := &gs[i]
		g.FromSample, g.ToSample = uint32(d.uint()), uint32(d.uint())
		flags := d.byte()
		g.Why, g.Broken = trajectory.Why(flags>>1), flags&1 != 0
		g.Speed = float32(d.metres())
		if g.Why.String() == "" {
			d.fail()
		}
	}
	return gs
}

// doubts are how far the gaps and the whole of a recovery can be trusted.
func (e *encoder) doubts(r *trajectory.Recovery) {
	e.share("risk", r.Risk.Wrong)
	e.metres("expected error", float64(r.Risk.Error))
	e.uint(uint64(len(r.Doubts)))
	from, to := differ{e: e}, differ{e: e}
	for _, t := range r.Doubts {
		from.put(int64(t.FromSample))
		to.put(int64(t.ToSample))
		e.share("probability", t.Probability)
		e.share("probability", t.RunnerUp)
		e.share("risk", t.Risk)
		e.metres("expected error", float64(t.Error))
		e.metres("doubt along the way", float64(t.Along))
		e.byte(byte(t.Odd))
	}
}

func (d *decoder) doubts(r *trajectory.Recovery) {
	r.Risk.Wrong = d.share()
	r.Risk.Error = float32(d.metres())
	r.Doubts = make([]trajectory.Doubt, d.count(doubtMin))
	from, to := summer{d: d}, summer{d: d}
	for i := range r.Doubts {
		t := &r.Doubts[i]
		t.FromSample, t.ToSample = uint32(from.next()), uint32(to.next())
		t.Probability, t.RunnerUp, t.Risk = d.share(), d.share(), d.share()
		t.Error, t.Along = float32(d.metres()), float32(d.metres())
		if t.Odd = trajectory.Oddity(d.byte()); t.Odd > trajectory.AnyOddity {
			d.fail()
		}
	}
}
