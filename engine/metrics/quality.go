package metrics

import (
	"context"
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Quality says which dense trips have a truth that can be trusted. A trip that
// fails is left out and counted with the reason.
type Quality struct {
	MinPoints    int     // points, at least
	MaxGap       float64 // seconds between two points, at most
	MinLength    float64 // metres of the matched path, at least
	MaxSkipped   float64 // share of points off the road or out of reach, at most
	MaxDistance  float64 // mean distance of the matched points from the road, metres
	MaxDetour    float64 // matched path over the sum of the distances between points
	MaxSpeed     float64 // m/s between two points, along the path: where it was more, the trip breaks
	MaxUTurnRate float64 // U-turns for each kilometre
}

// DefaultQuality is what a truth from trips with a point every 15 seconds must
// be like.
func DefaultQuality() Quality {
	return Quality{MinPoints: 10, MaxGap: 60, MinLength: 500, MaxSkipped: 0.05, MaxDistance: 15,
		MaxDetour: 1.4, MaxSpeed: 45, MaxUTurnRate: 1}
}

// Truth matches a dense trip and says whether the match can be trusted: the
// reason is empty where it can, and there is no truth where it cannot. Match must
// give a tick at every point.
//
// Where the match breaks, or the path between two points would have been driven
// faster than MaxSpeed, the trip breaks: the receiver skipped some time there, as in a tunnel, or the
// map knows another road than was driven. Before and behind such a place the trip
// is sound. Its longest stretch without one is matched by itself and stands for it.
func (q Quality) Truth(ctx context.Context, net *roadnet.Network, dense *trajectory.Trajectory, match Recover) (Case, string, error) {
	for {
		if reason := q.beforeMatching(dense); reason >= 0 {
			return Case{Dense: dense}, reasons()[reason], nil
		}
		rec, err := match(ctx, dense)
		if err != nil {
			return Case{Dense: dense}, "", err
		}
		piece := q.unbroken(dense, rec)
		if len(piece.Samples) == len(dense.Samples) {
			if reason := q.afterMatching(net, dense, rec); reason >= 0 {
				return Case{Dense: dense}, reasons()[reason], nil
			}
			return Case{Dense: dense, Truth: slim(rec)}, "", nil
		}
		dense = piece
	}
}

// unbroken is the longest stretch of a trip, by its points, between places where
// the match breaks or is too fast.
func (q Quality) unbroken(t *trajectory.Trajectory, rec *trajectory.Recovery) *trajectory.Trajectory {
	var best []trajectory.Sample
	rest := t.Samples
	cut := func(n int) {
		if n > len(best) {
			best = rest[:n]
		}
		rest = rest[n:]
	}
	for i := 1; i < len(rec.Ticks); i++ {
		a, b := rec.Ticks[i-1], rec.Ticks[i]
		seconds := float64(b.Time-a.Time) / 1000
		if a.Part != b.Part || seconds >= 5 && b.Along-a.Along > q.MaxSpeed*seconds {
			cut(sort.Search(len(rest), func(k int) bool { return rest[k].Time > a.Time }))
		}
	}
	cut(len(rest))
	piece := *t
	piece.Samples = best
	return &piece
}

// slim keeps what scoring needs.
func slim(rec *trajectory.Recovery) *trajectory.Recovery {
	return &trajectory.Recovery{Trajectory: rec.Trajectory, Ticks: rec.Ticks, Parts: rec.Parts, Provenance: rec.Provenance}
}

// reasons in the order in which trips are looked at.
const (
	dropFew = iota
	dropGap
	dropBroken
	dropSkipped
	dropShort
	dropFar
	dropDetour
	dropTurning
	numReasons
)

func reasons() [numReasons]string {
	return [numReasons]string{"too few points", "a long gap between points", "the path breaks", "points off the road or out of reach",
		"too short", "far from the roads", "the path is a detour", "turns back too often"}
}

// beforeMatching is why a trip is left out unseen, -1 if it is not.
func (q Quality) beforeMatching(t *trajectory.Trajectory) int {
	if len(t.Samples) < q.MinPoints {
		return dropFew
	}
	for i := 1; i < len(t.Samples); i++ {
		if float64(t.Samples[i].Time-t.Samples[i-1].Time)/1000 > q.MaxGap {
			return dropGap
		}
	}
	return -1
}

// afterMatching is why a match cannot be trusted, -1 if it can.
func (q Quality) afterMatching(net *roadnet.Network, t *trajectory.Trajectory, rec *trajectory.Recovery) int {
	if len(rec.Parts) != 1 {
		return dropBroken
	}
	skipped, distance, matched := 0, 0.0, 0
	for _, m := range rec.Matches {
		if m.State.Placed() {
			distance += float64(m.Distance)
			matched++
		} else {
			skipped++
		}
	}
	path, turns := length(net, rec.Parts[0])
	switch {
	case float64(skipped) > q.MaxSkipped*float64(len(rec.Matches)):
		return dropSkipped
	case path < q.MinLength:
		return dropShort
	case distance > q.MaxDistance*float64(matched):
		return dropFar
	case path > q.MaxDetour*direct(t)+200:
		return dropDetour
	case float64(turns) > 1+q.MaxUTurnRate*path/1000:
		return dropTurning
	}
	return -1
}

// length is how long a part is in metres, and how often it turns back.
func length(net *roadnet.Network, p trajectory.Part) (metres float64, turns int) {
	for i, id := range p.Segments {
		metres += net.Length(id)
		if i > 0 {
			if back, ok := net.Reverse(p.Segments[i-1]); ok && back == id {
				turns++
			}
		}
	}
	first, last := p.Segments[0], p.Segments[len(p.Segments)-1]
	return metres - p.StartRatio*net.Length(first) - (1-p.EndRatio)*net.Length(last), turns
}

// direct is the sum of the distances between the points in metres.
func direct(t *trajectory.Trajectory) float64 {
	total := 0.0
	for i := 1; i < len(t.Samples); i++ {
		a, b := t.Samples[i-1], t.Samples[i]
		total += great(a.Lon, a.Lat, b.Lon, b.Lat)
	}
	return total
}
