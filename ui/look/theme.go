package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Mode says which variant of the theme is shown.
type Mode string

// The modes.
const (
	System Mode = "system" // as the system says; light where it says nothing
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// The sizes that the window needs beyond fyne's own, in fyne's pixels.
const (
	SizeRow    fyne.ThemeSizeName = "retrace.row"    // height of a table row
	SizeHeader fyne.ThemeSizeName = "retrace.header" // height of a panel header
	SizeSmall  fyne.ThemeSizeName = "retrace.small"  // secondary text
	SizeTitle  fyne.ThemeSizeName = "retrace.title"  // the inspector's title
)

// Theme is the window's theme. The zero value is not usable: call [NewTheme].
type Theme struct {
	mode        Mode
	scale       float32
	silent      bool // the system says nothing
	light, dark palette
	base        fyne.Theme
}

// NewTheme makes the theme in a mode, its texts and rows scaled by textScale
// (1 is the designed size).
func NewTheme(mode Mode, textScale float32) *Theme {
	if textScale <= 0 {
		textScale = 1
	}
	return &Theme{mode: mode, scale: textScale, light: lightPalette(), dark: darkPalette(), base: theme.DefaultTheme()}
}

// Silent is the theme on a system that does not say whether it wants dark colours: what
// fyne takes for its wish is none.
func (t *Theme) Silent() *Theme {
	silent := *t
	silent.silent = true
	return &silent
}

// IsDark reports whether the theme shows dark colours where the system asks for
// variant v.
func (t *Theme) IsDark(v fyne.ThemeVariant) bool {
	switch t.mode {
	case Light:
		return false
	case Dark:
		return true
	}
	return v == theme.VariantDark && !t.silent
}

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	p := t.light
	if t.IsDark(v) {
		p = t.dark
	}
	if c, ok := p[name]; ok {
		return c
	}
	return t.base.Color(name, v)
}

// Font implements fyne.Theme.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource { return t.base.Font(style) }

// Icon implements fyne.Theme.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

// Size implements fyne.Theme. Fyne's own widgets come out dense: a planner
// reads tables all day.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return 13 * t.scale
	case SizeSmall, theme.SizeNameCaptionText:
		return 12 * t.scale
	case theme.SizeNameSubHeadingText:
		return 15 * t.scale
	case SizeTitle, theme.SizeNameHeadingText:
		return 19 * t.scale
	case SizeRow:
		return 26 * t.scale
	case SizeHeader:
		return 32 * t.scale
	case theme.SizeNameInlineIcon:
		return 17 * t.scale
	}
	return t.fixedSize(name)
}

func (t *Theme) fixedSize(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNamePadding:
		return 4
	case theme.SizeNameInnerPadding:
		return 6
	case theme.SizeNameLineSpacing:
		return 3
	case theme.SizeNameScrollBar:
		return 10
	case theme.SizeNameSeparatorThickness, theme.SizeNameInputBorder:
		return 1
	case theme.SizeNameInputRadius, theme.SizeNameButtonRadius, theme.SizeNameSelectionRadius:
		return 3
	case theme.SizeNameModalBlurRadius:
		return 0
	}
	return t.base.Size(name)
}
