package storage

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// The least that the items of a recovery take in its record, in bytes.
const (
	tickMin        = 14
	matchMin       = 3
	candidateMin   = 8
	partMin        = 9
	alternativeMin = 13
	spanMin        = 12
	gapMin         = 4
	doubtMin       = 11
)

// encodeRecovery writes a recovery, with positions to 1e-7 degrees, lengths to
// millimetres, ratios to 1e-9, probabilities to 1/65535 and margins to 1/32767.
func encodeRecovery(r *trajectory.Recovery) ([]byte, error) {
	e := &encoder{b: make([]byte, 0, 256+32*len(r.Ticks)+64*len(r.Matches))}
	e.text(r.Trajectory)
	p := r.Provenance
	for _, s := range []string{p.Method, p.Network, p.Fingerprint, p.Settings, p.Device, p.Version} {
		e.text(s)
	}
	e.uint(uint64(len(r.Warnings)))
	for _, s := range r.Warnings {
		e.text(s)
	}
	e.ticks(r.Ticks)
	e.matches(r.Matches)
	e.uint(uint64(len(r.Parts)))
	for _, p := range r.Parts {
		e.part(p)
	}
	e.alternatives(r.Alternatives)
	e.spans(r.Spans)
	cut := r.Whole != ""
	if p.Model != "" || len(r.Gaps)+len(r.Doubts) > 0 || cut { // came later than the rest: most records end before it
		e.text(p.Model)
	}
	if len(r.Gaps)+len(r.Doubts) > 0 || cut { // came later still
		e.gaps(r.Gaps)
	}
	if len(r.Doubts) > 0 || cut {
		e.doubts(r)
	}
	if cut { // the last that came
		e.text(r.Whole)
	}
	return e.b, e.err
}

func decodeRecovery(b []byte) (*trajectory.Recovery, error) {
	d := &decoder{b: b}
	r := &trajectory.Recovery{Trajectory: d.text()}
	p := &r.Provenance
	for _, s := range []*string{&p.Method, &p.Network, &p.Fingerprint, &p.Settings, &p.Device, &p.Version} {
		*s = d.shared()
	}
	r.Warnings = make([]string, d.count(1))
	for i := range r.Warnings {
		r.Warnings[i] = d.text()
	}
	r.Ticks = d.ticks()
	r.Matches = d.matches()
	r.Parts = make([]trajectory.Part, d.count(partMin))
	for i := range r.Parts {
		r.Parts[i] = d.part()
	}
	r.Alternatives = d.alternatives()
	r.Spans = d.spans()
	if d.at < len(d.b) {
		if p.Model = d.shared(); p.Model == "" && d.at == len(d.b) {
			d.fail()
		}
	}
	if d.at < len(d.b) {
		if r.Gaps = d.gaps(); len(r.Gaps) == 0 && d.at == len(d.b) {
			d.fail()
		}
	}
	if d.at < len(d.b) {
		if d.doubts(r); len(r.Doubts) == 0 && d.at == len(d.b) {
			d.fail()
		}
	}
	if d.at < len(d.b) {
		if r.Whole = d.text(); r.Whole == "" {
			d.fail()
		}
	}
	return r, d.end()
}

// Flags of a tick in its record.
const (
	tickObserved  = 1
	tickDeckShift = 1 // two bits
	tickFlagsMax  = 7
)

func (e *encoder) ticks(ts []trajectory.Tick) {
	n := len(ts)
	e.uint(uint64(n))
	e.times(n, func(i int) int64 { return ts[i].Time })
	e.quanta("longitude", n, coordSteps, func(i int) float64 { return ts[i].Lon })
	e.quanta("latitude", n, coordSteps, func(i int) float64 { return ts[i].Lat })
	e.quanta("metres along the part", n, metreSteps, func(i int) float64 { return ts[i].Along })
	e.runs(n, func(i int) int64 { return int64(ts[i].Part) })
	e.runs(n, func(i int) int64 { return int64(ts[i].Layer) })
	segment, sample := differ{e: e}, differ{e: e}
	for _, t := range ts {
		flags := byte(t.Deck) << tickDeckShift
		if t.Observed {
			flags |= tickObserved
		}
		e.byte(flags)
		if t.Observed {
			sample.put(int64(t.Sample))
		}
		segment.put(int64(t.At.Segment))
		e.ratio("ratio along a segment", t.At.Ratio)
		e.share("probability", t.Probability)
		e.margin("margin", t.Margin)
	}
}

func (d *decoder) ticks() []trajectory.Tick {
	n := d.count(tickMin)
	ts := make([]trajectory.Tick, n)
	d.times(n, func(i int, v int64) { ts[i].Time = v })
	d.quanta(n, coordSteps, func(i int, v float64) { ts[i].Lon = v })
	d.quanta(n, coordSteps, func(i int, v float64) { ts[i].Lat = v })
	d.quanta(n, metreSteps, func(i int, v float64) { ts[i].Along = v })
	d.runs(n, func(i int, v int64) { ts[i].Part = int32(v) })
	d.runs(n, func(i int, v int64) { ts[i].Layer = int8(v) })
	segment, sample := summer{d: d}, summer{d: d}
	for i := range ts {
		t, flags := &ts[i], d.byte()
		if flags > tickFlagsMax {
			d.fail()
		}
		t.Deck, t.Observed = trajectory.Deck(flags>>tickDeckShift), flags&tickObserved != 0
		if t.Observed {
			t.Sample = uint32(sample.next())
		}
		t.At.Segment = roadnet.SegmentID(segment.next())
		t.At.Ratio = d.ratio()
		t.Probability = d.share()
		t.Margin = d.margin()
	}
	return ts
}
