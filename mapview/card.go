package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// card is the small card beside the pointer.
type card struct {
	panel *fyne.Container
	back  *canvas.Rectangle
	text  []*canvas.Text
}

const (
	cardGap  = 16 // from the pointer
	cardEdge = 8
)

func newCard() *card {
	c := &card{back: canvas.NewRectangle(nil)}
	c.back.CornerRadius, c.back.StrokeWidth = 4, 1
	c.panel = container.NewWithoutLayout(c.back)
	c.panel.Hide()
	return c
}

func (c *card) hide() { c.panel.Hide() }

// lines sets what the card says; nothing hides it.
func (c *card) lines(lines []string) {
	c.panel.Objects = c.panel.Objects[:1]
	c.text = c.text[:0]
	if len(lines) == 0 {
		c.panel.Hide()
		return
	}
	c.back.FillColor = theme.Color(theme.ColorNameOverlayBackground)
	c.back.StrokeColor = theme.Color(theme.ColorNameSeparator)
	var width, y float32 = 0, cardEdge
	for i, line := range lines {
		t := canvas.NewText(line, theme.Color(theme.ColorNameForeground))
		t.TextSize = theme.Size(theme.SizeNameCaptionText) + 1
		t.TextStyle.Bold = i == 0
		t.Move(fyne.NewPos(cardEdge, y))
		size := t.MinSize()
		t.Resize(size)
		width, y = max(width, size.Width), y+size.Height
		c.text = append(c.text, t)
		c.panel.Add(t)
	}
	size := fyne.NewSize(width+2*cardEdge, y+cardEdge)
	c.back.Resize(size)
	c.panel.Resize(size)
	c.panel.Show()
	c.panel.Refresh()
}

// moveTo puts the card beside the pointer, inside the map.
func (c *card) moveTo(at fyne.Position, within fyne.Size) {
	if !c.panel.Visible() {
		return
	}
	size := c.panel.Size()
	x, y := at.X+cardGap, at.Y+cardGap
	if x+size.Width > within.Width {
		x = at.X - cardGap - size.Width
	}
	if y+size.Height > within.Height {
		y = at.Y - cardGap - size.Height
	}
	c.panel.Move(fyne.NewPos(max(x, 0), max(y, 0)))
}
