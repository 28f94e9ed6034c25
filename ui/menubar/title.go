package menubar

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/look"
)

// title is the title of a menu in the row. It is pressed by the mouse; keys open
// menus from anywhere, so it takes none.
type title struct {
	widget.BaseWidget
	b      *Bar
	menu   action.Menu
	letter rune
	text   *kit.Text
	ground *kit.Fill
	over   bool
}

func newTitle(b *Bar, m action.Menu, letter rune) *title {
	name := m.Title()
	if letter != 0 && !strings.ContainsRune(strings.ToLower(name), letter) {
		name += " (" + string(unicode.ToUpper(letter)) + ")"
	}
	t := &title{b: b, menu: m, letter: letter, text: kit.NewText(name, kit.Style{}), ground: kit.NewFill("")}
	t.ExtendBaseWidget(t)
	return t
}

// Tapped implements fyne.Tappable.
func (t *title) Tapped(*fyne.PointEvent) { t.b.toggle(t.menu) }

// MouseIn implements desktop.Hoverable: where a menu is open, this one opens.
func (t *title) MouseIn(*desktop.MouseEvent) {
	t.over = true
	t.Refresh()
	if t.b.open != nil && t.b.at != int(t.menu) {
		t.b.Open(t.menu)
	}
}

// MouseMoved implements desktop.Hoverable.
func (t *title) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *title) MouseOut() { t.over = false; t.Refresh() }

// Refresh implements fyne.Widget.
func (t *title) Refresh() {
	switch {
	case t.b.open != nil && t.b.at == int(t.menu):
		t.ground.SetColour(look.Selected)
	case t.over:
		t.ground.SetColour(look.Control)
	default:
		t.ground.SetColour("")
	}
	t.BaseWidget.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (t *title) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(container.NewStack(t.ground, kit.NewPad(5, 10, 5, 10, t.text))), t.Size())
}

// backdrop covers the window behind an open menu: a click closes the menu, and
// the wheel turns nothing.
type backdrop struct {
	widget.BaseWidget
	close func()
}

func newBackdrop(close func()) *backdrop {
	d := &backdrop{close: close}
	d.ExtendBaseWidget(d)
	return d
}

// Tapped implements fyne.Tappable.
func (d *backdrop) Tapped(*fyne.PointEvent) { d.close() }

// TappedSecondary implements fyne.SecondaryTappable.
func (d *backdrop) TappedSecondary(*fyne.PointEvent) { d.close() }

// Scrolled implements fyne.Scrollable.
func (d *backdrop) Scrolled(*fyne.ScrollEvent) {}

// MouseIn implements desktop.Hoverable, so that nothing behind hears of the pointer.
func (d *backdrop) MouseIn(*desktop.MouseEvent) {}

// MouseMoved implements desktop.Hoverable.
func (d *backdrop) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (d *backdrop) MouseOut() {}

// CreateRenderer implements fyne.Widget.
func (d *backdrop) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(container.NewWithoutLayout()), d.Size())
}
