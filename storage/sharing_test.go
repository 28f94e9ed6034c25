package storage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"retrace/internal/scratch"
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
	used, err := scratch.In(filepath.Dir(path), "w.new-*")
	if err != nil {
		t.Fatal(err)
	}
	defer used.Remove()
	left := path + ".new-1"
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{filepath.Join(left, filepath.Base(marker(t, used))), path + ".compact"} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	storagetest.MustOpen(t, path, storage.Options{})
	for _, gone := range []string{left, path + ".compact"} {
		if _, err := os.Stat(gone); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there, %v", gone, err)
		}
	}
	if _, err := os.Stat(used.Path); err != nil {
		t.Errorf("the one in use is gone: %v", err)
	}
}

// marker is the file by which a folder is known as Retrace's.
func marker(t *testing.T, f *scratch.Folder) string {
	t.Helper()
	all, err := os.ReadDir(f.Path)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0].Name()
}

// A workspace is its owner's alone, wherever it lies, unless the user wants it
// otherwise.
func TestAWorkspaceIsItsOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("who may read a file is what its folder says there")
	}
	dir := t.TempDir()
	mode := func(path string) os.FileMode {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	path, open := filepath.Join(dir, "w"), filepath.Join(dir, "open")
	w := storagetest.MustOpen(t, path, storage.Options{})
	if m := mode(path); m != 0o600 {
		t.Errorf("a new one has %o", m)
	}
	if err := w.Compact(context.Background()); err != nil || mode(path) != 0o600 {
		t.Errorf("a compacted one has %o, %v", mode(path), err)
	}
	if _, err := w.SalvageTo(context.Background(), filepath.Join(dir, "copy")); err != nil || mode(filepath.Join(dir, "copy")) != 0o600 {
		t.Errorf("a copy has %o, %v", mode(filepath.Join(dir, "copy")), err)
	}
	w.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	storagetest.MustOpen(t, path, storage.Options{Shared: true}).Close()
	if m := mode(path); m != 0o644 {
		t.Errorf("one that is to be shared has %o", m)
	}
	storagetest.MustOpen(t, path, storage.Options{}).Close()
	if m := mode(path); m != 0o600 {
		t.Errorf("one that was open to others has %o", m)
	}
	storagetest.MustOpen(t, open, storage.Options{Shared: true}).Close()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if m := mode(open); m != mode(plain) {
		t.Errorf("a new one to be shared has %o, any other file %o", m, mode(plain))
	}
}

func TestALinkToNothingBecomesAWorkspaceWhereItLeads(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	storagetest.MustOpen(t, link, storage.Options{})
	if info, err := os.Lstat(real); err != nil || !info.Mode().IsRegular() {
		t.Error(err)
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
