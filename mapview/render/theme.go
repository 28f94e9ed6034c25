package render

import (
	"image/color"

	"retrace/engine/roadnet"
)

// Theme is the set of colours that a map is drawn in. Meanings use the
// Okabe-Ito colours, so that none hangs on red against green.
type Theme struct {
	Land, BuiltUp, Water, Bank, Green, Building, BuildingEdge, Rail color.NRGBA

	Roads [numRoadLooks]RoadColours

	BridgeCasing, Shadow, Arrow color.NRGBA

	Street, StreetHalo, Place, PlaceHalo, WaterName, WaterHalo color.NRGBA
	Shield, ShieldEdge, ShieldText                             color.NRGBA

	Path, PathHalo, Chevron         color.NRGBA
	Deck, DeckCasing, Below, Tunnel color.NRGBA
	Alternative, Pin, Truth         color.NRGBA
	Selection, SelectionEdge        color.NRGBA
	Ring, RingFill, RingHalo, Dot   color.NRGBA
	LinkEdge                        color.NRGBA
	LinkColours                     [4]color.NRGBA // from few trips or slow to many or fast
	AlternativeText                 color.NRGBA    // on a plate

	Surface, SurfaceEdge, Text, Muted color.NRGBA
}

// RoadColours are those of one kind of road. Far is the fill at small scales,
// where lines are too thin for a casing.
type RoadColours struct{ Fill, Casing, Far color.NRGBA }

// roadLook is how a road looks: its class, with links drawn thinner.
type roadLook uint8

const (
	lookService roadLook = iota
	lookLivingStreet
	lookResidential
	lookTertiary
	lookSecondary
	lookPrimary
	lookTrunkLink
	lookTrunk
	lookMotorway
	numRoadLooks
)

