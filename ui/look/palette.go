// Package look is how the window looks: its colours, sizes, fonts and icons as
// one fyne theme in a light and a dark variant. Meanings have names here, so
// that no widget spells out a colour.
package look

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// The colours that the window needs beyond fyne's own.
const (
	Surface     fyne.ThemeColorName = "retrace.surface"     // panels
	Second      fyne.ThemeColorName = "retrace.second"      // headers, tab rows, status bar
	Control     fyne.ThemeColorName = "retrace.control"     // buttons and fields at rest
	Line        fyne.ThemeColorName = "retrace.line"        // separators
	Edge        fyne.ThemeColorName = "retrace.edge"        // lines that a value is read at
	Field       fyne.ThemeColorName = "retrace.field"       // borders of fields
	Text        fyne.ThemeColorName = "retrace.text"        // text
	Muted       fyne.ThemeColorName = "retrace.muted"       // secondary text
	Accent      fyne.ThemeColorName = "retrace.accent"      // what is active
	OnAccent    fyne.ThemeColorName = "retrace.onaccent"    // text on the accent
	Selected    fyne.ThemeColorName = "retrace.selected"    // the selected row
	Hovered     fyne.ThemeColorName = "retrace.hovered"     // the row under the pointer
	Warning     fyne.ThemeColorName = "retrace.warning"     // warnings: text and sign
	WarningBack fyne.ThemeColorName = "retrace.warningback" // behind a warning
	Path        fyne.ThemeColorName = "retrace.path"        // recovered path
	Deck        fyne.ThemeColorName = "retrace.deck"        // on an elevated deck
	DeckCasing  fyne.ThemeColorName = "retrace.deckcasing"
	Below       fyne.ThemeColorName = "retrace.below"       // below a deck
	Alternative fyne.ThemeColorName = "retrace.alternative" // alternatives and pins
	Chosen      fyne.ThemeColorName = "retrace.chosen"      // the selection on map and strip
	InputRing   fyne.ThemeColorName = "retrace.inputring"
	InputFill   fyne.ThemeColorName = "retrace.inputfill"
	RoadFill    fyne.ThemeColorName = "retrace.roadfill" // the sample of a road in the layers panel
	RoadCasing  fyne.ThemeColorName = "retrace.roadcasing"
	LinkSample  fyne.ThemeColorName = "retrace.linksample" // the sample of the roads driven
	Water       fyne.ThemeColorName = "retrace.water"
	Green       fyne.ThemeColorName = "retrace.green"
	Bars        fyne.ThemeColorName = "retrace.bars"  // the histogram of the time strip
	Track       fyne.ThemeColorName = "retrace.track" // the empty part of a bar
)

// palette gives every colour in one variant.
type palette map[fyne.ThemeColorName]color.NRGBA

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

func rgba(hex uint32, alpha uint8) color.NRGBA {
	c := rgb(hex)
	c.A = alpha
	return c
}

func lightPalette() palette {
	p := palette{
		Surface: rgb(0xFFFFFF), Second: rgb(0xF5F6F7), Control: rgb(0xECEEF0), Line: rgb(0xDDE0E3), Edge: rgb(0x8C949B), Field: rgb(0xC4CAD0),
		Text: rgb(0x1F2328), Muted: rgb(0x5B636B), Accent: rgb(0x0072B2), OnAccent: rgb(0xFFFFFF),
		Selected: rgb(0xDCEBF5), Hovered: rgb(0xF0F3F5),
		Warning: rgb(0xA65A00), WarningBack: rgb(0xFDF0DC),
		Path: rgb(0x0072B2), Deck: rgb(0xCC79A7), DeckCasing: rgb(0x6B2B50), Below: rgb(0x009E73),
		Alternative: rgb(0xD55E00), Chosen: rgb(0xE69F00), InputRing: rgb(0x1B1F24), InputFill: rgb(0xFFFFFF),
		RoadFill: rgb(0xF2D49B), RoadCasing: rgb(0xC79F58), LinkSample: rgb(0x1C5FA8), Water: rgb(0xC3DAE8), Green: rgb(0xD8E6CF),
		Bars: rgb(0xB9C3CC), Track: rgb(0xE3E6E9),
	}
	p[theme.ColorNameDisabled] = rgb(0x626A72)
	return p.withFyne(rgba(0x000000, 0x24), rgba(0x0072B2, 0x40), rgb(0xB3261E))
}

