package tour

import (
	"testing"

	"fyne.io/fyne/v2"
)

// The card never covers the panel that it points at where there is room beside
// it, and never leaves the window.
func TestCardStandsBesideThePanel(t *testing.T) {
	window, card := fyne.NewSize(1024, 700), fyne.NewSize(330, 160)
	for name, c := range map[string]struct {
		at     fyne.Position
		of     fyne.Size
		covers bool
	}{
		"left panel":   {fyne.NewPos(0, 26), fyne.NewSize(212, 400), false},
		"right panel":  {fyne.NewPos(724, 26), fyne.NewSize(300, 400), false},
		"bottom panel": {fyne.NewPos(0, 480), fyne.NewSize(1024, 190), false},
		"all of it":    {fyne.NewPos(0, 0), fyne.NewSize(1024, 700), true},
	} {
		got := beside(c.at, c.of, card, window)
		if got.X < 0 || got.Y < 0 || got.X+card.Width > window.Width || got.Y+card.Height > window.Height {
			t.Errorf("%s: the card at %v leaves the window", name, got)
		}
		apart := got.X >= c.at.X+c.of.Width || got.X+card.Width <= c.at.X || got.Y+card.Height <= c.at.Y || got.Y >= c.at.Y+c.of.Height
		if apart == c.covers {
			t.Errorf("%s: the card at %v covers the panel: %t", name, got, !apart)
		}
	}
}
