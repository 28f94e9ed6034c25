package look

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"retrace/assets"
)

// Icon is one of the program's own icons by its file name without ending, in
// the colour of text. An unknown name gives a broken-image sign, never nil.
func Icon(name string) fyne.Resource { return IconIn(name, theme.ColorNameForeground) }

// IconIn is an icon in a colour of the theme.
func IconIn(name string, colour fyne.ThemeColorName) fyne.Resource {
	data, err := assets.Icon(name)
	if err != nil {
		return theme.BrokenImageIcon()
	}
	return tint(fyne.NewStaticResource(name+".svg", data), colour)
}

// tint colours an SVG resource in a colour of the theme.
func tint(r fyne.Resource, colour fyne.ThemeColorName) fyne.Resource {
	if themed, ok := r.(*theme.ThemedResource); ok {
		return theme.NewColoredResource(themed, colour)
	}
	return theme.NewColoredResource(r, colour)
}
