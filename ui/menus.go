package ui

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/ui/action"
)

// menus are the menus of the window, made from the table of actions.
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
			item.Shortcut = m.shortcut(a.Key)
			item.IsQuit = a.ID == "quit"
			m.items[a.ID] = item
			items = append(items, item)
		}
	}
	return fyne.NewMenu(kind.Title(), items...)
}

// shortcut is the key that a menu shows. A key without Ctrl is shown in the
// same place, where fyne does not act on it; the system's menu of a Mac would.
func (m *menus) shortcut(k action.Key) fyne.Shortcut {
	if s := shortcut(k); s != nil {
		return s
	}
	if !k.Plain() || runtime.GOOS == "darwin" {
		return nil
	}
	name := k.Name
	if name == "" {
		name = fyne.KeyName(string(unicode.ToUpper(k.Rune)))
	}
	var modifier fyne.KeyModifier
	if k.Shift {
		modifier = fyne.KeyModifierShift
	}
	return &desktop.CustomShortcut{KeyName: name, Modifier: modifier}
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
