// Package menubar is the row of menus at the top of the window. Fyne's own does
// not open by the keyboard; this one does: Alt and a letter open a menu, F10 the
// first, arrows move, Enter does, Esc leaves.
package menubar

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/ui/action"
	"retrace/ui/kit"
	"retrace/ui/look"
)

// Acts is what the menus need of the window.
type Acts struct {
	Do    func(action.ID)
	Focus func(fyne.Focusable) // gives it the keys; nil: the window gets them
	Keys  func() fyne.Focusable
}

// Bar is the row of menus and the menu that is open.
type Bar struct {
	Object fyne.CanvasObject // the row
	Layer  fyne.CanvasObject // lies over the whole window, and holds the open menu

	table  action.Table
	acts   Acts
	titles []*title
	layer  *fyne.Container
	open   *list          // nil: none
	at     int            // the menu that is open
	before fyne.Focusable // what had the keys before
}

// New is the menus of a table.
func New(table action.Table, acts Acts) *Bar {
	b := &Bar{table: table, acts: acts}
	row := kit.NewLine(0, -1)
	taken := map[rune]bool{}
	for m := range action.Menu(action.NumMenus) {
		t := newTitle(b, m, mnemonic(m, taken))
		b.titles = append(b.titles, t)
		row.Add(t)
	}
	b.Object = container.NewStack(kit.NewFill(look.Surface), kit.NewBorder(nil, kit.NewRule(), nil, nil, kit.NewPad(0, 0, 0, 4, row)))
	b.layer = container.New(below{b})
	b.layer.Hide()
	b.Layer = b.layer
	return b
}

// mnemonic is the letter that opens a menu together with Alt: the first of its
// title, or, where that is taken or is no Latin letter, of its English name.
func mnemonic(m action.Menu, taken map[rune]bool) rune {
	english := [...]rune{action.File: 'f', action.Edit: 'e', action.View: 'v', action.Recover: 'r', action.Help: 'h'}
	for _, r := range []rune{unicode.ToLower([]rune(m.Title())[0]), english[m]} {
		if r >= 'a' && r <= 'z' && !taken[r] {
			taken[r] = true
			return r
		}
	}
	return 0
}

// Letter is the letter that opens a menu together with Alt; 0: none does.
func (b *Bar) Letter(m action.Menu) rune { return b.titles[m].letter }

// Shown reports whether a menu is open.
func (b *Bar) Shown() bool { return b.open != nil }

// Open opens a menu and gives it the keys.
func (b *Bar) Open(m action.Menu) {
	if b.open == nil {
		b.before = b.acts.Keys()
	}
	b.at = int(m)
	b.open = newList(b, b.table.Groups(m))
	b.layer.Objects = []fyne.CanvasObject{newBackdrop(b.Close), b.open.object}
	b.layer.Show()
	b.layer.Refresh()
	b.refresh()
	b.acts.Focus(b.open)
}

// Close closes the menu that is open, and gives the keys back to what had them.
func (b *Bar) Close() {
	if b.open != nil {
		b.hide()
		b.acts.Focus(b.before)
	}
}

// hide closes the menu that is open; the keys stay where they are.
func (b *Bar) hide() {
	b.open = nil
	b.layer.Objects = nil
	b.layer.Hide()
	b.refresh()
}

// toggle opens a menu, or closes it where it is open.
func (b *Bar) toggle(m action.Menu) {
	if b.open != nil && b.at == int(m) {
		b.Close()
		return
	}
	b.Open(m)
}

// beside opens the menu beside the one that is open.
func (b *Bar) beside(step int) {
	n := len(b.titles)
	b.Open(action.Menu((b.at + step + n) % n))
}

// do closes the menu and does an action.
func (b *Bar) do(a action.Action) {
	if a.Can() {
		b.Close()
		b.acts.Do(a.ID)
	}
}

func (b *Bar) refresh() {
	for _, t := range b.titles {
		t.Refresh()
	}
}

// below lays the open menu under its title, within the window.
type below struct{ b *Bar }

func (l below) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if len(objects) < 2 {
		return
	}
	t := l.b.titles[l.b.at]
	top := l.b.Object.Size().Height
	objects[0].Move(fyne.NewPos(0, top))
	objects[0].Resize(size.SubtractWidthHeight(0, top))
	need := objects[1].MinSize().Max(fyne.NewSize(0, l.b.open.height()))
	need.Height = min(need.Height, size.Height-top-4)
	objects[1].Move(fyne.NewPos(max(min(t.Position().X+4, size.Width-need.Width), 0), top))
	objects[1].Resize(need)
}

func (l below) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
