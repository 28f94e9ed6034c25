package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

// sample is a workspace to be broken: what it holds, and its bytes.
type sample struct {
	nets  []*roadnet.Network
	trips []*trajectory.Trajectory
	recs  []*trajectory.Recovery
	file  []byte
}

func newSample(t testing.TB) *sample {
	t.Helper()
	s := &sample{trips: trips(0, 250)}
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w, err := storage.Open(path, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"Porto", "Taipei"} {
		net := named(name, uint64(i))
		s.nets = append(s.nets, net)
		if err := w.SaveNetwork(ctx, net, background(), []byte(`{"kept":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.SaveTrajectories(ctx, s.trips); err != nil {
		t.Fatal(err)
	}
	for _, trip := range s.trips {
		s.recs = append(s.recs, recovery(trip, "hmm", s.nets[0].Info()))
	}
	if err := w.SaveRecoveries(ctx, s.recs); err != nil {
		t.Fatal(err)
	}
	if err := w.SetSetting("view", []byte("Porto")); err != nil {
		t.Fatal(err)
	}
	if err := w.Apply(ctx, storage.Edit{Steps: []storage.Step{stepOf(1, s.trips[:20], s.recs[:20])}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if s.file, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return s
}

// broken checks that a broken file is opened as far as it is whole, that what
// is lost is named, and that the file stays as it is. It returns how many
// things were lost.
func (s *sample) broken(t *testing.T, what string, file []byte) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	w, err := storage.Open(path, storage.Options{})
	var other *storage.NotWorkspaceError
	var nothing *storage.DamagedError
	if errors.As(err, &other) || errors.As(err, &nothing) {
		return len(s.trips) + len(s.recs)
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	defer w.Close()
	content, err := w.Verify(context.Background(), nil)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	lost := s.compare(t, what, w)
	if len(w.Damage()) == 0 && (content.Networks != len(s.nets) || content.Trajectories != len(s.trips) || content.Recoveries != len(s.recs)) {
		t.Errorf("%s: found whole, with %+v", what, content)
	}
	if len(w.Damage())+len(content.Spare) == 0 {
		s.undoable(t, what, w)
	}
	if len(w.Damage()) > 0 {
		var readOnly *storage.ReadOnlyError
		if err := w.SetSetting("view", []byte("Taipei")); !errors.As(err, &readOnly) || !readOnly.Damaged {
			t.Errorf("%s: writing gave %v", what, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file) {
			t.Errorf("%s: the broken file was written to, %v", what, err)
		}
	}
	return lost
}

// compare checks that each thing is there as it was, or named as lost.
func (s *sample) compare(t *testing.T, what string, w *storage.Workspace) int {
	t.Helper()
	lost := 0
	damage := map[string]string{}
	structure := ""
	for _, d := range w.Damage() {
		damage[fmt.Sprint(d.Kind, d.Name)] = d.Reason
		if d.Kind == storage.KindFile {
			structure = d.Reason
		}
	}
	check := func(kind storage.Kind, name string, same bool, err error) {
		t.Helper()
		if err == nil && same {
			return
		}
		lost++
		if err == nil {
			t.Errorf("%s: %s %s came back as something else", what, kind, name)
		}
		if damage[fmt.Sprint(kind, name)] == "" && structure == "" {
			t.Errorf("%s: %s %s is lost (%v), which Damage does not say: %v", what, kind, name, err, w.Damage())
		}
	}
	for _, trip := range s.trips {
		got, err := w.Trajectory(trip.ID)
		check(storage.KindTrajectory, trip.ID, reflect.DeepEqual(got, trip), err)
	}
	for _, r := range s.recs {
		got, err := w.Recovery(r.Trajectory, "hmm")
		check(storage.KindRecovery, r.Trajectory+" (hmm)", err == nil && got.Trajectory == r.Trajectory && len(got.Ticks) == len(r.Ticks), err)
	}
	for _, net := range s.nets {
		got, _, err := w.LoadNetwork(context.Background(), net.Info().Name)
		check(storage.KindNetwork, net.Info().Name, err == nil && got.Info() == net.Info(), err)
	}
	return lost
}

// undoable checks that the history is as it was.
func (s *sample) undoable(t *testing.T, what string, w *storage.Workspace) {
	t.Helper()
	steps, lost, err := w.Steps(context.Background())
	if err != nil || len(lost) > 0 || len(steps) != 1 || len(steps[0].Held) != 20 {
		t.Fatalf("%s: found whole, with the steps %v and %v lost, %v", what, steps, lost, err)
	}
	for i, h := range steps[0].Held {
		got, r, err := w.HeldRecords(1, h.Index)
		if err != nil || !reflect.DeepEqual(got, s.trips[i]) || r == nil {
			t.Errorf("%s: found whole, but step 1 holds %v and %v of trip %d, %v", what, got, r, i, err)
		}
	}
}

func TestTruncatedFileOpensAsFarAsItIsWhole(t *testing.T) {
	s := newSample(t)
	last := -1
	for _, percent := range []int{1, 5, 20, 35, 50, 60, 70, 80, 90, 99, 100} {
		n := len(s.file) * percent / 100
		lost := s.broken(t, fmt.Sprintf("cut to %d of %d", n, len(s.file)), s.file[:n])
		t.Logf("cut to %d %%: %d things lost", percent, lost)
		last = lost
	}
	if last != 0 {
		t.Errorf("the whole file has lost %d", last)
	}
}

func TestFlippedBytesAreFound(t *testing.T) {
	s := newSample(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 80 {
		file, at := bytes.Clone(s.file), 0
		for range 1 + rng.IntN(3) {
			at = rng.IntN(len(file))
			file[at] ^= 1 << rng.IntN(8)
		}
		s.broken(t, fmt.Sprintf("flipped at %d", at), file)
	}
}

func TestZeroedAndOverwrittenStretches(t *testing.T) {
	s := newSample(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 25 {
		file := bytes.Clone(s.file)
		at, n := rng.IntN(len(file)), 1<<rng.IntN(17)
		stretch := file[at:min(len(file), at+n)]
		if clear(stretch); rng.IntN(3) == 0 {
			for i := range stretch {
				stretch[i] = byte(rng.Uint32())
			}
		}
		s.broken(t, fmt.Sprintf("%d bytes from %d", n, at), file)
	}
}

func TestMutatedFilesAreReadSafely(t *testing.T) {
	s := newSample(t)
	for seed := range uint64(80) {
		s.broken(t, fmt.Sprintf("mutated by seed %d", seed), storage.Mutate(bytes.Clone(s.file), seed))
	}
}

// FuzzOpen opens workspaces that a seed has broken.
func FuzzOpen(f *testing.F) {
	s := newSample(f)
	f.Add(uint64(1000))
	f.Fuzz(func(t *testing.T, seed uint64) {
		s.broken(t, fmt.Sprintf("mutated by seed %d", seed), storage.Mutate(bytes.Clone(s.file), seed))
	})
}

func TestLostHeadsAreDoneWithout(t *testing.T) {
	s := newSample(t)
	file := bytes.Clone(s.file)
	clear(file[:32<<10])
	if lost := s.broken(t, "without heads", file); lost > 0 {
		t.Errorf("%d things lost with the heads", lost)
	}
}

func TestSalvagedWorkspaceIsWhole(t *testing.T) {
	s := newSample(t)
	dir := t.TempDir()
	path, saved := filepath.Join(dir, "broken"), filepath.Join(dir, "saved")
	// Every copy of the id, so that one in a page that is in use is among them.
	id := []byte(s.trips[123].ID)
	broken := bytes.Clone(id)
	broken[0] ^= 0xFF
	file := bytes.ReplaceAll(s.file, id, broken)
	clear(file[len(file)/2 : len(file)/2+100_000])
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := storage.Open(path, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Verify(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	damage, err := w.SalvageTo(context.Background(), saved)
	if err != nil || len(damage) == 0 {
		t.Fatal(damage, err)
	}
	if _, err := w.SalvageTo(context.Background(), saved); !errors.Is(err, os.ErrExist) {
		t.Errorf("salvaging over a file: %v", err)
	}
	again := storagetest.MustOpen(t, saved, storage.Options{})
	if again.ReadOnly() {
		t.Error("the salvaged workspace is read-only")
	}
	kept := 0
	for _, err := range again.Trajectories(context.Background()) {
		if err != nil {
			t.Error(err)
		}
		kept++
	}
	if kept == 0 || kept == len(s.trips) {
		t.Errorf("%d trajectories salvaged", kept)
	}
	if _, err := again.SaveTrajectories(context.Background(), trips(10_000, 3)); err != nil {
		t.Error(err)
	}
}

func TestDamageNamesWhatIsLost(t *testing.T) {
	s := newSample(t)
	file := bytes.Clone(s.file)
	// The last copy of the id stands in the record of the trajectory or of its recovery.
	at := bytes.LastIndex(file, []byte(s.trips[42].ID))
	file[at+3] ^= 1
	path := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := storage.Open(path, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Verify(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if d := w.Damage(); len(d) == 0 || !strings.Contains(d[0].Name, s.trips[42].ID) && !strings.Contains(d[0].Name, "number") {
		t.Errorf("got %v", d)
	}
}

// TestFileCutOffWhileOpen cuts the file under the memory map: touching what is
// gone is a fault, which must not end the program.
func TestFileCutOffWhileOpen(t *testing.T) {
	s := newSample(t)
	path := filepath.Join(t.TempDir(), "w")
	if err := os.WriteFile(path, s.file, 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := storage.Open(path, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := os.Truncate(path, 40<<10); err != nil {
		t.Skipf("an open file cannot be cut here: %v", err)
	}
	lost := 0
	for _, err := range w.Recoveries(context.Background()) {
		if err != nil {
			lost++
		}
	}
	for _, net := range s.nets {
		if _, _, err := w.LoadNetwork(context.Background(), net.Info().Name); err != nil {
			lost++
		}
	}
	if lost == 0 || len(w.Damage()) == 0 {
		t.Errorf("nothing was found lost: %v", w.Damage())
	}
	var readOnly *storage.ReadOnlyError
	if err := w.SetSetting("view", nil); !errors.As(err, &readOnly) {
		t.Errorf("writing gave %v", err)
	}
}