// lookOf is how a line of a network looks.
func lookOf(class roadnet.Class, flags roadnet.Flags) roadLook {
	link := flags.Has(roadnet.FlagLink)
	switch class {
	case roadnet.Motorway, roadnet.Trunk:
		if link {
			return lookTrunkLink
		}
		if class == roadnet.Trunk {
			return lookTrunk
		}
		return lookMotorway
	case roadnet.Primary:
		if link {
			return lookSecondary
		}
		return lookPrimary
	case roadnet.Secondary:
		if link {
			return lookTertiary
		}
		return lookSecondary
	case roadnet.Tertiary:
		return lookTertiary
	case roadnet.Service:
		return lookService
	}
	if flags.Has(roadnet.FlagLivingStreet) {
		return lookLivingStreet
	}
	return lookResidential
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// shade is black at a share of 0 to 255.
func shade(alpha uint8) color.NRGBA { return color.NRGBA{A: alpha} }

// fade makes a colour more transparent.
func fade(c color.NRGBA, share float64) color.NRGBA {
	c.A = uint8(float64(c.A)*share + 0.5)
	return c
}

// blend mixes two opaque colours.
func blend(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*share + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}

// Light is the theme for a light window and for paper.
func Light() *Theme {
	return &Theme{
		Land: rgb(0xF3F1EC), BuiltUp: rgb(0xE9E6DF), Water: rgb(0xC3DAE8), Bank: rgb(0xAFCBDC),
		Green: rgb(0xD8E6CF), Building: rgb(0xDFDAD1), BuildingEdge: rgb(0xD0CAC0), Rail: rgb(0xBDB8B0),
		Roads: [numRoadLooks]RoadColours{
			lookService:      {rgb(0xFFFFFF), rgb(0xDEDAD2), rgb(0xD9D4CA)},
			lookLivingStreet: {rgb(0xFFFFFF), rgb(0xD8D3CA), rgb(0xD3CDC2)},
			lookResidential:  {rgb(0xFFFFFF), rgb(0xD8D3CA), rgb(0xD3CDC2)},
			lookTertiary:     {rgb(0xFFFFFF), rgb(0xCFCAC0), rgb(0xC9C2B5)},
			lookSecondary:    {rgb(0xFFFDF2), rgb(0xC9C1A8), rgb(0xCBBF9C)},
			lookPrimary:      {rgb(0xFBEBC0), rgb(0xCDB67C), rgb(0xDDC27F)},
			lookTrunkLink:    {rgb(0xF2D49B), rgb(0xC79F58), rgb(0xDFAE5C)},
			lookTrunk:        {rgb(0xF2D49B), rgb(0xC79F58), rgb(0xDFAE5C)},
			lookMotorway:     {rgb(0xF2D49B), rgb(0xC79F58), rgb(0xDFAE5C)},
		},
		BridgeCasing: rgb(0x6F675A), Shadow: shade(38), Arrow: rgb(0x8B857A),
		Street: rgb(0x4A4A46), StreetHalo: rgb(0xFFFFFF), Place: rgb(0x68655F), PlaceHalo: rgb(0xF3F1EC),
		WaterName: rgb(0x2F5F7E), WaterHalo: rgb(0xC3DAE8),
		Shield: rgb(0xFFFFFF), ShieldEdge: rgb(0xB59A62), ShieldText: rgb(0x4A4A46),
		Path: rgb(0x0072B2), PathHalo: rgb(0xFFFFFF), Chevron: rgb(0xFFFFFF),
		Deck: rgb(0xCC79A7), DeckCasing: rgb(0x6B2B50), Below: rgb(0x009E73), Tunnel: rgb(0x0072B2),
		Alternative: rgb(0xD55E00), Pin: rgb(0xD55E00), Truth: rgb(0x000000),
		Selection: rgb(0xE69F00), SelectionEdge: rgb(0x1B1F24),
		Ring: rgb(0x1B1F24), RingFill: rgb(0xFFFFFF), RingHalo: rgb(0xFFFFFF), Dot: rgb(0x1B1F24), LinkEdge: rgb(0x3A4A5C), LinkColours: [4]color.NRGBA{rgb(0x9CC9EC), rgb(0x4E98D6), rgb(0x1C5FA8), rgb(0x0B2A66)}, AlternativeText: rgb(0xB85000),
		Surface: rgb(0xFFFFFF), SurfaceEdge: rgb(0xDDE0E3), Text: rgb(0x1F2328), Muted: rgb(0x5B636B),
	}
}

// Dark is the theme for a dark window.
func Dark() *Theme {
	return &Theme{
		Land: rgb(0x22262A), BuiltUp: rgb(0x2A2E33), Water: rgb(0x1A3242), Bank: rgb(0x24455A),
		Green: rgb(0x28362C), Building: rgb(0x30353A), BuildingEdge: rgb(0x3A4046), Rail: rgb(0x4A5056),
		Roads: [numRoadLooks]RoadColours{
			lookService:      {rgb(0x393E44), rgb(0x1D2023), rgb(0x3F454B)},
			lookLivingStreet: {rgb(0x41464C), rgb(0x1B1E21), rgb(0x474D53)},
			lookResidential:  {rgb(0x41464C), rgb(0x1B1E21), rgb(0x474D53)},
			lookTertiary:     {rgb(0x4B5056), rgb(0x191C1F), rgb(0x555B62)},
			lookSecondary:    {rgb(0x545049), rgb(0x181A1D), rgb(0x625D52)},
			lookPrimary:      {rgb(0x57513F), rgb(0x16181B), rgb(0x70684F)},
			lookTrunkLink:    {rgb(0x6E5A38), rgb(0x141619), rgb(0x8A7145)},
			lookTrunk:        {rgb(0x6E5A38), rgb(0x141619), rgb(0x8A7145)},
			lookMotorway:     {rgb(0x6E5A38), rgb(0x141619), rgb(0x8A7145)},
		},
		BridgeCasing: rgb(0xC9C2B2), Shadow: shade(128), Arrow: rgb(0x9A968C),
		Street: rgb(0xC3C8CD), StreetHalo: rgb(0x1C1F22), Place: rgb(0x8F969D), PlaceHalo: rgb(0x1C1F22),
		WaterName: rgb(0x7FB2D0), WaterHalo: rgb(0x1A3242),
		Shield: rgb(0x2A2E33), ShieldEdge: rgb(0x8A7448), ShieldText: rgb(0xD8D2C4),
		Path: rgb(0x56B4E9), PathHalo: rgb(0x0E1114), Chevron: rgb(0x0E1114),
		Deck: rgb(0xE39AC4), DeckCasing: rgb(0x3B1029), Below: rgb(0x2BC49A), Tunnel: rgb(0x56B4E9),
		Alternative: rgb(0xF08A3C), Pin: rgb(0xF08A3C), Truth: rgb(0xFFFFFF),
		Selection: rgb(0xF5B82E), SelectionEdge: rgb(0x0E1114),
		Ring: rgb(0x0E1114), RingFill: rgb(0xFFFFFF), RingHalo: rgb(0xFFFFFF), Dot: rgb(0x0E1114), LinkEdge: rgb(0x0E1114), LinkColours: [4]color.NRGBA{rgb(0x2B5C8F), rgb(0x3E86CC), rgb(0x7FB8EE), rgb(0xDCEDFC)}, AlternativeText: rgb(0xF08A3C),
		Surface: rgb(0x1B1D20), SurfaceEdge: rgb(0x34393F), Text: rgb(0xE8EAED), Muted: rgb(0xA1A9B1),
	}
}

func themeOf(dark bool) *Theme {
	if dark {
		return Dark()
	}
	return Light()
}
