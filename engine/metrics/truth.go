package metrics

import (
	"context"
	"fmt"
	"iter"
	"sync"

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
	MaxSpeed     float64 // m/s between two points, along the path
	MaxUTurnRate float64 // U-turns for each kilometre
}

// DefaultQuality is what a truth from trips with a point every 15 seconds must
// be like.
func DefaultQuality() Quality {
	return Quality{MinPoints: 10, MaxGap: 60, MinLength: 500, MaxSkipped: 0.05, MaxDistance: 15,
		MaxDetour: 1.4, MaxSpeed: 45, MaxUTurnRate: 1}
}

// Count is how many trips were left out for a reason.
type Count struct {
	Reason string `json:"reason"`
	Trips  int    `json:"trips"`
}

// Truths is dense trips with their truth, and what was left out.
type Truths struct {
	Cases   []Case
	Dropped []Count // in the order in which the filter looks
	Failed  []error // inputs that could not be read or matched
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
	dropFast
	dropTurning
	numReasons
)

func reasons() [numReasons]string {
	return [numReasons]string{"too few points", "a long gap between points", "the path breaks", "points off the road or out of reach",
		"too short", "far from the roads", "the path is a detour", "too fast", "turns back too often"}
}

// MakeTruths matches dense trips and keeps those whose match can be trusted.
// Match must give a tick at every point. Threads trips are matched at once; the
// result does not depend on it. An error of a trip is kept in Failed; the error
// returned is that of ctx.
func MakeTruths(ctx context.Context, net *roadnet.Network, dense iter.Seq2[*trajectory.Trajectory, error], match Recover, q Quality, threads int) (*Truths, error) {
	var trips []*trajectory.Trajectory
	out := &Truths{}
	for t, err := range dense {
		if err != nil {
			out.Failed = append(out.Failed, err)
			continue
		}
		trips = append(trips, t)
	}
	verdicts := make([]verdict, len(trips))
	err := inParallel(ctx, threads, len(trips), func(i int) {
		verdicts[i] = q.judge(ctx, net, trips[i], match)
	})
	if err != nil {
		return nil, err
	}
	out.take(verdicts)
	return out, nil
}

// verdict is a trip with its truth, or why there is none.
type verdict struct {
	c      Case
	reason int // -1: none
	err    error
}

// judge matches a trip and says whether the match can be trusted.
func (q Quality) judge(ctx context.Context, net *roadnet.Network, t *trajectory.Trajectory, match Recover) verdict {
	if reason := q.beforeMatching(t); reason >= 0 {
		return verdict{reason: reason}
	}
	rec, err := match(ctx, t)
	if err != nil {
		return verdict{err: err}
	}
	if reason := q.afterMatching(net, t, rec); reason >= 0 {
		return verdict{reason: reason}
	}
	return verdict{c: Case{Dense: t, Truth: slim(rec)}, reason: -1}
}

// take sorts out what was kept, what was left out and what failed.
func (t *Truths) take(verdicts []verdict) {
	var counts [numReasons]int
	for _, v := range verdicts {
		switch {
		case v.err != nil:
			t.Failed = append(t.Failed, v.err)
		case v.reason >= 0:
			counts[v.reason]++
		default:
			t.Cases = append(t.Cases, v.c)
		}
	}
	for i, n := range counts {
		t.Dropped = append(t.Dropped, Count{reasons()[i], n})
	}
}

// slim keeps what scoring needs.
func slim(rec *trajectory.Recovery) *trajectory.Recovery {
	return &trajectory.Recovery{Trajectory: rec.Trajectory, Ticks: rec.Ticks, Parts: rec.Parts, Provenance: rec.Provenance}
}

// Doubt says why the match of a dense trip cannot be trusted; empty where it
// can.
func (q Quality) Doubt(net *roadnet.Network, t *trajectory.Trajectory, match *trajectory.Recovery) string {
	reason := q.beforeMatching(t)
	if reason < 0 {
		reason = q.afterMatching(net, t, match)
	}
	if reason < 0 {
		return ""
	}
	return reasons()[reason]
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
		if m.State == trajectory.Matched {
			distance += float64(m.Distance)
			matched++
		} else {
			skipped++
		}
	}
	path, turns := length(net, rec.Parts[0])
	direct, fastest := pace(t, rec)
	switch {
	case float64(skipped) > q.MaxSkipped*float64(len(rec.Matches)):
		return dropSkipped
	case path < q.MinLength:
		return dropShort
	case distance > q.MaxDistance*float64(matched):
		return dropFar
	case path > q.MaxDetour*direct+200:
		return dropDetour
	case fastest > q.MaxSpeed:
		return dropFast
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

// pace is the sum of the distances between the points in metres, and the
// highest speed along the path between two of its ticks in m/s.
func pace(t *trajectory.Trajectory, rec *trajectory.Recovery) (direct, fastest float64) {
	for i := 1; i < len(t.Samples); i++ {
		a, b := t.Samples[i-1], t.Samples[i]
		direct += great(a.Lon, a.Lat, b.Lon, b.Lat)
	}
	for i := 1; i < len(rec.Ticks); i++ {
		a, b := rec.Ticks[i-1], rec.Ticks[i]
		if seconds := float64(b.Time-a.Time) / 1000; seconds >= 5 {
			fastest = max(fastest, (b.Along-a.Along)/seconds)
		}
	}
	return direct, fastest
}

// inParallel calls do for 0 to n-1 on several threads until ctx is done, whose
// error it returns.
func inParallel(ctx context.Context, threads, n int, do func(i int)) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, threads) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("evaluation stopped: %w", err)
	}
	return nil
}
