package ui

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
)

// The picture of the map is written as it is shown, as fine as was asked for.
func TestPictureIsWhatTheMapShows(t *testing.T) {
	s := openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1000, 800, 1, "none")
	s.idle()
	drawnTrips(s)
	s.m.SelectTrip("Taxi 640")
	s.perform("picture")
	if s.win.Canvas().Overlays().Top() == nil {
		t.Fatal("no dialog asks how fine the picture is to be")
	}
	s.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	for i, times := range []float64{1, 4} {
		path := filepath.Join(t.TempDir(), "map.png")
		s.desk.SavePicture(path, s.view.Scene(), s.view.View().Times(times), s.view.Look())
		s.idle()
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		want := s.view.View()
		if got := img.Bounds().Size(); got.X != int(float64(want.Width)*times) || got.Y != int(float64(want.Height)*times) {
			t.Errorf("picture %d is %v, the map %d by %d", i, got, want.Width, want.Height)
		}
	}
}
