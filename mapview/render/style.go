package render

import "math"

// roadWidth is the width of a look's fill and casing at streetZoom, and the
// zoom from which it is drawn, in logical pixels.
type roadWidth struct{ fill, casing, from float64 }

// streetZoom is the zoom at which widths hold as the table gives them.
const streetZoom = 14.7

func widthOf(l roadLook) roadWidth {
	return [numRoadLooks]roadWidth{
		lookService:      {1.8, 2.8, 13.6},
		lookLivingStreet: {2.6, 3.8, 12.2},
		lookResidential:  {3.2, 4.4, 11.4},
		lookTertiary:     {4.2, 5.6, 9.6},
		lookSecondary:    {4.8, 6.2, 8.6},
		lookPrimary:      {5.4, 7.0, 7.2},
		lookTrunkLink:    {4.2, 5.8, 10.5},
		lookTrunk:        {6.2, 8.0, 4},
		lookMotorway:     {6.2, 8.0, 4},
	}[l]
}

// growth is a factor on widths that changes with the zoom, evenly in its
// logarithm between stops.
type growth []struct{ zoom, factor float64 }

func (g growth) at(zoom float64) float64 {
	if zoom <= g[0].zoom {
		return g[0].factor
	}
	for i := 1; i < len(g); i++ {
		if a, b := g[i-1], g[i]; zoom <= b.zoom {
			t := (zoom - a.zoom) / (b.zoom - a.zoom)
			return a.factor * math.Pow(b.factor/a.factor, t)
		}
	}
	return g[len(g)-1].factor
}

// majorGrowth holds for motorways to secondary roads, minorGrowth for the rest,
// which would fill the map at small scales.
func majorGrowth() growth {
	return growth{{5, 0.16}, {8, 0.22}, {10, 0.30}, {12, 0.50}, {13, 0.66}, {streetZoom, 1}, {16, 1.6}, {17, 2.5}, {18, 4.4}, {20, 15}}
}

func minorGrowth() growth {
	return growth{{5, 0.14}, {10, 0.18}, {12, 0.30}, {13, 0.50}, {streetZoom, 1}, {16, 1.9}, {17, 3.2}, {18, 5.6}, {20, 20}}
}

// roadStyle is how one look is drawn at one zoom, in image pixels; a width of 0
// leaves it out.
type roadStyle struct {
	fill, casing, bridge float32
	share                float64 // of opacity, under 1 where the look has just appeared
}

// fadeIn is over how much zoom a look appears.
const fadeIn = 0.6

// roadStyles are the styles of all looks at a zoom. lift lowers the zoom from
// which each is drawn, for networks without major roads.
func roadStyles(zoom, scale, lift float64) [numRoadLooks]roadStyle {
	major, minor := majorGrowth().at(zoom), minorGrowth().at(zoom)
	var styles [numRoadLooks]roadStyle
	for l := range numRoadLooks {
		w := widthOf(l)
		if zoom < w.from-lift {
			continue
		}
		factor := minor
		if l >= lookSecondary {
			factor = major
		}
		fill := math.Max(w.fill*factor, 0.55)
		edge := (w.casing - w.fill) * math.Min(math.Sqrt(factor), 1.3)
		if zoom < casingZoom || l < lookSecondary && zoom < minorCasingZoom {
			edge = 0
		}
		s := roadStyle{fill: float32(fill * scale), share: math.Min(1, (zoom-w.from+lift)/fadeIn+0.25)}
		if edge > 0 {
			s.casing = float32((fill + edge) * scale)
		}
		if zoom >= bridgeZoom && (l >= lookSecondary || zoom >= minorBridgeZoom) {
			s.bridge = float32((fill + 2.6*math.Min(math.Sqrt(factor), 1.3)) * scale)
		}
		styles[l] = s
	}
	return styles
}

// The zooms from which parts of the map are drawn.
const (
	casingZoom      = 10.5
	minorCasingZoom = 12.3
	bridgeZoom      = 12.5
	minorBridgeZoom = 14.2
	shadowZoom      = 13.2
	arrowZoom       = 14.5 // of major roads
	minorArrowZoom  = 15.3
	buildingZoom    = 14.2
	railZoom        = 10.5
	builtUpZoom     = 8.0
)
