package flow

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// Entry is a drive into a segment, as probable as a recovery holds it. A trip enters
// its first segment where it begins.
type Entry struct {
	Segment roadnet.SegmentID
	Chance  float64 // 0..1, that it was so
	Told    bool    // it is on the way told, the most probable one
	At      float64 // Unix seconds when the segment was entered; NaN: not known
	Metres  float64 // driven on the segment
	Seconds float64 // that it took; 0: not known

	// Way are segments driven one after another, Way[Index] this one. Those before may
	// be less than the whole trip, and those behind none. They are good during the
	// visit only.
	Way   []roadnet.SegmentID
	Index int

	gap    int     // entries of one gap exclude one another, those of different gaps do not
	option int     // of the gap: 0 is the way told
	along  float64 // metres from the start of the trip to about there
}

// before is how many segments of the way told are put before those of another.
const before = 32

// Likely goes along all ways that a recovery holds for possible. It is for one
// goroutine.
//
// Between two samples the way told and the others that the recovery keeps
// ([trajectory.Alternative]) share what is probable in proportion to their
// probabilities: where one has a chance of 0.6 and another of 0.3, the first counts
// 2/3 and the second 1/3. A gap without other ways counts as certain. The expected
// count of drives into a segment is then the sum of the chances over all gaps, for
// expectations add up whether or not gaps depend on one another.
type Likely struct {
	net    *roadnet.Network
	walker walker
	trim   float64
	gaps   []gap
	begins []float64 // metres from the start of the part, by segment
	way    []roadnet.SegmentID
}

// NewLikely goes along recoveries on a network. Entries within trim metres of the
// beginning and the end of a trip are left out, for nobody is to be known by where he
// lives.
func NewLikely(net *roadnet.Network, trim float64) *Likely {
	return &Likely{net: net, walker: walker{net: net}, trim: trim}
}

// gap is a stretch of the way told for which there may be others.
type gap struct {
	from, to   float64 // metres along the part
	begin, end float64 // Unix seconds
	told       float64 // chance of the way told
	others     []trajectory.Alternative
	sum        float64 // what the probabilities are divided by
}

// Each visits all entries of a recovery, part by part: those of the way told, then
// those of other ways.
func (l *Likely) Each(r *trajectory.Recovery, visit func(Entry)) {
	total, begun := 0.0, 0.0
	for _, p := range r.Parts {
		total += facts.PartLength(l.net, p)
	}
	tick, number := 0, 0
	for i, p := range r.Parts {
		if len(p.Segments) == 0 {
			continue
		}
		first := tick
		tick = l.walker.pace.read(r.Ticks, tick, int32(i))
		for first < tick && r.Ticks[first].Part < int32(i) {
			first++
		}
		l.readGaps(r, r.Ticks[first:tick])
		keep := func(e Entry, along float64) {
			if e.along = begun + along; l.trim == 0 || e.along >= l.trim && e.along <= total-l.trim {
				visit(e)
			}
		}
		l.told(p, number, keep)
		l.others(p, number, keep)
		begun += facts.PartLength(l.net, p)
		number += len(l.gaps) + 1
	}
}

// readGaps finds the gaps of a part by its ticks.
func (l *Likely) readGaps(r *trajectory.Recovery, ticks []trajectory.Tick) {
	l.gaps = l.gaps[:0]
	at := map[uint32]trajectory.Tick{}
	for _, t := range ticks {
		if t.Observed {
			at[t.Sample] = t
		}
	}
	own := map[uint32]float64{}
	for _, d := range r.Doubts {
		own[d.FromSample] = float64(d.Probability)
	}
	for i := 0; i < len(r.Alternatives); {
		a := r.Alternatives[i]
		n := i + 1
		for n < len(r.Alternatives) && r.Alternatives[n].FromSample == a.FromSample {
			n++
		}
		from, ok := at[a.FromSample]
		to, ends := at[a.ToSample]
		if ok && ends && from.Along <= to.Along {
			g := gap{from: from.Along, to: to.Along, begin: float64(from.Time) / 1000, end: float64(to.Time) / 1000, others: r.Alternatives[i:n]}
			g.share(own, a.FromSample)
			l.gaps = append(l.gaps, g)
		}
		i = n
	}
}

