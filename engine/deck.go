package engine

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// deckKinds is how many kinds of [trajectory.Deck] there are.
const deckKinds = int(trajectory.Tunnel) + 1

// deckAt says where on stacked roads a position lies, by how much the most
// probable of the roads above or below it is believed in, and what that would be.
func deckAt(net *roadnet.Network, at roadnet.Position, b belief) (kind, otherKind trajectory.Deck, other float64) {
	stacked := net.BelowDeck(at.Segment)
	otherKind = trajectory.OnDeck
	switch flags := net.Flags(at.Segment); {
	case flags.Has(roadnet.FlagTunnel):
		kind = trajectory.Tunnel
	case flags.Has(roadnet.FlagElevated):
		kind, otherKind, stacked = trajectory.OnDeck, trajectory.Below, net.Ambiguous(at.Segment)
	}
	along := at.Ratio * net.Length(at.Segment)
	for _, s := range stacked {
		if along < s.From || along > s.To {
			continue
		}
		if kind == trajectory.Ground {
			kind = trajectory.Below
		}
		other = max(other, float64(either(net, s.Other, b)))
	}
	return kind, otherKind, other
}

// deckBelief is how probable each kind of deck is at one instant.
type deckBelief [deckKinds]float64

// add counts a place where the vehicle is with some probability, given its
// path: the road there, the one above or below it, and the rest of the belief,
// which is on roads elsewhere and counts as ground.
func (d *deckBelief) add(net *roadnet.Network, at roadnet.Position, b belief, probability float64) {
	kind, otherKind, other := deckAt(net, at, b)
	own := float64(either(net, at.Segment, b))
	other = min(other, 1-own)
	d[kind] += probability * own
	d[otherKind] += probability * other
	d[trajectory.Ground] += probability * (1 - own - other)
}

// margin is by how much a kind is more probable than any other.
func (d *deckBelief) margin(kind trajectory.Deck) float32 {
	most := 0.0
	for k, p := range d {
		if k != int(kind) {
			most = max(most, p)
		}
	}
	return float32(d[kind] - most)
}

// either is the belief in a road, whichever way it is driven.
func either(net *roadnet.Network, id roadnet.SegmentID, b belief) float32 {
	p := b.of(id)
	if back, ok := net.Reverse(id); ok {
		p += b.of(back)
	}
	return min(1, p)
}
