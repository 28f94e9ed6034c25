// Package kit holds the small widgets that the window is made of and that fyne
// has not, or has too roomy: text that cuts itself off, dense rows and tables,
// panel headers, tabs, bars and chips. They know nothing of roads or trips.
package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Style says how a [Text] looks. The zero value is plain text.
type Style struct {
	Colour fyne.ThemeColorName // look.Text where empty
	Size   fyne.ThemeSizeName  // the theme's text size where empty
	Bold   bool
	Align  fyne.TextAlign
}

// Text is one line of text that ends in an ellipsis where it does not fit.
type Text struct {
	widget.BaseWidget
	full  string
	style Style
	// MinWidth is the width below which the text asks not to be cut, in pixels.
	// Negative: the text's whole width.
	minWidth float32
}

// NewText is a text that is never cut by its own wish: its minimum size is its
// whole size.
func NewText(s string, style Style) *Text {
	t := &Text{full: s, style: style, minWidth: -1}
	t.ExtendBaseWidget(t)
	return t
}

// NewCutText is a text that may be cut down to minWidth pixels.
func NewCutText(s string, style Style, minWidth float32) *Text {
	t := NewText(s, style)
	t.minWidth = minWidth
	return t
}

// Text is the whole text, also where it is shown cut.
func (t *Text) Text() string { return t.full }

// SetText shows another text.
func (t *Text) SetText(s string) {
	if s == t.full {
		return
	}
	t.full = s
	t.Refresh()
}

// Set shows another text in another style.
func (t *Text) Set(s string, style Style) {
	if s == t.full && style == t.style {
		return
	}
	t.full, t.style = s, style
	t.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &textRenderer{t: t, text: canvas.NewText("", color.Transparent)}
	r.restyle()
	return Laid(r, t.Size())
}

type textRenderer struct {
	t     *Text
	text  *canvas.Text
	whole fyne.Size // of the uncut text
}

func (r *textRenderer) restyle() {
	s := r.t.style
	if s.Colour == "" {
		s.Colour = look.Text
	}
	if s.Size == "" {
		s.Size = theme.SizeNameText
	}
	r.text.Color = theme.ColorForWidget(s.Colour, r.t)
	r.text.TextSize = theme.SizeForWidget(s.Size, r.t)
	r.text.TextStyle = fyne.TextStyle{Bold: s.Bold}
	r.text.Alignment = s.Align
	r.whole = fyne.MeasureText(r.t.full, r.text.TextSize, r.text.TextStyle)
}

func (r *textRenderer) Layout(size fyne.Size) {
	r.text.Text = r.t.full
	if r.whole.Width > size.Width+0.5 {
		r.text.Text = Cut(r.t.full, size.Width, r.text.TextSize, r.text.TextStyle)
	}
	r.text.Resize(fyne.NewSize(size.Width, r.whole.Height))
	r.text.Move(fyne.NewPos(0, (size.Height-r.whole.Height)/2))
}

func (r *textRenderer) MinSize() fyne.Size {
	if r.t.minWidth < 0 || r.whole.Width < r.t.minWidth {
		return r.whole
	}
	return fyne.NewSize(r.t.minWidth, r.whole.Height)
}

func (r *textRenderer) Refresh() {
	r.restyle()
	r.Layout(r.t.Size())
	r.text.Refresh()
}

func (r *textRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.text} }
func (r *textRenderer) Destroy()                     {}

// Cut shortens s with an ellipsis so that it is at most width pixels wide.
func Cut(s string, width, size float32, style fyne.TextStyle) string {
	runes := []rune(s)
	low, high := 0, len(runes)
	for low < high {
		mid := (low + high + 1) / 2
		if fyne.MeasureText(string(runes[:mid])+"…", size, style).Width <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if low == 0 {
		return ""
	}
	return string(runes[:low]) + "…"
}
