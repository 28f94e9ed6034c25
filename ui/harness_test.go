package ui

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
)

// stage is a window on the test driver. What goroutines hand to the window's
// goroutine waits until the test runs it.
type stage struct {
	*window
	t     testing.TB
	queue chan func()
	path  string // of the workspace
	ended bool
}

// open opens the window on a workspace file, at a size and a scale.
func openStage(t testing.TB, workspace string, width, height, scale float32, files ...string) *stage {
	t.Helper()
	app := test.NewTempApp(t)
	s := &stage{t: t, queue: make(chan func(), 10000), path: workspace}
	s.window = newWindow(app, func(f func()) { s.queue <- f }, "test")
	s.window.size = fyne.NewSize(width, height)
	s.window.desk.Preview = nil // tables are read as is guessed, unless a test looks at the preview
	last, err := s.window.open(workspace)
	if err != nil {
		t.Fatal(err)
	}
	s.win.Canvas().(interface{ SetScale(float32) }).SetScale(scale)
	s.win.Resize(fyne.NewSize(width, height))
	s.win.Show()
	s.desk.Start(last, files)
	t.Cleanup(s.end)
	return s
}

// newStage opens the window on an empty workspace without the sample.
func newStage(t *testing.T) *stage {
	t.Helper()
	return openStage(t, filepath.Join(t.TempDir(), "w.retrace"), 1440, 900, 1)
}

func (s *stage) end() {
	if s.ended {
		return
	}
	s.ended = true
	s.tasks.CancelAll()
	done := make(chan error, 1)
	go func() { done <- s.desk.Close() }()
	for {
		select {
		case f := <-s.queue:
			f()
		case err := <-done:
			if err != nil {
				s.t.Error(err)
			}
			s.view.Close()
			return
		}
	}
}

// until runs what is posted until ok holds.
func (s *stage) until(what string, ok func() bool) {
	s.t.Helper()
	end := time.After(30 * time.Second)
	for !ok() {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(20 * time.Millisecond):
		case <-end:
			s.t.Fatalf("waited in vain: %s; messages: %v", what, s.m.Notices())
		}
	}
}

// idle waits until no task runs.
func (s *stage) idle() {
	s.t.Helper()
	s.until("no task runs", func() bool { return len(s.tasks.Running()) == 0 })
}

// shot captures the window; with RETRACE_SHOTS set it is written there too.
func (s *stage) shot(name string) image.Image {
	s.t.Helper()
	img := s.win.Canvas().Capture()
	if dir := os.Getenv("RETRACE_SHOTS"); dir != "" {
		f, err := os.Create(filepath.Join(dir, name+".png"))
		if err != nil {
			s.t.Fatal(err)
		}
		defer f.Close()
		if err := png.Encode(f, img); err != nil {
			s.t.Fatal(err)
		}
	}
	return img
}

// data is the folder of real data, or skips the test where it is absent.
func data(t testing.TB, path string) string {
	t.Helper()
	root := os.Getenv("RETRACE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	full := filepath.Join(root, "data", path)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("no real data at %s", full)
	}
	return full
}

// drawn captures the window and reports whether the map was complete in it.
func (s *stage) drawn() bool {
	s.win.Canvas().Capture()
	return s.view.Ready()
}

// pixel is where a place lies in the window.
func (s *stage) pixel(lon, lat float64) fyne.Position {
	v := s.view.View()
	x, y := v.Pixel(roadnet.Point{Lon: lon, Lat: lat})
	origin := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.view)
	return origin.AddXY(float32(x/v.Scale), float32(y/v.Scale))
}

// tapButton taps the button of the topmost dialog, or of the window, with a
// text.
func (s *stage) tapButton(label string) {
	s.t.Helper()
	var root fyne.CanvasObject = s.root
	if top := s.win.Canvas().Overlays().Top(); top != nil {
		root = top
	}
	for _, o := range test.LaidOutObjects(root) {
		if b, ok := o.(*kit.Button); ok && b.Label() == label {
			test.Tap(b)
			return
		}
	}
	s.t.Fatalf("there is no button %q", label)
}
