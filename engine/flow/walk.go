package flow

import (
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// drive is one piece of a segment that a trip drove.
type drive struct {
	segment  roadnet.SegmentID
	from, to float64 // ratios along the segment
	begin    float64 // metres from the start of the part to from
	length   float64 // metres
	pace     *pace
}

// times are when the piece was entered and left, in Unix seconds; false where
// the ticks do not tell.
func (d drive) times() (enter, leave float64, ok bool) {
	enter, ok0 := d.pace.at(d.begin)
	leave, ok1 := d.pace.at(d.begin + d.length)
	return enter, leave, ok0 && ok1
}

// at is when the vehicle was at a ratio along the segment, in Unix seconds.
func (d drive) at(ratio float64) (float64, bool) {
	if d.to == d.from {
		return d.pace.at(d.begin)
	}
	return d.pace.at(d.begin + d.length*(ratio-d.from)/(d.to-d.from))
}

// walker goes along recoveries; it is for one goroutine.
type walker struct {
	net  *roadnet.Network
	pace pace
}

// walk visits what a recovery drove, in order. The drives are good during the
// visit only.
func (w *walker) walk(r *trajectory.Recovery, visit func(drive)) {
	tick := 0
	for i, p := range r.Parts {
		tick = w.pace.read(r.Ticks, tick, int32(i))
		begin := 0.0
		for k, s := range p.Segments {
			d := drive{segment: s, begin: begin, pace: &w.pace}
			d.from, d.to = roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
			d.length = w.net.Length(s) * (d.to - d.from)
			visit(d)
			begin += d.length
		}
	}
}

// pace is when a part was how far along, by its ticks.
type pace struct{ along, seconds []float64 }

// read takes the ticks of a part, looking from one on, and returns the first
// behind them.
func (p *pace) read(ticks []trajectory.Tick, from int, part int32) int {
	p.along, p.seconds = p.along[:0], p.seconds[:0]
	for from < len(ticks) && ticks[from].Part < part {
		from++
	}
	for from < len(ticks) && ticks[from].Part == part {
		p.along = append(p.along, ticks[from].Along)
		p.seconds = append(p.seconds, float64(ticks[from].Time)/1000)
		from++
	}
	return from
}

// at is the time in seconds at which d metres were reached, within the ticks; a
// metre beyond is forgiven.
func (p *pace) at(d float64) (float64, bool) {
	n := len(p.along)
	if n < 2 || d < p.along[0]-1 || d > p.along[n-1]+1 {
		return 0, false
	}
	i := sort.SearchFloat64s(p.along, d)
	switch i {
	case 0:
		return p.seconds[0], true
	case n:
		return p.seconds[n-1], true
	}
	step := p.along[i] - p.along[i-1]
	if step <= 0 {
		return p.seconds[i], true
	}
	return p.seconds[i-1] + (p.seconds[i]-p.seconds[i-1])*(d-p.along[i-1])/step, true
}
