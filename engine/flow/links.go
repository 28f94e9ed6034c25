package flow

import (
	"context"
	"sort"

	"retrace/engine/roadnet"
)

// Ask says what a count is over.
type Ask struct {
	Trips []string // ids; nil: all trips
	When  When
}

// Link is how one segment was driven.
type Link struct {
	Segment roadnet.SegmentID
	Trips   int     // that drove on it
	Passes  int     // drives over it, of which one trip may make several
	Speed   float64 // mean over the drives, in m/s; 0 where it is not known
}

func (t total) link(s roadnet.SegmentID) Link {
	l := Link{Segment: s, Trips: int(t.trips), Passes: int(t.passes)}
	if t.seconds > 0 && t.metres > 0 {
		l.Speed = t.metres / t.seconds
	}
	return l
}

// someOf is the share of all trips from which on the whole index is gone
// through rather than the trips asked for.
const someOf = 8

// Links counts the drives over each segment that was driven, by falling count.
// It ends early when ctx does.
func (x *Index) Links(ctx context.Context, ask Ask) ([]Link, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var links []Link
	switch {
	case ask.Trips == nil && ask.When.Always():
		links = make([]Link, 0, x.driven)
		for _, r := range x.roads {
			if r.total.trips > 0 {
				links = append(links, r.total.link(r.segment))
			}
		}
	case ask.Trips != nil && len(ask.Trips)*someOf < len(x.number):
		links = x.linksOfFew(ctx, ask)
	default:
		links = x.linksOfMany(ctx, ask)
	}
	sort.Slice(links, func(i, j int) bool {
		if links[i].Trips != links[j].Trips {
			return links[i].Trips > links[j].Trips
		}
		return links[i].Segment < links[j].Segment
	})
	return links, ctx.Err()
}

// checkEvery is how many trips or segments are looked at between two looks at
// the context.
const checkEvery = 1024

// linksOfFew goes along the trips asked for.
func (x *Index) linksOfFew(ctx context.Context, ask Ask) []Link {
	w, dial := walker{net: x.net}, newDial(ask.When)
	sums := map[roadnet.SegmentID]*total{}
	last := map[roadnet.SegmentID]int32{}
	for i, id := range ask.Trips {
		number, ok := x.number[id]
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil
		}
		if !ok {
			continue
		}
		w.walk(x.entries[number].whole(), func(d drive) {
			p := passOf(x.net, d)
			if !p.counts(dial, ask.When) {
				return
			}
			sum := sums[d.segment]
			if sum == nil {
				sum = &total{}
				sums[d.segment] = sum
			}
			sum.add(p, last[d.segment] != number+1)
			last[d.segment] = number + 1
		})
	}
	links := make([]Link, 0, len(sums))
	for s, sum := range sums {
		links = append(links, sum.link(s))
	}
	return links
}

// counts reports whether a pass lies within the times that count; one whose time
// is not known counts where any time does.
func (p pass) counts(d *dial, w When) bool {
	return w.Always() || p.enter != 0 && d.counts(int64(p.enter))
}

func (t *total) add(p pass, newTrip bool) {
	t.passes++
	if newTrip {
		t.trips++
	}
	t.metres += float64(p.metres)
	t.seconds += float64(p.seconds)
}

// linksOfMany goes through all passes.
func (x *Index) linksOfMany(ctx context.Context, ask Ask) []Link {
	in, dial := x.wanted(ask.Trips), newDial(ask.When)
	var links []Link
	for i, r := range x.roads {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil
		}
		if r.total.trips == 0 {
			continue
		}
		var sum total
		last := int32(-1)
		for _, p := range r.passes {
			if in(p.trip) && p.counts(dial, ask.When) {
				sum.add(p, p.trip != last)
				last = p.trip
			}
		}
		if sum.passes > 0 {
			links = append(links, sum.link(r.segment))
		}
	}
	return links
}

// wanted says of a trip's number whether it is there and asked for.
func (x *Index) wanted(ids []string) func(int32) bool {
	if ids == nil {
		return func(n int32) bool { return !x.entries[n].gone }
	}
	in := make([]bool, len(x.entries))
	for _, id := range ids {
		if n, ok := x.number[id]; ok {
			in[n] = true
		}
	}
	return func(n int32) bool { return in[n] }
}

// TripsOn lists the trips that drove over any of some segments, in the order in
// which they came.
func (x *Index) TripsOn(segments []roadnet.SegmentID, ask Ask) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.ids(x.numbersOn(segments, ask))
}

// numbersOn are the numbers of the trips over segments, rising.
func (x *Index) numbersOn(segments []roadnet.SegmentID, ask Ask) []int32 {
	in, dial := x.wanted(ask.Trips), newDial(ask.When)
	found := map[int32]bool{}
	var numbers []int32
	for _, s := range segments {
		for _, p := range x.passes(s) {
			if !found[p.trip] && in(p.trip) && p.counts(dial, ask.When) {
				found[p.trip] = true
				numbers = append(numbers, p.trip)
			}
		}
	}
	sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	return numbers
}

func (x *Index) ids(numbers []int32) []string {
	ids := make([]string, len(numbers))
	for i, n := range numbers {
		ids[i] = x.entries[n].ID
	}
	return ids
}

// Hour is how a road was driven in one hour of the day.
type Hour struct {
	Passes int
	Speed  float64 // mean, in m/s; 0 where it is not known
}

// Hours counts the drives over segments by the hour of the day.
func (x *Index) Hours(segments []roadnet.SegmentID, ask Ask) [24]Hour {
	x.mu.RLock()
	defer x.mu.RUnlock()
	in, dial := x.wanted(ask.Trips), newDial(ask.When)
	var sums [24]total
	for _, s := range segments {
		for _, p := range x.passes(s) {
			if p.enter != 0 && in(p.trip) && p.counts(dial, ask.When) {
				sums[dial.hour(int64(p.enter))].add(p, true)
			}
		}
	}
	var hours [24]Hour
	for h, t := range sums {
		l := t.link(0)
		hours[h] = Hour{Passes: l.Passes, Speed: l.Speed}
	}
	return hours
}
