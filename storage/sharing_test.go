package storage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/storage"
	"retrace/storage/storagetest"
)

func TestSecondProgramIsToldWhoHoldsTheWorkspace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	storagetest.MustOpen(t, path, storage.Options{Program: "Retrace window"})
	start := time.Now()
	_, err := storage.Open(path, storage.Options{Timeout: 200 * time.Millisecond})
	var locked *storage.LockedError
	if !errors.As(err, &locked) || locked.Holder == nil {
		t.Fatalf("got %v", err)
	}
	if h := locked.Holder; h.PID != os.Getpid() || h.Program != "Retrace window" || !h.Writing || time.Since(h.Since) > time.Minute {
		t.Errorf("%+v", h)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v to say so", took)
	}
	if _, err = storage.Open(path, storage.Options{ReadOnly: true, Timeout: time.Millisecond}); !errors.As(err, &locked) {
		t.Errorf("a reader got %v", err)
	}
}

func TestReadersShareAndWritersAreKeptOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	storagetest.MustOpen(t, path, storage.Options{}).Close()
	a := storagetest.MustOpen(t, path, storage.Options{ReadOnly: true, Program: "reader"})
	storagetest.MustOpen(t, path, storage.Options{ReadOnly: true})
	var locked *storage.LockedError
	if _, err := storage.Open(path, storage.Options{Timeout: time.Millisecond}); !errors.As(err, &locked) || locked.Holder.Program != "reader" {
		t.Errorf("got %v", err)
	}
	var readOnly *storage.ReadOnlyError
	if err := a.SetSetting("a", []byte("b")); !errors.As(err, &readOnly) {
		t.Error(err)
	}
}

func TestWordOfAKilledHolderDoesNoHarm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	host, _ := os.Hostname()
	word := `{"pid":2147483646,"host":"` + host + `","program":"gone"}`
	if err := os.WriteFile(path+".lock", []byte(word), 0o644); err != nil {
		t.Fatal(err)
	}
	w := storagetest.MustOpen(t, path, storage.Options{Program: "here"})
	_, err := storage.Open(path, storage.Options{Timeout: time.Millisecond})
	var locked *storage.LockedError
	if !errors.As(err, &locked) || locked.Holder == nil || locked.Holder.Program != "here" {
		t.Errorf("got %v", err)
	}
	w.Close()
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the word is left behind: %v", err)
	}
}

func TestOtherFilesAreRefusedAndLeftAlone(t *testing.T) {
	for name, content := range map[string]string{
		"text":  strings.Repeat("time,lon,lat\n", 10000),
		"short": "x",
		"zeros": string(make([]byte, 300_000)),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := storage.Open(path, storage.Options{})
		var other *storage.NotWorkspaceError
		if !errors.As(err, &other) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != content {
			t.Errorf("%s was changed, %v", name, err)
		}
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	var other *storage.NotWorkspaceError
	if _, err := storage.Open(dir, storage.Options{}); !errors.As(err, &other) {
		t.Error(err)
	}
	for _, opt := range []storage.Options{{ReadOnly: true}, {}} {
		if _, err := storage.Open(filepath.Join(dir, "no", "w"), opt); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

func TestLinkedWorkspaceStaysLinked(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	storagetest.MustOpen(t, real, storage.Options{}).Close()
	if err := os.Symlink(real, link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	w := storagetest.MustOpen(t, link, storage.Options{})
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced", err)
	}
}

func TestLeftoversOfKilledProgramsAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	old, young := path+".new-1", path+".new-2"
	for _, dir := range []string{old, young} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	storagetest.MustOpen(t, path, storage.Options{})
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old one is still there, %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the young one, perhaps in use, is gone: %v", err)
	}
}

func TestEmptyFileBecomesAWorkspace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	storagetest.MustOpen(t, path, storage.Options{})
	if left, _ := filepath.Glob(path + ".new*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestClosedWorkspaceSaysSo(t *testing.T) {
	w := storagetest.Must(t)
	w.Close()
	if _, err := w.Networks(); !errors.Is(err, storage.ErrClosed) {
		t.Error(err)
	}
	if err := w.SetSetting("a", []byte("b")); !errors.Is(err, storage.ErrClosed) {
		t.Error(err)
	}
}
