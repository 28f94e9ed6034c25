package storage_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

func TestTrajectoriesKeepTheirOrder(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	all := trips(0, 300)
	slices.Reverse(all)
	w := storagetest.MustOpen(t, path, storage.Options{})
	saved, err := w.SaveTrajectories(ctx, all)
	if err != nil || saved != (storage.Saved{Added: 300}) {
		t.Fatal(saved, err)
	}
	if saved, err = w.SaveTrajectories(ctx, all[:10]); err != nil || saved != (storage.Saved{Same: 10}) {
		t.Fatal(saved, err)
	}
	changed := *all[5]
	changed.Samples = changed.Samples[1:]
	all[5] = &changed
	if saved, err = w.SaveTrajectories(ctx, all[5:6]); err != nil || saved != (storage.Saved{Replaced: 1}) {
		t.Fatal(saved, err)
	}
	checkTrajectories(t, w, all)
}

// checkTrajectories compares what the workspace lists, goes through and finds
// with what it should.
func checkTrajectories(t *testing.T, w *storage.Workspace, want []*trajectory.Trajectory) {
	t.Helper()
	i := 0
	for got, err := range w.Trajectories(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Fatal(diff)
		}
		i++
	}
	if i != len(want) {
		t.Fatalf("%d trajectories instead of %d", i, len(want))
	}
	ids, err := w.TrajectoryIDs(context.Background())
	if err != nil || len(ids) != len(want) {
		t.Fatal(len(ids), err)
	}
	for i, id := range ids {
		if got, err := w.Trajectory(id); err != nil || !cmp.Equal(got, want[i]) {
			t.Fatal(id, err)
		}
	}
}

