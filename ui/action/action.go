// Package action is the table of everything the user can do: its name, its
// key, when it can be done and what does it. Menus, keys and the overlay of
// keys are all made from one table.
package action

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
)

// Key is what is pressed: a rune, or a named key; with or without modifiers.
// The zero value is no key.
type Key struct {
	Rune  rune // lower case
	Name  fyne.KeyName
	Ctrl  bool // Command on a Mac
	Shift bool
}

// None reports whether there is no key.
func (k Key) None() bool { return k == Key{} }

// Plain reports whether the key is pressed without Ctrl.
func (k Key) Plain() bool { return !k.None() && !k.Ctrl }

// String is the key as menus and the overlay show it: Ctrl+Shift+R.
func (k Key) String() string {
	if k.None() {
		return ""
	}
	var parts []string
	if k.Ctrl {
		parts = append(parts, lang.L("Ctrl"))
	}
	if k.Shift {
		parts = append(parts, lang.L("Shift"))
	}
	return strings.Join(append(parts, k.label()), "+")
}

func (k Key) label() string {
	if k.Rune != 0 {
		return string(unicode.ToUpper(k.Rune))
	}
	switch k.Name {
	case fyne.KeySpace:
		return lang.L("Space")
	case fyne.KeyLeft:
		return lang.L("Left")
	case fyne.KeyRight:
		return lang.L("Right")
	case fyne.KeyEscape:
		return lang.L("Esc")
	case fyne.KeyDelete:
		return lang.L("Del")
	}
	return string(k.Name)
}

// Menu is one of the menus of the menu bar.
type Menu uint8

// The menus.
const (
	File Menu = iota
	Edit
	View
	Recover
	Help
	NumMenus = iota
)

// Title is the menu's name.
func (m Menu) Title() string {
	return [...]string{lang.L("File"), lang.L("Edit"), lang.L("View"), lang.L("Recover"), lang.L("Help")}[m]
}

// ID names an action for buttons and tests.
type ID string

// Action is one thing the user can do.
type Action struct {
	ID      ID
	Menu    Menu
	Group   int // actions of one group stand together, a line between groups
	Name    func() string
	Key     Key
	Enabled func() bool // nil: always
	Checked func() bool // nil: no switch
	Run     func()
}

// Can reports whether the action can be done now.
func (a Action) Can() bool { return a.Enabled == nil || a.Enabled() }

// Table is all actions in the order of the menus.
type Table []Action

// Find is the action of an id; false where there is none.
func (t Table) Find(id ID) (Action, bool) {
	for _, a := range t {
		if a.ID == id {
			return a, true
		}
	}
	return Action{}, false
}

// Do does an action where it can be done, and reports whether it was.
func (t Table) Do(id ID) bool {
	a, ok := t.Find(id)
	if !ok || !a.Can() {
		return false
	}
	a.Run()
	return true
}

// Press does the action of a key without Ctrl, and reports whether there is one.
// A letter typed with Shift is that without, where no action has it.
func (t Table) Press(k Key) bool {
	if t.press(k) {
		return true
	}
	return k.Shift && t.press(Key{Rune: k.Rune, Name: k.Name})
}

func (t Table) press(k Key) bool {
	for _, a := range t {
		if a.Key.Plain() && a.Key == k {
			if a.Can() {
				a.Run()
			}
			return true
		}
	}
	return false
}

// Group is the actions of one group of a menu.
type Group []Action

// Groups are the groups of a menu in order.
func (t Table) Groups(m Menu) []Group {
	var groups []Group
	last := -1
	for _, a := range t {
		if a.Menu != m {
			continue
		}
		if a.Group != last || len(groups) == 0 {
			groups = append(groups, nil)
			last = a.Group
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], a)
	}
	return groups
}
