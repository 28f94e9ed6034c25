package roadnet

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

// elevated reports whether a road runs on a deck above the ground.
func elevated(r Road) bool {
	return r.Flags.Has(FlagBridge) && r.Layer >= 1 && stackable(r.Class)
}
