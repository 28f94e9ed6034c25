package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// NewIcon is a small icon in a colour of the theme.
func NewIcon(name string, colour fyne.ThemeColorName) *Icon {
	i := newIcon()
	i.SetResource(look.IconIn(name, colour))
	return i
}

// NewChip is a warning on its own ground.
func NewChip(text string) *fyne.Container {
	ground := NewFill(look.WarningBack)
	ground.radius = 3
	line := NewLine(7, 1, NewFixed(16, 16, NewIcon("warning", look.Warning)),
		NewCutText(text, Style{Colour: look.Warning, Size: look.SizeSmall, Bold: true}, 40))
	return container.NewStack(ground, NewPad(4, 8, 4, 8, line))
}

// NewParagraph is text that wraps, in a colour of the theme.
func NewParagraph(text string, colour fyne.ThemeColorName, align fyne.TextAlign) *widget.RichText {
	rich := widget.NewRichText(&widget.TextSegment{Text: text, Style: widget.RichTextStyle{ColorName: colour, Alignment: align}})
	rich.Wrapping = fyne.TextWrapWord
	return rich
}

// Fact is one line of a list of facts.
type Fact struct {
	Name, Value string
	Bold        bool
}

// NewFacts is a list of names and values in two columns.
func NewFacts(facts []Fact) *fyne.Container {
	rows := make([]fyne.CanvasObject, 0, len(facts))
	for _, f := range facts {
		name := NewCutText(f.Name, Style{Colour: look.Muted}, 30)
		value := NewCutText(f.Value, Style{Bold: f.Bold}, 40)
		rows = append(rows, container.New(factLayout{}, name, value))
	}
	return NewColumn(2, rows...)
}

// factLayout lays a name and a value beside each other.
type factLayout struct{}

func (factLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left := size.Width * 0.37
	objects[0].Resize(fyne.NewSize(left-8, size.Height))
	objects[1].Move(fyne.NewPos(left, 0))
	objects[1].Resize(fyne.NewSize(size.Width-left, size.Height))
}

func (factLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	a, b := objects[0].MinSize(), objects[1].MinSize()
	return fyne.NewSize(a.Width+b.Width, max(a.Height, b.Height))
}

// NewEmpty is what a panel shows that has nothing to show: what to do about it,
// and buttons that do it.
func NewEmpty(icon, title, text string, buttons ...fyne.CanvasObject) *fyne.Container {
	label := NewParagraph(text, look.Muted, fyne.TextAlignCenter)
	parts := []fyne.CanvasObject{
		container.NewCenter(NewFixed(30, 30, NewIcon(icon, look.Muted))),
		container.NewCenter(NewText(title, Style{Bold: true})),
		label,
	}
	for _, b := range buttons {
		parts = append(parts, container.NewCenter(b))
	}
	return NewColumn(7, parts...)
}
