package look

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// What stands on what: every colour of text, on every ground that it is written
// on.
func written() map[fyne.ThemeColorName][]fyne.ThemeColorName {
	panels := []fyne.ThemeColorName{Surface, Second}
	grounds := append([]fyne.ThemeColorName{Control, Selected, Hovered}, panels...)
	return map[fyne.ThemeColorName][]fyne.ThemeColorName{
		Text:                               append([]fyne.ThemeColorName{Track}, grounds...), // Track: a button under the pointer
		Muted:                              grounds,
		theme.ColorNameDisabled:            grounds, // what cannot be done now can be read all the same
		Accent:                             panels,
		OnAccent:                           {Accent},
		Warning:                            append([]fyne.ThemeColorName{WarningBack}, panels...),
		theme.ColorNameError:               panels,
		theme.ColorNamePlaceHolder:         {theme.ColorNameInputBackground},
		theme.ColorNameForegroundOnPrimary: {theme.ColorNamePrimary},
		theme.ColorNameForegroundOnError:   {theme.ColorNameError},
		theme.ColorNameForegroundOnWarning: {theme.ColorNameWarning},
		theme.ColorNameHyperlink:           panels,
	}
}

// leastText is the contrast that text needs, and leastSign that of signs and of
// what shows the focus (WCAG 2.2, 1.4.3 and 1.4.11).
const (
	leastText = 4.5
	leastSign = 3
)

func TestTextStandsOutFromItsGround(t *testing.T) {
	for name, p := range palettes() {
		for ink, grounds := range written() {
			for _, ground := range grounds {
				if c := contrast(p[ink], p[ground]); c < leastText {
					t.Errorf("%s: %s on %s has a contrast of %.2f, less than %.1f", name, ink, ground, c, leastText)
				}
			}
		}
	}
}

func TestSignsStandOutFromTheirGround(t *testing.T) {
	for name, p := range palettes() {
		for _, sign := range []fyne.ThemeColorName{Accent, Warning, Edge, Path, Alternative} {
			if c := contrast(p[sign], p[Surface]); c < leastSign {
				t.Errorf("%s: %s has a contrast of %.2f, less than %.1f", name, sign, c, float64(leastSign))
			}
		}
	}
}

// The measure itself: black on white has 21, equal colours 1.
func TestContrast(t *testing.T) {
	if c := contrast(rgb(0), rgb(0xFFFFFF)); math.Abs(c-21) > 1e-9 {
		t.Errorf("black on white: %f", c)
	}
	if c := contrast(rgb(0x777777), rgb(0xFFFFFF)); math.Abs(c-4.478) > 0.001 {
		t.Errorf("#777777 on white: %f", c)
	}
}

func palettes() map[string]palette {
	return map[string]palette{"light": lightPalette(), "dark": darkPalette()}
}

// contrast is the ratio of the relative luminances of two opaque colours.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
