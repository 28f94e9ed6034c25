package layers

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"

	"retrace/ui/kit"
	"retrace/ui/look"
)

// The samples are drawn as the map draws the things themselves.
const (
	swatchWidth  = 28
	swatchHeight = 16
	middle       = swatchHeight / 2
)

type colours = func(fyne.ThemeColorName) color.Color

func swatch(paint func(x, y float32, c colours) color.Color) *kit.Swatch {
	return kit.NewSwatch(swatchWidth, swatchHeight, paint)
}

// off is how far a height lies from the middle.
func off(y float32) float32 { return float32(math.Abs(float64(y - middle))) }

func pathSwatch() *kit.Swatch {
	return swatch(func(_, y float32, c colours) color.Color {
		if off(y) < 2 {
			return c(look.Path)
		}
		return nil
	})
}

func inputSwatch() *kit.Swatch {
	return swatch(func(x, y float32, c colours) color.Color {
		d := math.Hypot(float64(x-swatchWidth/2), float64(y-middle))
		switch {
		case d < 3.4:
			return c(look.InputFill)
		case d < 5.6:
			return c(look.InputRing)
		case d < 6.8:
			return c(look.InputFill)
		}
		return nil
	})
}

func deckSwatch() *kit.Swatch {
	return swatch(func(_, y float32, c colours) color.Color {
		switch {
		case off(y) < 3.5:
			return c(look.Deck)
		case off(y) < 4.8:
			return c(look.DeckCasing)
		}
		return nil
	})
}

func alternativeSwatch() *kit.Swatch {
	return swatch(func(_, y float32, c colours) color.Color {
		if off(y) < 0.8 {
			return c(look.Alternative)
		}
		return nil
	})
}

func truthSwatch() *kit.Swatch {
	return swatch(func(x, y float32, c colours) color.Color {
		if off(y) < 0.9 && math.Mod(float64(x), 4) < 1.9 {
			return c(look.Text)
		}
		return nil
	})
}

func roadSwatch() *kit.Swatch {
	return swatch(func(_, y float32, c colours) color.Color {
		switch {
		case off(y) < 3.1:
			return c(look.RoadFill)
		case off(y) < 4.2:
			return c(look.RoadCasing)
		}
		return nil
	})
}

func groundSwatch() *kit.Swatch {
	return swatch(func(x, y float32, c colours) color.Color {
		switch {
		case off(y) > 5.5:
			return nil
		case x < swatchWidth/2:
			return c(look.Water)
		}
		return c(look.Green)
	})
}

func pinSwatch() *kit.Swatch {
	return swatch(func(x, y float32, c colours) color.Color {
		dx, dy := float64(x-swatchWidth/2), float64(y-6)
		d := math.Hypot(dx, dy)
		switch {
		case d < 1.7:
			return c(look.InputFill)
		case d < 5, dy > 0 && dy < 9 && math.Abs(dx) < 4.6*(1-dy/9):
			return c(look.Alternative)
		}
		return nil
	})
}

func differenceSwatch() *kit.Swatch {
	return swatch(func(_, y float32, c colours) color.Color {
		switch {
		case off(y) < 2:
			return c(look.Path)
		case off(y) < 5.5:
			return c(look.Chosen)
		}
		return nil
	})
}

func linkSwatch() *kit.Swatch {
	return swatch(func(x, y float32, c colours) color.Color {
		if off(y) < 1+x/swatchWidth*4 {
			return c(look.LinkSample)
		}
		return nil
	})
}
