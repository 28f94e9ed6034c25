package ui

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/storage"
	"retrace/ui/action"
)

// breakNetwork flips a bit of what tells of a network, so that it is lost and
// nothing else.
func breakNetwork(t *testing.T, path, name string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for end := bytes.LastIndex(file, []byte(name)); end >= 0; end = bytes.LastIndex(file[:end], []byte(name)) {
		broken := bytes.Clone(file)
		broken[end] ^= 1
		if err := os.WriteFile(path, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		if onlyNetworkLost(path) {
			return
		}
	}
	t.Fatalf("no %s in the workspace costs the network", name)
}

func onlyNetworkLost(path string) bool {
	w, err := storage.Open(path, storage.Options{ReadOnly: true})
	if err != nil {
		return false
	}
	defer w.Close()
	infos, err := w.Networks()
	if err != nil || len(infos) > 0 {
		return false
	}
	_, err = w.Verify(context.Background(), nil)
	return err == nil && len(w.Damage()) == 1
}

// The File menu checks the workspace, and saves what is whole of a damaged one,
// which the window tells of when it opens.
func TestTheWorkspaceIsCheckedAndSaved(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.retrace")
	s := openStage(t, path, 1440, 900, 1, townExtract(t, dir), townTrips(t, dir, 3))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	s.actions.Do("checkstudy")
	s.idle()
	if told := s.told(); !strings.Contains(told, "The workspace is whole. | 1 network\n3 trips\n0 recovered") {
		t.Errorf("told %s", told)
	}
	name := s.m.Networks()[0].Name
	s.end()
	breakNetwork(t, path, name)

	s = openStage(t, path, 1440, 900, 1)
	s.until("the trips are back", func() bool { return len(s.m.Trips()) == 3 })
	s.idle()
	if told := s.told(); strings.Count(told, "The workspace is damaged") != 1 || !strings.Contains(told, `network "`+name+`"`) {
		t.Errorf("told %s", told)
	}
	if problems := s.m.Problems(); len(problems) != 1 || !strings.Contains(problems[0].Object, name) {
		t.Errorf("the problems are %+v", problems)
	}
	if s.desk.Kept() || s.desk.Sample() {
		t.Error("it takes changes, or shows the sample")
	}
	s.actions.Do("checkstudy")
	s.idle()
	if told := s.told(); strings.Contains(told, "is whole. |") || len(s.m.Problems()) != 1 {
		t.Errorf("told %s, %+v", told, s.m.Problems())
	}
	if a, _ := s.actions.Find("copy"); a.Name() != "Save what is whole of the study…" {
		t.Errorf("the menu says %s", a.Name())
	}
	s.openMenu(action.File)
	s.shot("damaged")
	copied := filepath.Join(dir, "copy.retrace")
	s.desk.SaveCopy(copied)
	s.idle()
	w, err := storage.Open(copied, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if content, err := w.Verify(t.Context(), nil); err != nil || w.ReadOnly() || content.Trajectories != 3 {
		t.Errorf("the copy holds %+v, %v", content, err)
	}
}