// share makes chances of probabilities.
func (g *gap) share(own map[uint32]float64, sample uint32) {
	others := 0.0
	for _, a := range g.others {
		others += float64(a.Probability)
	}
	told, known := own[sample]
	if !known {
		told = max(0, 1-others)
	}
	g.sum = told + others
	g.told = 1
	if g.sum > 0 {
		g.told = told / g.sum
	}
}

// told visits the entries of the way told.
func (l *Likely) told(p trajectory.Part, number int, keep func(Entry, float64)) {
	l.begins = l.begins[:0]
	along, g := 0.0, 0
	for k, s := range p.Segments {
		d := drive{segment: s, begin: along, pace: &l.walker.pace}
		d.from, d.to = roadnet.Driven(k, len(p.Segments), p.StartRatio, p.EndRatio)
		d.length = l.net.Length(s) * (d.to - d.from)
		l.begins = append(l.begins, along)
		for g < len(l.gaps) && l.gaps[g].to <= along {
			g++
		}
		e := Entry{Segment: s, Chance: 1, Told: true, Way: p.Segments, Index: k, gap: number, At: math.NaN(), Metres: max(0, d.length)}
		if g < len(l.gaps) && l.gaps[g].from <= along {
			e.Chance, e.gap = l.gaps[g].told, number+1+g
		}
		if enter, leave, ok := d.times(); ok {
			e.At = enter
			e.Seconds = believable(l.net, s, d.length, leave-enter)
		}
		keep(e, along)
		along += d.length
	}
}

// believable are the seconds of a drive, or 0 where no vehicle is as fast.
func believable(net *roadnet.Network, s roadnet.SegmentID, metres, seconds float64) float64 {
	if seconds > 0 && metres > 0 && metres <= facts.MostSpeed(net, s)*seconds {
		return seconds
	}
	return 0
}

// others visits the entries of the other ways. Each is driven steadily.
func (l *Likely) others(p trajectory.Part, number int, keep func(Entry, float64)) {
	for i, g := range l.gaps {
		at := 0 // the segment that the gap begins on
		for at+1 < len(l.begins) && l.begins[at+1] <= g.from {
			at++
		}
		for k, a := range g.others {
			if len(a.Part.Segments) > 0 && g.sum > 0 {
				l.other(p.Segments[:at+1], a, g, func(e Entry, along float64) {
					e.gap, e.option = number+1+i, k+1
					keep(e, along)
				})
			}
		}
	}
}

// other visits the entries of one other way; told is what was driven up to the gap.
func (l *Likely) other(told []roadnet.SegmentID, a trajectory.Alternative, g gap, keep func(Entry, float64)) {
	segments := a.Part.Segments
	first := 1
	if g.from <= 0 { // a trip enters its first segment where it begins
		first = 0
	}
	l.way = l.way[:0]
	if last := len(told) - 1; told[last] == segments[0] {
		l.way = append(l.way, told[max(0, last-before):last]...)
	}
	prefix := len(l.way)
	l.way = append(l.way, segments...)
	length := facts.PartLength(l.net, a.Part)
	pace := 0.0 // seconds a metre
	if length > 0 {
		pace = (g.end - g.begin) / length
	}
	along := 0.0
	for k, s := range segments {
		from, to := roadnet.Driven(k, len(segments), a.Part.StartRatio, a.Part.EndRatio)
		metres := max(0, l.net.Length(s)*(to-from))
		if k >= first {
			e := Entry{Segment: s, Chance: float64(a.Probability) / g.sum, At: g.begin + pace*along, Metres: metres,
				Seconds: believable(l.net, s, metres, pace*metres), Way: l.way, Index: prefix + k}
			keep(e, g.from+(g.to-g.from)*along/max(length, 1))
		}
		along += metres
	}
}
