package ui

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"

	"retrace/ui/look"
	"retrace/ui/system"
)

// portalOf is a system with dialogs of files, which answer at once.
type portalOf struct {
	paths []string
	err   error
	asked []system.Ask
	said  bool
}

func (p *portalOf) Dialogs() bool     { return true }
func (p *portalOf) SaysColours() bool { return p.said }
func (p *portalOf) Choose(_ string, a system.Ask) ([]string, error) {
	p.asked = append(p.asked, a)
	return p.paths, p.err
}

func TestFilesAreChosenInTheDialogOfTheSystem(t *testing.T) {
	s := withTown(t, 1)
	p := &portalOf{paths: []string{townTrips(t, t.TempDir(), 3)}}
	s.setDesktop(p)
	s.actions.Do(actOpen)
	s.until("the chosen file is read", func() bool { return len(s.m.Trips()) >= 3 })
	s.idle()
	if len(p.asked) != 1 || !p.asked[0].Many || s.win.Canvas().Overlays().Top() != nil {
		t.Errorf("asked was %+v, and fyne shows %v", p.asked, s.win.Canvas().Overlays().Top())
	}
	out := filepath.Join(t.TempDir(), "copy")
	p.paths = []string{out}
	s.actions.Do("copy")
	s.until("the copy is written", func() bool { return strings.Contains(s.told(), "A copy of the workspace") })
	if last := p.asked[len(p.asked)-1]; !last.Save || last.Name == "" {
		t.Errorf("to save, asked was %+v", last)
	}
	p.paths = nil // the user leaves it
	s.actions.Do("folder")
	s.until("it is answered", func() bool { return !s.choosing })
	if !p.asked[len(p.asked)-1].Folder {
		t.Errorf("for a folder, asked was %+v", p.asked[len(p.asked)-1])
	}
}

// Where the system's dialog fails, that of fyne comes up, and it is said why.
func TestFynesDialogStandsIn(t *testing.T) {
	s := withTown(t, 1)
	s.setDesktop(&portalOf{err: errors.New("no backend")})
	s.actions.Do(actOpen)
	s.until("fyne's dialog is shown", func() bool { return s.win.Canvas().Overlays().Top() != nil })
	if !strings.Contains(s.told(), "no dialog of files") {
		t.Errorf("told is %s", s.told())
	}
	s.key("Escape")
}

func TestTheWindowIsLightWhereTheSystemSaysNothing(t *testing.T) {
	system := look.NewTheme(look.System, 1)
	for _, c := range []struct {
		theme *look.Theme
		dark  bool
	}{{system, true}, {system.Silent(), false}, {look.NewTheme(look.Dark, 1).Silent(), true}, {look.NewTheme(look.Light, 1), false}} {
		if got := c.theme.IsDark(theme.VariantDark); got != c.dark {
			t.Errorf("%+v is dark: %v", c.theme, got)
		}
	}
	s := withTown(t, 1)
	if s.dark() || s.view.Look().Dark {
		t.Error("the window is dark, though nobody asked for it")
	}
	s.setDesktop(&portalOf{said: true})
	dark := s.theme().IsDark(theme.VariantDark)
	if !dark {
		t.Error("the window does not follow a system that says what it wants")
	}
}
