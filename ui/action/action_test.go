package action

import (
	"testing"

	"fyne.io/fyne/v2"
)

func sample(pressed *string, can *bool) Table {
	name := func(s string) func() string { return func() string { return s } }
	return Table{
		{ID: "open", Menu: File, Group: 1, Name: name("Open"), Key: Key{Rune: 'o', Ctrl: true}, Run: func() { *pressed += "o" }},
		{ID: "quit", Menu: File, Group: 2, Name: name("Quit"), Run: func() { *pressed += "q" }},
		{ID: "fit", Menu: View, Group: 1, Name: name("Fit"), Key: Key{Rune: 'f'}, Enabled: func() bool { return *can }, Run: func() { *pressed += "f" }},
		{ID: "play", Menu: View, Group: 1, Name: name("Play"), Key: Key{Name: fyne.KeySpace}, Run: func() { *pressed += " " }},
	}
}

func TestPress(t *testing.T) {
	var pressed string
	can := false
	table := sample(&pressed, &can)
	if !table.Press(Key{Rune: 'f'}) || pressed != "" {
		t.Error("a key whose action cannot be done is taken and does nothing")
	}
	can = true
	table.Press(Key{Rune: 'f'})
	table.Press(Key{Name: fyne.KeySpace})
	if table.Press(Key{Rune: 'o'}) {
		t.Error("o without Ctrl is no key")
	}
	if pressed != "f " {
		t.Errorf("pressed %q", pressed)
	}
}

func TestGroups(t *testing.T) {
	var pressed string
	can := true
	table := sample(&pressed, &can)
	if g := table.Groups(File); len(g) != 2 || len(g[0]) != 1 {
		t.Errorf("File has groups %v", g)
	}
	if g := table.Groups(View); len(g) != 1 || len(g[0]) != 2 {
		t.Errorf("View has groups %v", g)
	}
	if table.Do("nothing") || !table.Do("quit") || pressed != "q" {
		t.Errorf("pressed %q", pressed)
	}
}

func TestKeyNames(t *testing.T) {
	for want, k := range map[string]Key{
		"Ctrl+Shift+R": {Rune: 'r', Ctrl: true, Shift: true},
		"Space":        {Name: fyne.KeySpace},
		"?":            {Rune: '?'},
		"":             {},
	} {
		if got := k.String(); got != want {
			t.Errorf("%+v reads %q, want %q", k, got, want)
		}
	}
}
