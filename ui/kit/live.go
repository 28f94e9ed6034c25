package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Live is a row of any content that is pressed, and that tells when pointer or
// keys come to it or leave.
type Live struct {
	widget.BaseWidget
	Press
	content fyne.CanvasObject
	ground  *Fill
	ring    *Fill
	hover   func(over bool)
	over    bool
}

// livePad is the room above and below the content, which takes the pointer too.
const livePad = 2

// NewLive is a row of content; hover and tap are called as the user moves over
// it and presses it.
func NewLive(content fyne.CanvasObject, hover func(over bool), tap func()) *Live {
	l := &Live{content: NewPad(livePad, 0, livePad, 0, content), ground: NewFill(look.Surface), ring: newRing(), hover: hover}
	l.ring.Hide()
	l.Init(l, tap)
	l.ExtendBaseWidget(l)
	return l
}

// Refresh implements fyne.Widget.
func (l *Live) Refresh() {
	if over := l.hovered || l.focused; over != l.over {
		l.over = over
		l.ground.SetColour(map[bool]fyne.ThemeColorName{true: look.Hovered, false: look.Surface}[over])
		l.hover(over)
	}
	l.ring.Hidden = !l.focused
	l.BaseWidget.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (l *Live) CreateRenderer() fyne.WidgetRenderer {
	return Laid(widget.NewSimpleRenderer(container.NewStack(l.ground, l.content, l.ring)), l.Size())
}

// NewParts lays objects below one another, gap pixels apart; rows of one list
// stand together, so that the pointer falls between none of them.
func NewParts(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	var parts []fyne.CanvasObject
	var rows *fyne.Container
	for _, o := range objects {
		_, live := o.(*Live)
		switch {
		case live && rows != nil:
			rows.Add(o)
		case live:
			rows = NewColumn(0, o)
			parts = append(parts, NewPad(-livePad, 0, -livePad, 0, rows))
		default:
			rows = nil
			parts = append(parts, o)
		}
	}
	return NewColumn(gap, parts...)
}
