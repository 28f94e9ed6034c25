package storage_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

func TestCompactGivesSpaceBack(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w := storagetest.MustOpen(t, path, storage.Options{})
	all := trips(0, 20_000)
	saveAll(t, w, all, "hmm")
	if err := w.RemoveTrajectories(ctx, idsOf(all[100:])); err != nil {
		t.Fatal(err)
	}
	before := must(w.Space())
	if before.Free < before.File/2 {
		t.Errorf("after removing nearly all only %d of %d bytes are free", before.Free, before.File)
	}
	for name, compact := range map[string]func(context.Context) error{"renamed": w.Compact, "closed": w.CompactClosed} {
		if err := compact(ctx); err != nil {
			t.Fatal(name, err)
		}
		after := must(w.Space())
		if after.File > before.File/10 || after.Free > after.File/2 {
			t.Errorf("%s: %+v became %+v", name, before, after)
		}
		checkTrajectories(t, w, all[:100])
		if saved, err := w.SaveTrajectories(ctx, all[:200]); err != nil || saved.Same != 100 {
			t.Error(name, saved, err)
		}
		if err := w.RemoveTrajectories(ctx, idsOf(all[100:200])); err != nil {
			t.Fatal(name, err)
		}
	}
	if left, _ := filepath.Glob(path + ".compact*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCompactedFileStaysLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	w := storagetest.MustOpen(t, path, storage.Options{})
	if err := w.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	var locked *storage.LockedError
	if _, err := storage.Open(path, storage.Options{Timeout: time.Millisecond}); !errors.As(err, &locked) || locked.Holder == nil {
		t.Error(err)
	}
}

func TestRemovingMuchCompactsInTheBackground(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w := storagetest.MustOpen(t, path, storage.Options{}.WithCompactAbove(1<<20))
	all := trips(0, 10_000)
	if _, err := w.SaveTrajectories(ctx, all); err != nil {
		t.Fatal(err)
	}
	before := must(w.Space())
	if err := w.RemoveTrajectories(ctx, idsOf(all[5:])); err != nil {
		t.Fatal(err)
	}
	w.WaitForCompaction()
	if after := must(w.Space()); after.File > before.File/5 {
		t.Errorf("%+v became %+v", before, after)
	}
	checkTrajectories(t, w, all[:5])
}

func TestReadersAndWritersGoOnWhileCompacting(t *testing.T) {
	w, all := storagetest.Must(t), trips(0, 500)
	saveAll(t, w, all, "hmm")
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	var group sync.WaitGroup
	for _, work := range []func(i int) error{
		func(int) error { return w.Compact(ctx) },
		func(int) error { _, _, err := w.LoadNetwork(ctx, "Porto"); return err },
		func(i int) error { _, err := w.Trajectory(all[i%len(all)].ID); return err },
		func(int) error {
			for _, err := range w.Recoveries(ctx) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		func(i int) error { _, err := w.SaveTrajectories(ctx, trips(1000+i*10, 10)); return err },
		func(i int) error { return w.RemoveTrajectories(ctx, idsOf(trips(1000+i*10, 10))) },
	} {
		group.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				if err := work(i); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestCompactionBrokenOffLeavesTheFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	w, all := storagetest.MustOpen(t, path, storage.Options{}.WithBatches(1000)), trips(0, 2000)
	saveAll(t, w, all)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	if err := w.Compact(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path + ".compact"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file is left behind, %v", err)
	}
	checkTrajectories(t, w, all)
}

func TestLeftoverOfAKilledCompactionIsRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(path+".compact", []byte("half a file"), 0o644); err != nil {
		t.Fatal(err)
	}
	storagetest.MustOpen(t, path, storage.Options{})
	if _, err := os.Stat(path + ".compact"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there, %v", err)
	}
}

func TestFullDiskLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	w := storagetest.MustOpen(t, path, storage.Options{}.WithMaxSize(2<<20))
	fillUp(t, w)
}

// fillUp saves until no more goes in, and checks that all that was saved is
// there and that room made is used again.
func fillUp(t *testing.T, w *storage.Workspace) {
	t.Helper()
	ctx := context.Background()
	var saved []*trajectory.Trajectory
	var failed error
	for i := 0; failed == nil; i++ {
		some := trips(i*500, 500)
		if _, failed = w.SaveTrajectories(ctx, some); failed == nil {
			saved = append(saved, some...)
		}
		if i > 1000 {
			t.Fatal("the disk never fills up")
		}
	}
	t.Logf("after %d trajectories: %v", len(saved), failed)
	if err := w.SaveNetwork(ctx, named("Porto", 1), background(), make([]byte, 1<<20)); err == nil {
		t.Error("a network went onto a full disk")
	}
	if infos, err := w.Networks(); err != nil || len(infos) > 0 {
		t.Error(infos, err)
	}
	checkTrajectories(t, w, saved)
	if err := w.RemoveTrajectories(ctx, idsOf(saved[:500])); err != nil {
		t.Fatal(err)
	}
	if err := w.SetSetting("after", []byte("room was made")); err != nil {
		t.Error(err)
	}
	checkTrajectories(t, w, saved[500:])
	if len(w.Damage()) > 0 {
		t.Error(w.Damage())
	}
}
