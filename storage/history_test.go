package storage_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

// stepOf is a step that holds trajectories and, where there are some, their
// recoveries.
func stepOf(number uint64, ts []*trajectory.Trajectory, rs []*trajectory.Recovery) storage.Step {
	s := storage.Step{Number: number, Head: fmt.Appendf(nil, `{"step":%d}`, number), Count: len(ts)}
	for i, t := range ts {
		h := storage.Held{Index: uint32(i), Head: fmt.Appendf(nil, `{"id":%q}`, t.ID), Trajectory: t}
		if i < len(rs) {
			h.Recovery = rs[i]
		}
		s.Held = append(s.Held, h)
	}
	return s
}

func apply(t *testing.T, w *storage.Workspace, e storage.Edit) {
	t.Helper()
	if err := w.Apply(context.Background(), e); err != nil {
		t.Fatal(err)
	}
}

func stepsOf(t *testing.T, w *storage.Workspace) []storage.Step {
	t.Helper()
	steps, lost, err := w.Steps(context.Background())
	if err != nil || len(lost) > 0 {
		t.Fatalf("steps %d are lost, %v", lost, err)
	}
	return steps
}

func TestStepsComeBack(t *testing.T) {
	w, ts := storagetest.Must(t), trips(0, 3)
	net := named("net", 1).Info()
	one, two := stepOf(1, ts, []*trajectory.Recovery{recovery(ts[0], "hmm", net)}), stepOf(2, nil, nil)
	apply(t, w, storage.Edit{Steps: []storage.Step{one, two}})
	steps := stepsOf(t, w)
	if len(steps) != 2 || string(steps[0].Head) != `{"step":1}` || len(steps[0].Held) != 3 || len(steps[1].Held) != 0 {
		t.Fatalf("%+v", steps)
	}
	for i := range ts {
		got, r, err := w.HeldRecords(1, uint32(i))
		if err != nil || !reflect.DeepEqual(got, ts[i]) || (r != nil) != (i == 0) {
			t.Errorf("held %d: %v, %v, %v", i, got, r, err)
		}
	}
	// More of the step comes later, and one of what it holds is another one.
	apply(t, w, storage.Edit{Steps: []storage.Step{{Number: 1, Head: []byte("new"), Count: 4,
		Held: []storage.Held{{Index: 3, Head: []byte("3")}, {Index: 0, Head: []byte("0")}}}}})
	steps = stepsOf(t, w)
	if string(steps[0].Head) != "new" || len(steps[0].Held) != 4 || string(steps[0].Held[0].Head) != "0" {
		t.Fatalf("%+v", steps[0])
	}
	if got, r, err := w.HeldRecords(1, 0); got != nil || r != nil || err != nil {
		t.Errorf("what it holds no more is still there: %v %v %v", got, r, err)
	}
	apply(t, w, storage.Edit{Forgotten: []uint64{1}})
	if steps := stepsOf(t, w); len(steps) != 1 || steps[0].Number != 2 {
		t.Errorf("%+v", steps)
	}
	if got, _, _ := w.HeldRecords(1, 1); got != nil {
		t.Error("a forgotten step holds something")
	}
}

func TestAnEditIsMadeWholeOrNotAtAll(t *testing.T) {
	w, ctx, ts := storagetest.Must(t), context.Background(), trips(0, 3)
	net := named("net", 1).Info()
	apply(t, w, storage.Edit{Trajectories: ts, Recoveries: []*trajectory.Recovery{recovery(ts[0], "hmm", net)},
		Settings: map[string][]byte{"pins": []byte("a")}})
	bad := recovery(ts[1], "hmm", net)
	bad.Provenance.Fingerprint = ""
	err := w.Apply(ctx, storage.Edit{Removed: []string{ts[2].ID}, Recoveries: []*trajectory.Recovery{bad},
		Settings: map[string][]byte{"pins": []byte("b")}, Steps: []storage.Step{stepOf(1, ts, nil)}})
	if err == nil {
		t.Fatal("a recovery of no network was taken")
	}
	if v, _, _ := w.Setting("pins"); string(v) != "a" {
		t.Errorf("the pins are %q", v)
	}
	if _, err := w.Trajectory(ts[2].ID); err != nil || len(stepsOf(t, w)) != 0 {
		t.Errorf("a part of the edit was made: %v", err)
	}
	apply(t, w, storage.Edit{Recoveries: []*trajectory.Recovery{recovery(ts[0], "rntrajrec", net)}, Unrecovered: []string{ts[1].ID},
		Removed: []string{ts[2].ID, "gone"}, Settings: map[string][]byte{"pins": nil}})
	if _, err := w.Recovery(ts[0].ID, "hmm"); err == nil || countRecoveries(t, w) != 1 {
		t.Error("a trip has two recoveries")
	}
	if _, ok, _ := w.Setting("pins"); ok {
		t.Error("the pins are not removed")
	}
}

