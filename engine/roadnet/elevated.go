package roadnet

import (
	"context"
	"math"
	"slices"
)

// What makes a stretch of an elevated road ambiguous.
const (
	stackDistance = 30 // metres from the lower road, at most
	stackAngle    = 20 // degrees of heading between the roads, at most
	stackStep     = 10 // metres between the places that are looked at
	maxStacked    = 16 // lower roads at one place, at most: a bound for hostile files
)

// AssumeLayer is the road with the layer to assume for a bridge that says
// nothing of its layer: 1 on the roads that cities stack, with
// FlagLayerAssumed set. Other roads are returned as they are. It is for
// importers, which know whether a layer was given.
func AssumeLayer(r Road) Road {
	if r.Flags.Has(FlagBridge) && stackable(r.Class) {
		r.Layer = 1
		r.Flags |= FlagLayerAssumed
	}
	return r
}

// stackable reports whether roads of a class, and their links, are built above others.
func stackable(c Class) bool { return c >= Motorway && c <= Secondary }

// elevated reports whether a road runs on a deck above the ground.
func elevated(r Road) bool {
	return r.Flags.Has(FlagBridge) && r.Layer >= 1 && stackable(r.Class)
}

// stack is a stretch of an elevated line and the lower line that runs close to
// it, in steps along the deck.
type stack struct {
	ground      LineID
	first, last int
}

// findStretches finds where elevated lines run above lower ones. It stops
// early when the context is done; the result is then not to be used.
func (n *Network) findStretches(ctx context.Context) {
	var decks []LineID
	for l, f := range n.flags {
		if Flags(f).Has(FlagElevated) {
			decks = append(decks, LineID(l))
		}
	}
	found := make([][]stack, len(decks))
	steps := make([]int, len(decks))
	parallelBy(1, len(decks), func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			steps[i] = max(1, int(math.Ceil(n.LineLength(decks[i])/stackStep)))
			found[i] = n.stacks(ctx, decks[i], steps[i])
		}
	})
	n.stretchDeck, n.stretchGround, n.stretchPlace = nil, nil, nil
	for i, deck := range decks {
		for _, s := range found[i] {
			n.addStretch(deck, s, steps[i])
		}
	}
}

// addStretch appends a stretch to the columns.
func (n *Network) addStretch(deck LineID, s stack, steps int) {
	n.flags[deck] |= uint32(FlagAmbiguous)
	length := n.LineLength(deck)
	from := length * float64(s.first) / float64(steps)
	to := length * float64(s.last+1) / float64(steps)
	a, b := n.alongBelow(deck, from, s.ground), n.alongBelow(deck, to, s.ground)
	n.stretchDeck = append(n.stretchDeck, uint32(deck))
	n.stretchGround = append(n.stretchGround, uint32(s.ground))
	n.stretchPlace = append(n.stretchPlace, float32(from), float32(to), min(a, b), max(a, b))
}

// alongBelow is how far along a lower line the place nearest to one on a deck is.
func (n *Network) alongBelow(deck LineID, along float64, ground LineID) float32 {
	s := SegmentID(n.lineSeg[deck])
	f := frameAt(placeOf(n.At(Position{s, n.segmentRatio(s, along)})))
	return float32(n.ratio(ground, n.foot(f, ground)) * n.LineLength(ground))
}

// stacks walks along a deck and gathers the lower lines close to it, in order
// of where they begin.
func (n *Network) stacks(ctx context.Context, deck LineID, steps int) []stack {
	var all []stack
	var open []int // in all: those that reached the last step
	s := SegmentID(n.lineSeg[deck])
	length := n.LineLength(deck)
	for step := 0; step < steps && ctx.Err() == nil; step++ {
		along := length * (float64(step) + 0.5) / float64(steps)
		vertex, t := n.locate(Position{s, n.segmentRatio(s, along)})
		at := between(n.coords[vertex], n.coords[vertex+1], t)
		var still []int
		for _, l := range n.linesBelow(at, vertex, n.layer[deck]) {
			i := slices.IndexFunc(open, func(i int) bool { return all[i].ground == l })
			if i < 0 {
				all = append(all, stack{l, step, step})
				still = append(still, len(all)-1)
				continue
			}
			all[open[i]].last = step
			still = append(still, open[i])
		}
		open = still
	}
	return all
}

// linesBelow are the lines beside a place on a deck, whose piece starts at a
// vertex, that are lower than its layer, ascending.
func (n *Network) linesBelow(at place, vertex uint32, layer int8) []LineID {
	var lines []LineID
	f := frameAt(at)
	n.linesIn(boxWithin(at, stackDistance), func(l LineID) bool {
		if n.layer[l] < layer && n.besides(f, vertex, l) {
			lines = append(lines, l)
		}
		return len(lines) < maxStacked
	})
	slices.Sort(lines)
	return lines
}

// besides reports whether a line runs beside a place on a deck, whose piece
// starts at a vertex: close to it and in its direction. A line that only
// begins or ends near is not beside it: so goes the road on at the end of a
// bridge.
func (n *Network) besides(f frame, vertex uint32, l LineID) bool {
	ft := n.foot(f, l)
	if ft.square > stackDistance*stackDistance {
		return false
	}
	atStart := ft.t == 0 && ft.vertex == n.lineStart[l]
	atEnd := ft.t == 1 && ft.vertex+2 == n.lineStart[l+1]
	if atStart || atEnd {
		return false
	}
	dx, dy := n.direction(f, vertex)
	ex, ey := n.direction(f, ft.vertex)
	return math.Abs(dx*ex+dy*ey) >= math.Cos(stackAngle*math.Pi/180)
}