func TestTrajectorySummary(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	trip := &trajectory.Trajectory{ID: "1", Vehicle: "bus", Source: "a.gpx", Samples: []trajectory.Sample{
		{Time: 1000, Lon: 0, Lat: 0}, {Time: 61_000, Lon: 0, Lat: 0.01}, {Time: 121_000, Lon: 0.01, Lat: 0.01}}}
	if _, err := w.SaveTrajectories(ctx, []*trajectory.Trajectory{trip}); err != nil {
		t.Fatal(err)
	}
	want := storage.TrajectorySummary{ID: "1", Vehicle: "bus", Source: "a.gpx", Start: 1000, End: 121_000, Points: 3, Length: 2224}
	for got, err := range w.TrajectorySummaries(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRemovingTrajectoriesRemovesTheirRecoveries(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	all := trips(0, 20)
	saveAll(t, w, all, "hmm", "rntrajrec")
	if err := w.RemoveTrajectories(ctx, []string{all[3].ID, "no such trip", all[7].ID}); err != nil {
		t.Fatal(err)
	}
	var missing *storage.NotFoundError
	if _, err := w.Trajectory(all[3].ID); !errors.As(err, &missing) {
		t.Error(err)
	}
	if _, err := w.Recovery(all[3].ID, "hmm"); !errors.As(err, &missing) {
		t.Error(err)
	}
	if n := countRecoveries(t, w); n != 36 {
		t.Errorf("%d recoveries instead of 36", n)
	}
	if err := w.RemoveRecoveries(ctx, []string{all[1].ID}, "hmm"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Recovery(all[1].ID, "rntrajrec"); err != nil {
		t.Error(err)
	}
	if n := countRecoveries(t, w); n != 35 {
		t.Errorf("%d recoveries instead of 35", n)
	}
}

// saveAll saves trajectories with a network and a recovery by each method.
func saveAll(t *testing.T, w *storage.Workspace, ts []*trajectory.Trajectory, methods ...string) {
	t.Helper()
	ctx, net := context.Background(), named("Porto", 1)
	if err := w.ReplaceNetwork(ctx, net, nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SaveTrajectories(ctx, ts); err != nil {
		t.Fatal(err)
	}
	var rs []*trajectory.Recovery
	for _, m := range methods {
		for _, trip := range ts {
			rs = append(rs, recovery(trip, m, net.Info()))
		}
	}
	if err := w.SaveRecoveries(ctx, rs); err != nil {
		t.Fatal(err)
	}
}

func countRecoveries(t *testing.T, w *storage.Workspace) int {
	t.Helper()
	n := 0
	for _, err := range w.Recoveries(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestReplacedTrajectoryLosesItsRecoveries(t *testing.T) {
	w, all := storagetest.Must(t), trips(0, 3)
	saveAll(t, w, all, "hmm")
	changed := *all[1]
	changed.Vehicle = "another"
	if _, err := w.SaveTrajectories(context.Background(), []*trajectory.Trajectory{all[0], &changed}); err != nil {
		t.Fatal(err)
	}
	if n := countRecoveries(t, w); n != 2 {
		t.Errorf("%d recoveries instead of 2", n)
	}
}

func TestRecoveryIsStaleOnceItsNetworkHasChanged(t *testing.T) {
	w, ctx, all := storagetest.Must(t), context.Background(), trips(0, 2)
	saveAll(t, w, all, "hmm")
	expectState(t, w, storage.Current)
	if err := w.ReplaceNetwork(ctx, named("Porto", 2), nil, nil); err != nil {
		t.Fatal(err)
	}
	expectState(t, w, storage.Stale)
	if err := w.RemoveNetwork(ctx, "Porto"); err != nil {
		t.Fatal(err)
	}
	expectState(t, w, storage.WithoutNetwork)
	if err := w.SaveNetwork(ctx, named("Porto", 1), nil, nil); err != nil {
		t.Fatal(err)
	}
	expectState(t, w, storage.Current)
}

func expectState(t *testing.T, w *storage.Workspace, want storage.RecoveryState) {
	t.Helper()
	n := 0
	for s, err := range w.RecoverySummaries(context.Background()) {
		if err != nil || s.State != want {
			t.Errorf("%v instead of %v, %v", s.State, want, err)
		}
		n++
	}
	if n != 2 {
		t.Errorf("%d recoveries instead of 2", n)
	}
}

func TestRecoverySummary(t *testing.T) {
	w, all := storagetest.Must(t), trips(0, 1)
	saveAll(t, w, all, "hmm")
	r := recovery(all[0], "hmm", named("Porto", 1).Info())
	last := r.Ticks[len(r.Ticks)-1]
	want := storage.RecoverySummary{Trajectory: all[0].ID, Method: "hmm", Network: "Porto", Fingerprint: r.Provenance.Fingerprint,
		Start: r.Ticks[0].Time, End: last.Time, Ticks: len(r.Ticks), Parts: 1, Length: last.Along,
		LowestProbability: 1, Elevated: 50, Warnings: 1}
	for got, err := range w.RecoverySummaries(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRecoveryWithoutTrajectoryOrFingerprintIsRefused(t *testing.T) {
	w, ctx, all := storagetest.Must(t), context.Background(), trips(0, 1)
	info := named("Porto", 1).Info()
	var missing *storage.NotFoundError
	if err := w.SaveRecoveries(ctx, []*trajectory.Recovery{recovery(all[0], "hmm", info)}); !errors.As(err, &missing) {
		t.Error(err)
	}
	if _, err := w.SaveTrajectories(ctx, all); err != nil {
		t.Fatal(err)
	}
	info.Fingerprint = ""
	if err := w.SaveRecoveries(ctx, []*trajectory.Recovery{recovery(all[0], "hmm", info)}); err == nil {
		t.Error("saved without a fingerprint")
	}
}

func TestLoopMaySaveToTheSameWorkspace(t *testing.T) {
	w, ctx, all := storagetest.Must(t), context.Background(), trips(0, 5000)
	if _, err := w.SaveTrajectories(ctx, all); err != nil {
		t.Fatal(err)
	}
	info := named("Porto", 1).Info()
	var rs []*trajectory.Recovery
	for trip, err := range w.Trajectories(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if rs = append(rs, recovery(trip, "hmm", info)); len(rs) == 500 {
			if err := w.SaveRecoveries(ctx, rs); err != nil {
				t.Fatal(err)
			}
			rs = rs[:0]
		}
	}
	if n := countRecoveries(t, w); n != 5000 {
		t.Errorf("%d recoveries instead of 5000", n)
	}
}

func TestARecoveryKeepsItsProvenance(t *testing.T) {
	w, ctx := storagetest.MustOpen(t, filepath.Join(t.TempDir(), "w"), storage.Options{}), context.Background()
	all, net := trips(0, 1), named("Porto", 1)
	if _, err := w.SaveTrajectories(ctx, all); err != nil {
		t.Fatal(err)
	}
	r := recovery(all[0], "rntrajrec", net.Info())
	r.Provenance.Model, r.Provenance.Device = "porto@573a30845e40", "webgpu"
	if err := w.SaveRecoveries(ctx, []*trajectory.Recovery{r}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Recovery(all[0].ID, "rntrajrec")
	if err != nil || got.Provenance != r.Provenance {
		t.Errorf("kept %+v, want %+v (%v)", got.Provenance, r.Provenance, err)
	}
}
