package menubar

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/look"
)

// list is an open menu: its actions below one another, a line between groups. It
// has the keys for as long as it is open.
type list struct {
	widget.BaseWidget
	b       *Bar
	object  fyne.CanvasObject
	entries []*entry
	column  *fyne.Container
	scroll  *container.Scroll
	cursor  int // negative: none
}

func newList(b *Bar, groups []action.Group) *list {
	l := &list{b: b, cursor: -1, column: kit.NewColumn(0)}
	for i, g := range groups {
		if i > 0 {
			l.column.Add(kit.NewPad(4, 0, 4, 0, kit.NewRule()))
		}
		for _, a := range g {
			e := newEntry(l, a, len(l.entries))
			l.entries = append(l.entries, e)
			l.column.Add(e)
		}
	}
	l.scroll = container.NewVScroll(kit.NewPad(4, 1, 4, 1, l.column))
	l.ExtendBaseWidget(l)
	l.object = container.NewStack(kit.NewCard(), l)
	return l
}

// height is that of the whole menu.
func (l *list) height() float32 { return l.column.MinSize().Height + 8 }

// MinSize implements fyne.Widget.
func (l *list) MinSize() fyne.Size { return fyne.NewSize(l.column.MinSize().Width+2, 40) }

// CreateRenderer implements fyne.Widget.
func (l *list) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(l.scroll), l.Size())
}

// FocusGained implements fyne.Focusable.
func (l *list) FocusGained() {}

// FocusLost implements fyne.Focusable: what takes the keys closes the menu.
func (l *list) FocusLost() {
	if l.b.open == l {
		l.b.hide()
	}
}

// TypedRune implements fyne.Focusable: a letter goes to the next name that
// begins with it.
func (l *list) TypedRune(r rune) {
	for i := range l.entries {
		k := (l.cursor + 1 + i) % len(l.entries)
		name := l.entries[k].action.Name()
		if strings.HasPrefix(strings.ToLower(name), string(unicode.ToLower(r))) {
			l.point(k)
			return
		}
	}
}

// TypedKey implements fyne.Focusable.
func (l *list) TypedKey(e *fyne.KeyEvent) {
	n := len(l.entries)
	switch e.Name {
	case fyne.KeyDown:
		l.point((l.cursor + 1) % n)
	case fyne.KeyUp:
		l.point((max(l.cursor, 0) - 1 + n) % n)
	case fyne.KeyHome, fyne.KeyPageUp:
		l.point(0)
	case fyne.KeyEnd, fyne.KeyPageDown:
		l.point(n - 1)
	case fyne.KeyLeft:
		l.b.beside(-1)
	case fyne.KeyRight:
		l.b.beside(1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if l.cursor >= 0 {
			l.b.do(l.entries[l.cursor].action)
		}
	case fyne.KeyEscape, fyne.KeyF10:
		l.b.Close()
	}
}

// point moves the cursor to an action and brings it into view.
func (l *list) point(i int) {
	before := l.cursor
	l.cursor = i
	if before >= 0 {
		l.entries[before].Refresh()
	}
	e := l.entries[i]
	e.Refresh()
	top, view := e.Position().Y, l.scroll.Size().Height
	switch {
	case top < l.scroll.Offset.Y:
		l.scroll.Offset.Y = max(top-4, 0)
	case top+e.Size().Height+8 > l.scroll.Offset.Y+view:
		l.scroll.Offset.Y = top + e.Size().Height + 8 - view
	default:
		return
	}
	l.scroll.Refresh()
}

// entry is one action of a menu: a sign where it is switched on, its name and
// its key.
type entry struct {
	widget.BaseWidget
	l         *list
	index     int
	action    action.Action
	ground    *kit.Fill
	name, key *kit.Text
	box       *fyne.Container
}

func newEntry(l *list, a action.Action, index int) *entry {
	e := &entry{l: l, index: index, action: a, ground: kit.NewFill("")}
	name, key := kit.Style{}, kit.Style{Colour: look.Muted, Size: look.SizeSmall}
	if !a.Can() {
		name.Colour, key.Colour = theme.ColorNameDisabled, theme.ColorNameDisabled
	}
	e.name, e.key = kit.NewText(a.Name(), name), kit.NewText(a.Key.String(), key)
	sign := kit.NewFixed(15, 15, container.NewStack())
	if a.Checked != nil && a.Checked() {
		sign.Add(kit.NewIcon("check", look.Text))
	}
	e.box = container.NewStack(e.ground, kit.NewPad(3, 14, 3, 9, kit.NewLine(9, 1, sign, e.name, kit.NewPad(0, 0, 0, 26, e.key))))
	e.ExtendBaseWidget(e)
	return e
}

// Tapped implements fyne.Tappable.
func (e *entry) Tapped(*fyne.PointEvent) { e.l.b.do(e.action) }

// MouseIn implements desktop.Hoverable.
func (e *entry) MouseIn(*desktop.MouseEvent) { e.l.point(e.index) }

// MouseMoved implements desktop.Hoverable.
func (e *entry) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (e *entry) MouseOut() {}

// Refresh implements fyne.Widget.
func (e *entry) Refresh() {
	ground := fyne.ThemeColorName("")
	if e.l.cursor == e.index {
		ground = look.Selected
	}
	e.ground.SetColour(ground)
	e.BaseWidget.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (e *entry) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(e.box), e.Size())
}
