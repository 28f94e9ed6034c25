package render

import (
	"image/color"
	"math"
	"testing"
)

// Every text on the map stands out from what is behind it, its halo or its
// plate, by 4.5 at least.
func TestTextStandsOut(t *testing.T) {
	for name, th := range map[string]*Theme{"light": Light(), "dark": Dark()} {
		for _, c := range []struct {
			what       string
			text, back color.NRGBA
		}{
			{"street", th.Street, th.StreetHalo},
			{"place", th.Place, th.PlaceHalo},
			{"place on built-up land", th.Place, th.BuiltUp},
			{"water", th.WaterName, th.WaterHalo},
			{"road number", th.ShieldText, th.Shield},
			{"legend", th.Text, th.Surface},
			{"scale of the legend", th.Muted, th.Surface},
			{"share of an alternative", th.AlternativeText, th.Surface},
			{"number of an input point", th.Text, th.StreetHalo},
		} {
			if got := contrast(c.text, c.back); got < 4.5 {
				t.Errorf("%s, %s: contrast %.2f, want 4.5", name, c.what, got)
			}
		}
	}
}

// contrast is that of WCAG 2.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.03928 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

// The lines that carry a meaning stand out from land and built-up areas by 3, the
// least for shapes.
func TestMeaningStandsOut(t *testing.T) {
	for name, th := range map[string]*Theme{"light": Light(), "dark": Dark()} {
		for what, c := range map[string]color.NRGBA{"path": th.Path, "alternative": th.Alternative, "truth": th.Truth, "edge of links": th.LinkEdge} {
			if name == "dark" && what == "edge of links" {
				continue // dark, around fills that are light
			}
			for _, back := range []color.NRGBA{th.Land, th.BuiltUp} {
				if got := contrast(c, back); got < 3 {
					t.Errorf("%s, %s: contrast %.2f, want 3", name, what, got)
				}
			}
		}
	}
}
