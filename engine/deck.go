package engine

import (
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// deck says where on stacked roads a position lies, and by how much that is
// more probable than the road above or below it.
func deck(net *roadnet.Network, at roadnet.Position, b belief) (trajectory.Deck, float32) {
	along := at.Ratio * net.Length(at.Segment)
	kind, stacked := trajectory.Ground, net.BelowDeck(at.Segment)
	switch flags := net.Flags(at.Segment); {
	case flags.Has(roadnet.FlagTunnel):
		kind = trajectory.Tunnel
	case flags.Has(roadnet.FlagElevated):
		kind, stacked = trajectory.OnDeck, net.Ambiguous(at.Segment)
	}
	other, doubt := float32(0), false
	for _, s := range stacked {
		if along < s.From || along > s.To {
			continue
		}
		if kind == trajectory.Ground {
			kind = trajectory.Below
		}
		doubt = true
		other = max(other, either(net, s.Other, b))
	}
	if !doubt {
		return kind, 1
	}
	return kind, either(net, at.Segment, b) - other
}

// either is the belief in a road, whichever way it is driven.
func either(net *roadnet.Network, id roadnet.SegmentID, b belief) float32 {
	p := b.of(id)
	if back, ok := net.Reverse(id); ok {
		p += b.of(back)
	}
	return min(1, p)
}
