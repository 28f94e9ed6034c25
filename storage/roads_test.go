package storage_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"retrace/storage"
	"retrace/storage/storagetest"
)

// roads are made-up values of a model, more than go into one chunk.
func roads(fingerprint, model string, first float32) *storage.Roads {
	r := &storage.Roads{Fingerprint: fingerprint, Model: model, Width: 4, Values: make([]float32, 600_000)}
	for i := range r.Values {
		r.Values[i] = first + float32(i)
	}
	return r
}

func loaded(t *testing.T, w *storage.Workspace, fingerprint, model string) *storage.Roads {
	t.Helper()
	r, err := w.LoadRoads(context.Background(), fingerprint, model)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRoadsAreKeptForTheirNetworkAndModel(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w := storagetest.MustOpen(t, path, storage.Options{}.WithBatches(1<<20))
	porto, taipei := named("Porto", 1), named("Taipei", 2)
	for _, net := range []string{porto.Info().Fingerprint, taipei.Info().Fingerprint} {
		if loaded(t, w, net, "model") != nil {
			t.Fatal("an empty workspace has roads")
		}
	}
	for _, err := range []error{w.SaveNetwork(ctx, porto, nil, nil), w.SaveNetwork(ctx, taipei, nil, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a, b := porto.Info().Fingerprint, taipei.Info().Fingerprint
	for _, r := range []*storage.Roads{roads(a, "old", 1), roads(b, "old", 2), roads(a, "new", 3)} {
		if err := w.SaveRoads(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if loaded(t, w, a, "old") != nil {
		t.Error("what another model said is still there")
	}
	for _, want := range []*storage.Roads{roads(b, "old", 2), roads(a, "new", 3)} {
		if got := loaded(t, w, want.Fingerprint, want.Model); got == nil || got.Width != 4 || !slices.Equal(got.Values, want.Values) {
			t.Errorf("the roads of %s by %s are not what was saved", want.Fingerprint, want.Model)
		}
	}
	if err := w.RemoveNetwork(ctx, "Porto"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.SaveRoads(ctx, roads(b, "new", 4)), w.Compact(ctx)); err != nil {
		t.Fatal(err)
	}
	if loaded(t, w, a, "new") != nil || loaded(t, w, b, "new") == nil {
		t.Error("want the roads of the network that is left, and those only")
	}
}

func TestRoadsThatAreNotWholeAreNotThere(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w, err := storage.Open(path, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	net := named("Porto", 1)
	key := net.Info().Fingerprint
	if err := errors.Join(w.SaveNetwork(ctx, net, nil, nil), w.SaveRoads(ctx, roads(key, "model", 5)), w.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var some []byte
	for i := range 3 {
		some = binary.LittleEndian.AppendUint32(some, math.Float32bits(float32(400_000+i)))
	}
	for at := bytes.Index(file, some); at >= 0; at = bytes.Index(file, some) {
		file[at]++
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w = storagetest.MustOpen(t, path, storage.Options{})
	if got := loaded(t, w, key, "model"); got != nil || len(w.Damage()) != 0 {
		t.Errorf("a broken copy was read (%t), or is called damage: %v", got != nil, w.Damage())
	}
	if err := w.SaveRoads(ctx, roads(key, "model", 5)); err != nil || loaded(t, w, key, "model") == nil {
		t.Errorf("a new copy was not kept (%v)", err)
	}
}

func TestRoadsWhoseSavingIsBrokenOffAreNotThere(t *testing.T) {
	w := storagetest.MustOpen(t, filepath.Join(t.TempDir(), "w"), storage.Options{}.WithBatches(1<<20))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.SaveRoads(ctx, roads("network", "model", 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if loaded(t, w, "network", "model") != nil {
		t.Error("there are roads all the same")
	}
}
