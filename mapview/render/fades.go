package render

import "math/bits"

// NumLayers is how many layers there are.
const NumLayers = 12

// Fades says how much of each layer lets through what lies below it, in
// percent, 0 for a layer drawn in full. The zero value draws all in full.
type Fades [NumLayers]uint8

// Set lets one layer, or several, show at an opacity of 0 to 1.
func (f *Fades) Set(layers Layers, share float64) {
	for i := range f {
		if layers.Has(1 << i) {
			f[i] = 100 - uint8(max(0, min(share, 1))*100+0.5)
		}
	}
}

// Share is the opacity of a layer, 0 to 1: of several, that of the first.
func (f Fades) Share(l Layers) float64 {
	i := bits.TrailingZeros32(uint32(l))
	if i >= len(f) {
		return 1
	}
	return float64(100-min(f[i], 100)) / 100
}

// Of are the fades of some layers, the others in full: what depends on those
// layers alone.
func (f Fades) Of(layers Layers) Fades {
	for i := range f {
		if !layers.Has(1 << i) {
			f[i] = 0
		}
	}
	return f
}
