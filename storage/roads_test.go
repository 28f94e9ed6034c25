package storage_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"retrace/storage"
	"retrace/storage/storagetest"
)

// roads names made-up values of a model.
func roads(fingerprint, model string) storage.Roads {
	return storage.Roads{Fingerprint: fingerprint, Model: model, Width: 4, Segments: 50_000}
}

// values are those of three pieces, the last of which is not full.
func values(first float32) map[int][]float32 {
	all := make(map[int][]float32)
	for piece, n := range []int{50_000, 50_000, 20_000} {
		for range 4 * n {
			all[piece] = append(all[piece], first)
			first++
		}
	}
	return all
}

// loaded are the pieces that are there; one is asked for that never was.
func loaded(t *testing.T, w *storage.Workspace, r storage.Roads) map[int][]float32 {
	t.Helper()
	found, err := w.LoadRoads(context.Background(), r, []int{0, 1, 2, 7})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRoadsAreKeptForTheirNetworkAndModel(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "w"), context.Background()
	w := storagetest.MustOpen(t, path, storage.Options{}.WithBatches(1<<20))
	porto, taipei := named("Porto", 1), named("Taipei", 2)
	a, b := porto.Info().Fingerprint, taipei.Info().Fingerprint
	for _, net := range []string{a, b} {
		if len(loaded(t, w, roads(net, "model"))) > 0 {
			t.Fatal("an empty workspace has roads")
		}
	}
	for _, err := range []error{w.SaveNetwork(ctx, porto, nil, nil), w.SaveNetwork(ctx, taipei, nil, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for first, r := range []storage.Roads{roads(a, "old"), roads(b, "old"), roads(a, "new")} {
		for piece, v := range values(float32(first)) { // one after the other, as they are made
			if err := w.SaveRoads(ctx, r, map[int][]float32{piece: v}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(loaded(t, w, roads(a, "old"))) > 0 {
		t.Error("what another model said is still there")
	}
	other := roads(a, "new")
	if other.Segments--; len(loaded(t, w, other)) > 0 {
		t.Error("pieces of another size were read")
	}
	for first, r := range map[int]storage.Roads{1: roads(b, "old"), 2: roads(a, "new")} {
		if got := loaded(t, w, r); !maps.EqualFunc(got, values(float32(first)), slices.Equal) {
			t.Errorf("the roads of %s by %s are not what was saved", r.Fingerprint, r.Model)
		}
	}
	if err := w.RemoveNetwork(ctx, "Porto"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.SaveRoads(ctx, roads(b, "old"), map[int][]float32{7: {1, 2, 3, 4}}), w.Compact(ctx)); err != nil {
		t.Fatal(err)
	}
	if len(loaded(t, w, roads(a, "new"))) > 0 || len(loaded(t, w, roads(b, "old"))) != 4 {
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
	if err := errors.Join(w.SaveNetwork(ctx, net, nil, nil), w.SaveRoads(ctx, roads(key, "model"), values(5)), w.Close()); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var some []byte
	for i := range 3 {
		some = binary.LittleEndian.AppendUint32(some, math.Float32bits(float32(450_000+i)))
	}
	for at := bytes.Index(file, some); at >= 0; at = bytes.Index(file, some) {
		file[at]++
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	w = storagetest.MustOpen(t, path, storage.Options{})
	got := loaded(t, w, roads(key, "model"))
	if got[0] == nil || got[1] == nil || got[2] != nil || len(w.Damage()) != 0 {
		t.Errorf("of three pieces with the last one broken %d were read, or that is called damage: %v", len(got), w.Damage())
	}
	err = w.SaveRoads(ctx, roads(key, "model"), map[int][]float32{2: values(5)[2]})
	if err != nil || !maps.EqualFunc(loaded(t, w, roads(key, "model")), values(5), slices.Equal) {
		t.Errorf("a new copy was not kept (%v)", err)
	}
}

func TestRoadsWhoseSavingIsBrokenOffAreNotThere(t *testing.T) {
	w := storagetest.MustOpen(t, filepath.Join(t.TempDir(), "w"), storage.Options{}.WithBatches(1<<20))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.SaveRoads(ctx, roads("network", "model"), values(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if len(loaded(t, w, roads("network", "model"))) > 0 {
		t.Error("there are roads all the same")
	}
}
