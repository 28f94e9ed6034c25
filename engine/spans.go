package engine

import (
	"context"
	"math"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// spans lists every stretch driven on an elevated road or below one, unless ctx is
// done.
func spans(ctx context.Context, net *roadnet.Network, parts []*timeline) ([]trajectory.Span, error) {
	var out []trajectory.Span
	for i, line := range parts {
		c := spanCollector{net: net, line: line, part: int32(i)}
		for k := range line.pieces {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c.piece(&line.pieces[k])
		}
		c.close()
		out = append(out, c.spans...)
	}
	return out, nil
}

// spanCollector joins bits of the path on the same side of a deck to spans.
type spanCollector struct {
	net   *roadnet.Network
	line  *timeline
	part  int32
	spans []trajectory.Span

	open     bool
	span     trajectory.Span
	certain  float64 // metres times probability
	roads    lengths
	runnerUp lengths
}

// bit is a stretch of a piece on one side of a deck, from and to in metres
// from the start of the segment.
type bit struct {
	from, to float64
	kind     trajectory.Deck
	others   []roadnet.Stretch
}

// A hole in a deck shorter than this does not end a span, metres.
const hole = 25

func (c *spanCollector) piece(p *piece) {
	if p.length == 0 {
		return
	}
	id := c.line.part.Segments[p.segment]
	length := c.net.Length(id)
	b := bit{from: p.from * length, to: p.to * length}
	switch flags := c.net.Flags(id); {
	case flags.Has(roadnet.FlagTunnel):
	case flags.Has(roadnet.FlagElevated):
		b.kind, b.others = trajectory.OnDeck, c.net.Ambiguous(id)
		c.add(p, id, b)
	default:
		for _, s := range c.net.BelowDeck(id) {
			if from, to := max(b.from, s.From), min(b.to, s.To); from < to {
				c.add(p, id, bit{from, to, trajectory.Below, []roadnet.Stretch{s}})
			}
		}
	}
}

func (c *spanCollector) add(p *piece, id roadnet.SegmentID, b bit) {
	start := p.along - p.from*c.net.Length(id) // of the segment, metres from the start of the part
	from, to := start+b.from, start+b.to
	if c.open && (c.span.Kind != b.kind || from > c.span.To+hole) {
		c.close()
	}
	if !c.open {
		c.open, c.certain = true, 0
		c.roads, c.runnerUp = nil, nil
		c.span = trajectory.Span{Part: c.part, From: from, To: from, Enter: int64(math.Round(p.when(from))), Kind: b.kind, Margin: 1}
	}
	c.span.To, c.span.Exit = max(c.span.To, to), int64(math.Round(p.when(to)))
	belief := belief{leg: p.leg}
	c.certain += (to - from) * float64(either(c.net, id, belief))
	c.roads.add(roadName(c.net, id), to-from)
	for _, s := range b.others {
		if p.leg != nil && slices.Contains(p.leg.Path, s.Other) {
			continue // the way drives both, one after the other: they are not to be told apart
		}
		if overlap := min(b.to, s.To) - max(b.from, s.From); overlap > 0 {
			c.runnerUp.add(roadName(c.net, s.Other), overlap)
			c.span.Margin = min(c.span.Margin, either(c.net, id, belief)-either(c.net, s.Other, belief))
		}
	}
}

func (c *spanCollector) close() {
	if !c.open {
		return
	}
	c.open = false
	c.span.Road, c.span.RunnerUp = c.roads.longest(), c.runnerUp.longest()
	// Where another way leads over both roads their probabilities add up to more than 1:
	// a span is no more probable than its margin leaves it.
	c.span.Probability = min(1, float32(c.certain/(c.span.To-c.span.From)), (1+c.span.Margin)/2)
	c.spans = append(c.spans, c.span)
}

// lengths sums metres by road.
type lengths []struct {
	road   string
	metres float64
}

func (l *lengths) add(road string, metres float64) {
	for i := range *l {
		if (*l)[i].road == road {
			(*l)[i].metres += metres
			return
		}
	}
	*l = append(*l, struct {
		road   string
		metres float64
	}{road, metres})
}

// longest is the road with the most metres, empty where there is none.
func (l lengths) longest() string {
	best, most := "", 0.0
	for _, r := range l {
		if r.metres > most {
			best, most = r.road, r.metres
		}
	}
	return best
}

// roadName is what people call a road: its name, else its ref, else its class.
func roadName(net *roadnet.Network, id roadnet.SegmentID) string {
	line, _ := net.LineOf(id)
	road := net.LineRoad(line)
	switch {
	case road.Name != "":
		return road.Name
	case road.Ref != "":
		return road.Ref
	}
	return road.Class.String()
}
