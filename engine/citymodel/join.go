package citymodel

import (
	"cmp"
	"context"
	"math"
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// joiner joins the ticks between two samples by the cheapest ways.
type joiner struct {
	net    *roadnet.Network
	router *roadnet.Router
	search roadnet.Search
	to     [1]roadnet.Position
	path   []roadnet.SegmentID
}

// newJoiner takes a step backwards on a segment for a vehicle that stands, however
// long it is: no one drives backwards.
func newJoiner(net *roadnet.Network, s match.Settings) joiner {
	return joiner{net: net, router: roadnet.NewRouter(net), search: roadnet.Search{
		TimeShare: s.TimeShare, Speed: s.Speed, Turn: s.Turn, UTurn: s.UTurn, Back: math.Inf(1), Bound: math.Inf(1),
	}}
}

// leg drives from the first of some spots, a sample's, to the last, which is the next
// one's, over those between, and on none of the segments avoided.
func (j *joiner) leg(ctx context.Context, spots []spot, avoid []roadnet.SegmentID) (match.Leg, error) {
	j.router.Avoid = avoid
	leg := match.Leg{Path: []roadnet.SegmentID{spots[0].at.Segment}}
	begin, whole := spots[0].time, float64(spots[len(spots)-1].time-spots[0].time)
	sums := shares{}
	at, sure := spots[0].at, spots[0].probability()
	for k := range spots[1:] {
		s := &spots[k+1]
		j.to[0] = s.at
		found := j.router.Routes(at, j.to[:], j.search)[0].Found
		if err := ctx.Err(); err != nil {
			return leg, err
		}
		if !found {
			return match.Leg{Broken: true, Why: trajectory.NoWay}, nil
		}
		j.path = j.router.Path(0, j.path[:0])
		p := min(sure, s.probability())
		from, to := float64(spots[k].time-begin)/whole, float64(s.time-begin)/whole
		at = j.drive(&leg, at, s.at, from, to)
		for _, id := range j.path {
			sums.add(id, p)
		}
		leg.Instants = append(leg.Instants, match.Instant{Time: s.time, Shares: s.shares, At: &s.at})
		sure = s.probability()
	}
	leg.Shares = sums.list()
	return leg, nil
}

// drive appends the way just found to a leg, at an even pace between two shares of the
// leg's time, and gives where the vehicle is then.
func (j *joiner) drive(leg *match.Leg, from, to roadnet.Position, begin, end float64) roadnet.Position {
	total, along := j.metres(from, to), 0.0
	for _, id := range j.path[1:] {
		along += (1 - from.Ratio) * j.net.Length(from.Segment)
		leg.Times = append(leg.Times, match.Time{Step: len(leg.Path) - 1, To: 1, Share: begin + (end-begin)*part(along, total)})
		leg.Path = append(leg.Path, id)
		from = roadnet.Position{Segment: id}
	}
	to.Ratio = max(to.Ratio, from.Ratio)
	leg.Times = append(leg.Times, match.Time{Step: len(leg.Path) - 1, To: to.Ratio, Share: end})
	return to
}

// metres of the way just found.
func (j *joiner) metres(from, to roadnet.Position) float64 {
	sum := 0.0
	for i, id := range j.path {
		a, b := roadnet.Driven(i, len(j.path), from.Ratio, to.Ratio)
		sum += max(0, b-a) * j.net.Length(id)
	}
	return sum
}

func part(along, total float64) float64 {
	if total <= 0 {
		return 1
	}
	return min(1, along/total)
}

// shares says of segments that are driven how probable that is: a way between two ticks
// is no surer than the less sure of them.
type shares map[roadnet.SegmentID]float32

func (s shares) add(id roadnet.SegmentID, p float32) { s[id] = max(s[id], p) }

// list are the shares by segment.
func (s shares) list() []match.Share {
	all := make([]match.Share, 0, len(s))
	for id, p := range s {
		all = append(all, match.Share{Segment: id, Probability: p})
	}
	slices.SortFunc(all, func(a, b match.Share) int { return cmp.Compare(a.Segment, b.Segment) })
	return all
}
