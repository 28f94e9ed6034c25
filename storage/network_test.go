package storage_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

func TestNetworkComesBackAsItWas(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	net, report := named("Porto", 1), []byte(`{"kept":17}`)
	if err := w.SaveNetwork(ctx, net, background(), report); err != nil {
		t.Fatal(err)
	}
	got, bm, err := w.LoadNetwork(ctx, "Porto")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(net.Columns(), got.Columns(), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(net.Info(), got.Info()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(background().Columns(), bm.Columns(), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if back, err := w.NetworkReport("Porto"); err != nil || string(back) != string(report) {
		t.Errorf("report %q, %v", back, err)
	}
}

func TestNetworkWithoutBackgroundAndReport(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	if err := w.SaveNetwork(ctx, named("Bare", 1), nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, bm, err := w.LoadNetwork(ctx, "Bare"); err != nil || bm != nil {
		t.Error(bm, err)
	}
	if report, err := w.NetworkReport("Bare"); err != nil || report != nil {
		t.Error(report, err)
	}
}

func TestNetworkNamesAreUnique(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	if err := w.SaveNetwork(ctx, named("Porto", 1), nil, nil); err != nil {
		t.Fatal(err)
	}
	var exists *storage.ExistsError
	if err := w.SaveNetwork(ctx, named("Porto", 2), nil, nil); !errors.As(err, &exists) {
		t.Errorf("saved over it: %v", err)
	}
	if err := w.ReplaceNetwork(ctx, named("Porto", 2), nil, nil); err != nil {
		t.Error(err)
	}
	infos, err := w.Networks()
	if err != nil || len(infos) != 1 || infos[0].Fingerprint != named("Porto", 2).Info().Fingerprint {
		t.Error(infos, err)
	}
}

func TestBadNetworkNamesAreRefused(t *testing.T) {
	for _, name := range []string{"", " ", " a", "a\n", "a\x00b", "\xff", strings.Repeat("x", 101)} {
		if storage.CheckName(name) == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"Porto", "São Paulo 2024", "京都", strings.Repeat("ü", 100)} {
		if err := storage.CheckName(name); err != nil {
			t.Error(err)
		}
	}
}

func TestRemovedNetworkIsGone(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	for _, name := range []string{"A", "B"} {
		if err := w.SaveNetwork(ctx, named(name, 1), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.RemoveNetwork(ctx, "A"); err != nil {
		t.Fatal(err)
	}
	var missing *storage.NotFoundError
	if _, _, err := w.LoadNetwork(ctx, "A"); !errors.As(err, &missing) {
		t.Error(err)
	}
	if err := w.RemoveNetwork(ctx, "A"); !errors.As(err, &missing) {
		t.Error(err)
	}
	if _, _, err := w.LoadNetwork(ctx, "B"); err != nil {
		t.Error(err)
	}
}

func TestCancelledSaveLeavesNothing(t *testing.T) {
	w := storagetest.Must(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.SaveNetwork(ctx, named("Porto", 1), nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := w.SaveTrajectories(ctx, trips(0, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	infos, err := w.Networks()
	if err != nil || len(infos) > 0 {
		t.Error(infos, err)
	}
	for _, err := range w.Trajectories(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// A network that is renamed is the same network: it loads under its other name only,
// with its report, and recoveries on it stay current.
func TestANetworkKeepsAllUnderAnotherName(t *testing.T) {
	w, ctx := storagetest.Must(t), context.Background()
	net, report := named("Porto", 1), []byte(`{"kept":17}`)
	if err := w.SaveNetwork(ctx, net, background(), report); err != nil {
		t.Fatal(err)
	}
	if err := w.SaveNetwork(ctx, named("Lisbon", 2), nil, nil); err != nil {
		t.Fatal(err)
	}
	trip := trips(0, 1)[0]
	must(w.SaveTrajectories(ctx, trips(0, 1)))
	if err := w.SaveRecoveries(ctx, []*trajectory.Recovery{recovery(trip, "hmm", net.Info())}); err != nil {
		t.Fatal(err)
	}
	var exists *storage.ExistsError
	if err := w.RenameNetwork(ctx, "Porto", "Lisbon"); !errors.As(err, &exists) {
		t.Errorf("renamed to a name that is taken: %v", err)
	}
	var missing *storage.NotFoundError
	if err := w.RenameNetwork(ctx, "Madrid", "Paris"); !errors.As(err, &missing) {
		t.Errorf("renamed what is not there: %v", err)
	}
	if err := w.RenameNetwork(ctx, "Porto", "Porto 2026"); err != nil {
		t.Fatal(err)
	}
	got, bm, err := w.LoadNetwork(ctx, "Porto 2026")
	if err != nil || bm == nil || got.Info().Name != "Porto 2026" || got.Info().Fingerprint != net.Info().Fingerprint {
		t.Fatalf("it loads as %v, %v", got, err)
	}
	if back, err := w.NetworkReport("Porto 2026"); err != nil || string(back) != string(report) {
		t.Errorf("report %q, %v", back, err)
	}
	if _, _, err := w.LoadNetwork(ctx, "Porto"); !errors.As(err, &missing) {
		t.Errorf("its old name gives %v", err)
	}
	for s, err := range w.RecoverySummaries(ctx) {
		if err != nil || s.State != storage.Current {
			t.Errorf("the recovery is %v, %v", s.State, err)
		}
	}
}
