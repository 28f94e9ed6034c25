package mapview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// controls are the buttons in the map's corner.
type controls struct {
	panel *fyne.Container
	back  *canvas.Rectangle
	north *canvas.Text
}

// needle points north.
const needle = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path d="M10 1 14.5 9H5.5Z" fill="#D55E00"/></svg>`

const controlGap = 12

func newControls(m *Map) *controls {
	c := &controls{back: canvas.NewRectangle(nil)}
	c.back.CornerRadius, c.back.StrokeWidth = 4, 1
	button := func(icon fyne.Resource, tapped func()) *widget.Button {
		b := widget.NewButtonWithIcon("", icon, tapped)
		b.Importance = widget.LowImportance
		return b
	}
	c.north = canvas.NewText("N", nil)
	c.north.Alignment, c.north.TextStyle.Bold, c.north.TextSize = fyne.TextAlignCenter, true, 12
	point := canvas.NewImageFromResource(fyne.NewStaticResource("needle.svg", []byte(needle)))
	point.SetMinSize(fyne.NewSize(20, 10))
	point.FillMode = canvas.ImageFillContain
	buttons := container.New(layout.NewCustomPaddedVBoxLayout(0),
		button(theme.ContentAddIcon(), func() { m.Zoom(1) }),
		button(theme.ContentRemoveIcon(), func() { m.Zoom(-1) }),
		button(theme.ZoomFitIcon(), m.fit),
		container.New(layout.NewCustomPaddedVBoxLayout(-3), point, c.north),
	)
	c.panel = container.NewStack(c.back, buttons)
	c.refresh()
	return c
}

// refresh takes the colours of the window's theme.
func (c *controls) refresh() {
	c.back.FillColor = theme.Color(theme.ColorNameBackground)
	c.back.StrokeColor = theme.Color(theme.ColorNameSeparator)
	c.north.Color = theme.Color(theme.ColorNameForeground)
	c.north.TextSize = theme.Size(theme.SizeNameCaptionText)
	c.panel.Refresh()
}
