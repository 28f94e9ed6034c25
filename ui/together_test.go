package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/work"
)

// townWithin is how many of the trips of busy lie within the town.
const townWithin = 27

// busy is a window in which an import, a recovery and an export run at once. The
// test lets none end before it takes what they hand over.
func busy(t *testing.T) (s *stage, exported string) {
	t.Helper()
	s = recoveredTown(t, 30)
	s.dismissAll()
	dir := t.TempDir()
	extract := filepath.Join(dir, "other.osm")
	if err := os.Rename(townExtract(t, dir), extract); err != nil {
		t.Fatal(err)
	}
	exported = filepath.Join(dir, "out.geojson")
	s.drop(extract)
	s.until("the import runs", func() bool {
		return len(s.tasks.Running()) == 1 && strings.Contains(s.tasks.Running()[0].Title, "other")
	})
	s.actions.Do("recoverall")
	s.desk.Export(exported, work.Formats()[1], s.m.Trips())
	if n := len(s.tasks.Running()); n != 3 {
		t.Fatalf("%d tasks run at once", n)
	}
	return s, exported
}

func TestImportRecoveryAndExportRunTogether(t *testing.T) {
	s, exported := busy(t)
	progress := map[string]bool{}
	s.m.Watch(state.Tasks, func() {
		for _, task := range s.tasks.Running() {
			if task.Progress.Done > 0 || task.Progress.Phase != "" {
				progress[task.Title] = true
			}
		}
	})
	time.Sleep(300 * time.Millisecond) // work shorter than that has no card
	s.notices.Tick()
	s.win.Canvas().Capture()
	var titles []string
	cancels := 0
	for _, o := range test.LaidOutObjects(s.notices.Object) {
		switch o := o.(type) {
		case *kit.Text:
			titles = append(titles, o.Text())
		case *kit.Button:
			if o.Label() == "Cancel" {
				cancels++
			}
		}
	}
	if cancels != 3 {
		t.Errorf("%d of 3 tasks can be cancelled; the cards say %q", cancels, titles)
	}
	s.shot("together")
	s.idle()
	if len(progress) != 3 {
		t.Errorf("progress was shown of %v", progress)
	}
	told := s.told()
	for _, want := range []string{"27 trips recovered.", "27 trips written to", "segments"} {
		if !strings.Contains(told, want) {
			t.Errorf("at the end %q is not said: %s", want, told)
		}
	}
	if data, err := os.ReadFile(exported); err != nil || !strings.Contains(string(data), "bus 30") {
		t.Errorf("exported %d bytes, %v", len(data), err)
	}
	if got := s.m.Network().Info().Name; got != "other" || s.m.Count().Recovered != townWithin {
		t.Errorf("the network %s is shown, %+v", got, s.m.Count())
	}
}

// Each is cancelled by itself: the others go on.
func TestOneOfSeveralTasksIsCancelled(t *testing.T) {
	s, exported := busy(t)
	for _, task := range s.tasks.Running() {
		if strings.Contains(task.Title, "27 trips") {
			s.tasks.Cancel(task)
		}
	}
	s.idle()
	if _, err := os.Stat(exported); err != nil {
		t.Errorf("the export was cancelled too: %v", err)
	}
	if s.m.Network().Info().Name != "other" {
		t.Error("the import was cancelled too")
	}
	if c := s.m.Count(); c.Recovered != townWithin {
		t.Errorf("what was recovered before is gone: %+v", c)
	}
}

func TestClosingWhileThreeTasksRunLosesNothing(t *testing.T) {
	s, exported := busy(t)
	left := false
	s.leave = func() { left = true }
	s.close()
	top := s.win.Canvas().Overlays().Top()
	s.tapButton("Close when it is done")
	if top == nil || s.win.Canvas().Overlays().Top() != nil {
		t.Error("it is not asked just once")
	}
	s.until("the window is left", func() bool { return left })
	s.end()
	if data, err := os.ReadFile(exported); err != nil || !strings.Contains(string(data), "bus 30") {
		t.Errorf("exported %d bytes, %v", len(data), err)
	}
	again := openStage(t, s.path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return len(again.m.Trips()) == 30 })
	again.idle()
	names := func() (all []string) {
		for _, info := range again.m.Networks() {
			all = append(all, info.Name)
		}
		return all
	}()
	if len(names) != 2 || again.m.Count().Recovered != townWithin {
		t.Errorf("kept are the networks %v and %+v", names, again.m.Count())
	}
}
