package storage_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

// renamed is a migration that renames a setting.
func renamed(from, to string) storage.Migration {
	return func(c *storage.Change) error {
		b := c.Tx().Bucket([]byte("meta"))
		value := append([]byte(nil), b.Get([]byte(from))...)
		return errors.Join(b.Put([]byte(to), value), b.Delete([]byte(from)))
	}
}

func mark(key string) storage.Migration {
	return func(c *storage.Change) error { return c.Tx().Bucket([]byte("meta")).Put([]byte(key), []byte("x")) }
}

func failing(c *storage.Change) error {
	return errors.Join(mark("half")(c), errors.New("no way"))
}

func TestMigrationsRunOnceAndInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	must(storage.Open(path, storage.Options{})).Close()
	for range 2 {
		w, err := storage.Open(path, storage.Options{}.WithMigrations(mark("one"), renamed("one", "two")))
		if err != nil {
			t.Fatal(err)
		}
		if w.HasMeta("one") || !w.HasMeta("two") {
			t.Error("the migrations did not run in order, or ran twice")
		}
		w.Close()
	}
	var newer *storage.NewerError
	for _, opt := range []storage.Options{{}, {ReadOnly: true}} {
		_, err := storage.Open(path, opt)
		if !errors.As(err, &newer) || newer.Schema != 4 || newer.Known != 2 {
			t.Errorf("this version opens the layout of a later one: %v", err)
		}
	}
}

func TestFailedMigrationLeavesTheOldLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	must(storage.Open(path, storage.Options{})).Close()
	_, err := storage.Open(path, storage.Options{}.WithMigrations(mark("one"), failing))
	if err == nil || !strings.Contains(err.Error(), "layout 3 to 4") {
		t.Errorf("got %v", err)
	}
	w, err := storage.Open(path, storage.Options{}.WithMigrations(mark("one")))
	if err != nil {
		t.Fatal(err)
	}
	if !w.HasMeta("one") || w.HasMeta("half") {
		t.Error("the first step is lost or the failed one left something")
	}
	w.Close()
}

func TestOlderLayoutIsNotOpenedForReadingOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	must(storage.Open(path, storage.Options{})).Close()
	opt := storage.Options{ReadOnly: true}.WithMigrations(mark("one"))
	if _, err := storage.Open(path, opt); err == nil || !strings.Contains(err.Error(), "open it once for writing") {
		t.Errorf("got %v", err)
	}
}

// goldenPath is where a workspace of a layout is kept.
func goldenPath(layout int) string { return fmt.Sprintf("testdata/v%d.retrace.gz", layout) }

// newestLayout is the one that this version writes.
const newestLayout = 2

// TestGoldenWorkspacesOpen opens workspaces as each layout was written.
// RETRACE_WRITE_GOLDEN=1 writes that of the newest layout anew, which is right
// only as long as no version with that layout was released.
func TestGoldenWorkspacesOpen(t *testing.T) {
	if os.Getenv("RETRACE_WRITE_GOLDEN") != "" {
		writeGolden(t)
	}
	for layout := 1; layout <= newestLayout; layout++ {
		t.Run(fmt.Sprint(layout), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "golden.retrace")
			unzip(t, goldenPath(layout), path)
			w := storagetest.MustOpen(t, path, storage.Options{})
			checkGolden(t, w)
			if layout >= 2 {
				checkGoldenHistory(t, w)
			}
			step := stepOf(9, trips(0, 1), nil)
			if err := w.Apply(context.Background(), storage.Edit{Steps: []storage.Step{step}}); err != nil {
				t.Errorf("it keeps no history: %v", err)
			}
		})
	}
}

func checkGolden(t *testing.T, w *storage.Workspace) {
	t.Helper()
	net, bm, err := w.LoadNetwork(context.Background(), "Golden")
	if err != nil || bm == nil || net.NumSegments() != net.Info().Segments || net.NumSegments() == 0 {
		t.Error(net, bm, err)
	}
	if report, err := w.NetworkReport("Golden"); err != nil || string(report) != `{"kept":1}` {
		t.Error(report, err)
	}
	want := trips(0, 3)
	checkTrajectories(t, w, want)
	got, err := w.Recovery(want[1].ID, "hmm")
	if err != nil || !cmp.Equal(got.Parts, recovery(want[1], "hmm", net.Info()).Parts) {
		t.Error(got, err)
	}
	if v, _, err := w.Setting("view"); string(v) != "Golden" || err != nil {
		t.Error(v, err)
	}
}

func checkGoldenHistory(t *testing.T, w *storage.Workspace) {
	t.Helper()
	steps, lost, err := w.Steps(context.Background())
	if err != nil || len(lost) > 0 || len(steps) != 1 || steps[0].Number != 7 || len(steps[0].Held) != 2 {
		t.Fatalf("%+v, %d lost, %v", steps, lost, err)
	}
	want := trips(0, 2)
	for i := range want {
		got, r, err := w.HeldRecords(7, uint32(i))
		if err != nil || !cmp.Equal(got, want[i]) || r == nil || r.Trajectory != want[i].ID {
			t.Errorf("step 7 holds %v and %v, %v", got, r, err)
		}
	}
}

func writeGolden(t *testing.T) {
	t.Helper()
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w := must(storage.Open(path, storage.Options{}))
	net := named("Golden", 1)
	err := w.SaveNetwork(ctx, net, background(), []byte(`{"kept":1}`))
	ts := trips(0, 3)
	_, err2 := w.SaveTrajectories(ctx, ts)
	err3 := w.SaveRecoveries(ctx, []*trajectory.Recovery{recovery(ts[1], "hmm", net.Info())})
	step := stepOf(7, ts[:2], []*trajectory.Recovery{recovery(ts[0], "hmm", net.Info()), recovery(ts[1], "hmm", net.Info())})
	err4 := w.Apply(ctx, storage.Edit{Steps: []storage.Step{step}})
	if err := errors.Join(err, err2, err3, err4, w.SetSetting("view", []byte("Golden")), w.Compact(ctx), w.Close()); err != nil {
		t.Fatal(err)
	}
	out := must(os.Create(goldenPath(newestLayout)))
	zip := must(gzip.NewWriterLevel(out, gzip.BestCompression))
	must(io.Copy(zip, must(os.Open(path))))
	if err := errors.Join(zip.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}

func unzip(t *testing.T, from, to string) {
	t.Helper()
	in := must(os.Open(from))
	defer in.Close()
	out := must(os.Create(to))
	defer out.Close()
	must(io.Copy(out, must(gzip.NewReader(in))))
}