// A step that is not whole costs itself and nothing else: the workspace takes
// changes as before, and no trip is lost.
func TestABrokenStepCostsNoData(t *testing.T) {
	ts := trips(0, 3)
	path := filepath.Join(t.TempDir(), "w")
	w := must(storage.Open(path, storage.Options{}))
	apply(t, w, storage.Edit{Trajectories: ts, Steps: []storage.Step{stepOf(1, ts, nil), stepOf(2, ts, nil), stepOf(3, nil, nil)}})
	w.Close()
	file := must(os.ReadFile(path))
	for name, text := range map[string]string{"head": `{"step":2}`, "held": fmt.Sprintf(`{"id":%q}`, ts[1].ID)} {
		t.Run(name, func(t *testing.T) {
			broken := bytes.Clone(file)
			at := bytes.Index(broken, []byte(text))
			for ; at >= 0; at = bytes.Index(broken, []byte(text)) {
				broken[at+2] ^= 0x20
			}
			path := filepath.Join(t.TempDir(), "broken")
			if err := os.WriteFile(path, broken, 0o644); err != nil {
				t.Fatal(err)
			}
			w := must(storage.Open(path, storage.Options{}))
			defer w.Close()
			steps, lost, err := w.Steps(context.Background())
			if err != nil || len(lost) == 0 || len(steps)+len(lost) != 3 {
				t.Errorf("%d steps, %d are lost, %v", len(steps), lost, err)
			}
			if _, err := w.Verify(context.Background(), nil); err != nil || w.ReadOnly() {
				t.Errorf("the workspace takes no changes any more: %v", w.Damage())
			}
			checkTrajectories(t, w, ts)
			apply(t, w, storage.Edit{Forgotten: []uint64{1, 2, 3}, Steps: []storage.Step{stepOf(4, ts, nil)}})
			if steps := stepsOf(t, w); len(steps) != 1 {
				t.Errorf("%+v", steps)
			}
		})
	}
}

func TestABrokenRecordOfAStepIsAnErrorAndNoDamage(t *testing.T) {
	ts := trips(0, 1)
	path := filepath.Join(t.TempDir(), "w")
	w := must(storage.Open(path, storage.Options{}))
	apply(t, w, storage.Edit{Steps: []storage.Step{stepOf(1, ts, nil)}})
	w.Close()
	file := must(os.ReadFile(path))
	at := bytes.LastIndex(file, []byte(ts[0].ID))
	file[at] ^= 1
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w = must(storage.Open(path, storage.Options{}))
	defer w.Close()
	_, _, err := w.HeldRecords(1, 0)
	steps, lost, _ := w.Steps(context.Background())
	if err == nil && len(lost) == 0 {
		t.Fatalf("nothing is broken: %+v", steps)
	}
	if w.ReadOnly() {
		t.Error("the workspace takes no changes any more")
	}
}

func TestSalvageKeepsTheHistory(t *testing.T) {
	s := newSample(t)
	dir := t.TempDir()
	file := bytes.Clone(s.file)
	clear(file[:32<<10])
	path := filepath.Join(dir, "broken")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w := must(storage.Open(path, storage.Options{}))
	defer w.Close()
	if _, err := w.SalvageTo(context.Background(), filepath.Join(dir, "saved")); err != nil {
		t.Fatal(err)
	}
	again := storagetest.MustOpen(t, filepath.Join(dir, "saved"), storage.Options{})
	if steps := stepsOf(t, again); len(steps) != 1 || len(steps[0].Held) != 20 {
		t.Fatalf("%d steps", len(steps))
	}
	if got, r, err := again.HeldRecords(1, 19); err != nil || got == nil || r == nil {
		t.Errorf("%v %v %v", got, r, err)
	}
}
