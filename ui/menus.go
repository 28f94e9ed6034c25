package ui

import (
	"fmt"
	"runtime"
	"strings"

	"fyne.io/fyne/v2"

	"retrace/ui/action"
	"retrace/ui/menubar"
)

// newMenus makes the menus of the window from the table of actions: a row of our
// own, or the system's on a Mac.
func (w *window) newMenus() {
	w.menubar = menubar.New(w.actions, menubar.Acts{Do: w.perform, Focus: w.giveKeys, Keys: func() fyne.Focusable { return w.win.Canvas().Focused() }})
	if systemMenus() {
		w.menubar.Object.Hide()
		w.menus = newMenus(w)
	}
}

// systemMenus reports whether menus belong into the bar of the system.
func systemMenus() bool { return runtime.GOOS == "darwin" }

// openMenu opens a menu, unless a dialog stands before the window.
func (w *window) openMenu(m action.Menu) {
	if w.win.Canvas().Overlays().Top() == nil {
		w.menubar.Open(m)
	}
}

// giveKeys gives something the keys; the window has them where that is nil, or
// hidden.
func (w *window) giveKeys(f fyne.Focusable) {
	w.unfocus()
	if f != nil {
		w.win.Canvas().Focus(f)
	}
}

// menus are the system's menus, made from the table of actions.
type menus struct {
	w     *window
	main  *fyne.MainMenu
	items map[action.ID]*fyne.MenuItem
	shown string // what the menus show, to refresh them only when that changes
}

func newMenus(w *window) *menus {
	m := &menus{w: w, items: map[action.ID]*fyne.MenuItem{}}
	var all []*fyne.Menu
	for kind := range action.Menu(action.NumMenus) {
		all = append(all, m.menu(kind))
	}
	m.main = fyne.NewMainMenu(all...)
	m.update()
	w.win.SetMainMenu(m.main)
	return m
}

func (m *menus) menu(kind action.Menu) *fyne.Menu {
	var items []*fyne.MenuItem
	for i, group := range m.w.actions.Groups(kind) {
		if i > 0 {
			items = append(items, fyne.NewMenuItemSeparator())
		}
		for _, a := range group {
			item := fyne.NewMenuItem(a.Name(), func() { m.w.perform(a.ID) })
			item.Shortcut = shortcut(a.Key)
			item.IsQuit = a.ID == "quit"
			m.items[a.ID] = item
			items = append(items, item)
		}
	}
	return fyne.NewMenu(kind.Title(), items...)
}

// update brings names, switches and what can be done up to date; it reports
// whether anything changed.
func (m *menus) update() bool {
	var b strings.Builder
	for _, a := range m.w.actions {
		item := m.items[a.ID]
		item.Label = a.Name()
		item.Disabled = !a.Can()
		item.Checked = a.Checked != nil && a.Checked()
		fmt.Fprintf(&b, "%s%v%v", item.Label, item.Disabled, item.Checked)
	}
	changed := b.String() != m.shown
	m.shown = b.String()
	return changed
}

func (m *menus) refresh() {
	if m.update() {
		m.main.Refresh()
	}
}