func darkPalette() palette {
	p := palette{
		Surface: rgb(0x1B1D20), Second: rgb(0x212428), Control: rgb(0x2A2E33), Line: rgb(0x34393F), Edge: rgb(0x6E7780), Field: rgb(0x4C545C),
		Text: rgb(0xE8EAED), Muted: rgb(0xA1A9B1), Accent: rgb(0x56B4E9), OnAccent: rgb(0x0E1114),
		Selected: rgb(0x1F3A4C), Hovered: rgb(0x25292D),
		Warning: rgb(0xF5B04A), WarningBack: rgb(0x3A2E1B),
		Path: rgb(0x56B4E9), Deck: rgb(0xE39AC4), DeckCasing: rgb(0x3B1029), Below: rgb(0x2BC49A),
		Alternative: rgb(0xF08A3C), Chosen: rgb(0xF5B82E), InputRing: rgb(0x0E1114), InputFill: rgb(0xFFFFFF),
		RoadFill: rgb(0x6E5A38), RoadCasing: rgb(0x141619), LinkSample: rgb(0x7FB8EE), Water: rgb(0x1A3242), Green: rgb(0x28362C),
		Bars: rgb(0x4A545D), Track: rgb(0x33383D),
	}
	p[theme.ColorNameDisabled] = rgb(0x9AA2AA)
	return p.withFyne(rgba(0x000000, 0x58), rgba(0x56B4E9, 0x50), rgb(0xFF8A80))
}

// withFyne maps fyne's names onto the palette, so that fyne's own widgets
// (menus, dialogs, entries) wear the same colours.
func (p palette) withFyne(shadow, focus, fault color.NRGBA) palette {
	same := map[fyne.ThemeColorName]fyne.ThemeColorName{
		theme.ColorNameBackground:          Surface,
		theme.ColorNameButton:              Control,
		theme.ColorNameDisabledButton:      Control,
		theme.ColorNameForeground:          Text,
		theme.ColorNameForegroundOnError:   Surface,
		theme.ColorNameForegroundOnPrimary: OnAccent,
		theme.ColorNameForegroundOnSuccess: Surface,
		theme.ColorNameForegroundOnWarning: Surface,
		theme.ColorNameHeaderBackground:    Second,
		theme.ColorNameHyperlink:           Accent,
		theme.ColorNameInputBackground:     Surface,
		theme.ColorNameInputBorder:         Field,
		theme.ColorNameMenuBackground:      Surface,
		theme.ColorNameOverlayBackground:   Surface,
		theme.ColorNamePlaceHolder:         Muted,
		theme.ColorNamePrimary:             Accent,
		theme.ColorNameScrollBarBackground: Second,
		theme.ColorNameSelection:           Selected,
		theme.ColorNameSeparator:           Line,
		theme.ColorNameSuccess:             Below,
		theme.ColorNameWarning:             Warning,
	}
	for name, ours := range same {
		p[name] = p[ours]
	}
	text := p[Text]
	p[theme.ColorNameHover] = color.NRGBA{R: text.R, G: text.G, B: text.B, A: 0x12}
	p[theme.ColorNamePressed] = color.NRGBA{R: text.R, G: text.G, B: text.B, A: 0x22}
	p[theme.ColorNameScrollBar] = color.NRGBA{R: text.R, G: text.G, B: text.B, A: 0x50}
	p[theme.ColorNameShadow] = shadow
	p[theme.ColorNameFocus] = focus
	p[theme.ColorNameError] = fault
	return p
}
