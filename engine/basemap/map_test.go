package basemap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
)

func coords(xy ...int32) (out []roadnet.Coord) {
	for i := 0; i < len(xy); i += 2 {
		out = append(out, roadnet.Coord{Lon: xy[i], Lat: xy[i+1]})
	}
	return out
}

func build(t testing.TB, features ...Feature) *Map {
	t.Helper()
	b := NewBuilder()
	for _, f := range features {
		if _, err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// all is every feature of a kind that meets bounds, copied.
func all(m *Map, b roadnet.Bounds, k Kind) (out []Feature) {
	m.Visit(b, k, func(f Feature) bool {
		var rings [][]roadnet.Coord
		for _, r := range f.Rings {
			rings = append(rings, slices.Clone(r))
		}
		f.Rings = rings
		out = append(out, f)
		return true
	})
	return out
}

func world() roadnet.Bounds {
	return roadnet.Bounds{MinLon: -180, MinLat: -90, MaxLon: 180, MaxLat: 90}
}

// Rings are cleaned, and what is too short for its kind is left out.
func TestAddCleans(t *testing.T) {
	for name, c := range map[string]struct {
		kind Kind
		ring []roadnet.Coord
		want []roadnet.Coord
	}{
		"closed ring":         {Water, coords(0, 0, 9, 0, 9, 9, 0, 0), coords(0, 0, 9, 0, 9, 9)},
		"repeated points":     {Green, coords(0, 0, 0, 0, 9, 0, 9, 0, 9, 9, 9, 9), coords(0, 0, 9, 0, 9, 9)},
		"too short an area":   {Building, coords(0, 0, 9, 0, 0, 0), nil},
		"a closed line stays": {Rail, coords(0, 0, 9, 0, 0, 0), coords(0, 0, 9, 0, 0, 0)},
		"too short a line":    {Waterway, coords(5, 5, 5, 5), nil},
		"a place":             {Place, coords(5, 5), coords(5, 5)},
		"nothing":             {Water, nil, nil},
	} {
		m := build(t, Feature{Kind: c.kind, Rings: [][]roadnet.Coord{c.ring}})
		var got []roadnet.Coord
		for _, f := range all(m, world(), c.kind) {
			got = f.Rings[0]
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

func TestUnknownKindIsRefused(t *testing.T) {
	if _, err := NewBuilder().Add(Feature{Kind: NumKinds}); err == nil {
		t.Error("taken")
	}
}

func TestEmptyMap(t *testing.T) {
	m, err := FromColumns((&Map{}).Columns())
	if err != nil {
		t.Fatal(err)
	}
	for k := range Kind(NumKinds) {
		if m.Len(k) != 0 || len(all(m, world(), k)) != 0 {
			t.Errorf("%s: not empty", k)
		}
	}
	if m, err := FromColumns(nil); err != nil || m.Len(Water) != 0 {
		t.Errorf("of no columns: %v", err)
	}
}

// genFeature draws a feature with a name of its own.
func genFeature(t *rapid.T, i int) Feature {
	f := Feature{Kind: Kind(rapid.IntRange(0, NumKinds-1).Draw(t, "kind")), Name: fmt.Sprint("feature ", i)}
	x, y := rapid.Int32Range(-1e9, 1e9).Draw(t, "x"), rapid.Int32Range(-8e8, 8e8).Draw(t, "y")
	for range rapid.IntRange(1, 3).Draw(t, "rings") {
		w := rapid.Int32Range(1, 1e6).Draw(t, "width")
		f.Rings = append(f.Rings, coords(x, y, x+w, y, x+w, y+w, x, y+w))
	}
	if f.Kind == Place {
		f.Rank = uint8(rapid.IntRange(1, 6).Draw(t, "rank"))
		f.Rings = [][]roadnet.Coord{coords(x, y)}
	}
	return f
}

func meets(b roadnet.Bounds, f Feature) bool {
	box := boxOf(slices.Concat(f.Rings...))
	return boxOfBounds(b).meets(box)
}

// Visit finds what a look at every feature finds, before and after storage.
func TestVisitFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var features []Feature
		b := NewBuilder()
		for i := range rapid.IntRange(0, 150).Draw(t, "n") {
			f := genFeature(t, i)
			features = append(features, f)
			if ok, err := b.Add(f); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		built, err := b.Build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		stored, err := FromColumns(built.Columns())
		if err != nil {
			t.Fatal(err)
		}
		lon, lat := rapid.Float64Range(-110, 110).Draw(t, "lon"), rapid.Float64Range(-80, 80).Draw(t, "lat")
		size := rapid.Float64Range(0, 100).Draw(t, "size")
		box := roadnet.Bounds{MinLon: lon, MinLat: lat, MaxLon: lon + size, MaxLat: lat + size}
		for k := range Kind(NumKinds) {
			var want []Feature
			for _, f := range features {
				if f.Kind == k && meets(box, f) {
					want = append(want, f)
				}
			}
			for _, m := range []*Map{built, stored} {
				got := all(m, box, k)
				byName := func(a, b Feature) int { return strings.Compare(a.Name, b.Name) }
				slices.SortFunc(got, byName)
				slices.SortFunc(want, byName)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s in %v:\n%s", k, box, d)
				}
			}
		}
	})
}

func TestVisitStops(t *testing.T) {
	m := build(t, Feature{Kind: Place, Rings: [][]roadnet.Coord{coords(1, 1)}}, Feature{Kind: Place, Rings: [][]roadnet.Coord{coords(2, 2)}})
	n := 0
	m.Visit(world(), Place, func(Feature) bool { n++; return false })
	if n != 1 {
		t.Errorf("%d visits after false", n)
	}
}

// A column that is missing, of another type, or damaged in any entry gives an
// error or a map that can be walked, never a panic.
func TestDamagedColumns(t *testing.T) {
	good := func() []roadnet.Column {
		return build(t, Feature{Kind: Water, Name: "Lake", Rings: [][]roadnet.Coord{coords(0, 0, 9, 0, 9, 9), coords(1, 1, 2, 1, 2, 2)}},
			Feature{Kind: Place, Name: "Town", Rank: RankTown, Rings: [][]roadnet.Coord{coords(3, 3)}}).Columns()
	}
	for i, c := range good() {
		cols := good()
		if _, err := FromColumns(slices.Delete(cols, i, i+1)); err == nil || !strings.Contains(err.Error(), c.Name) {
			t.Errorf("without %s: %v", c.Name, err)
		}
		cols = good()
		cols[i].Data = []float32{1}
		if _, err := FromColumns(cols); err == nil || !strings.Contains(err.Error(), c.Name) {
			t.Errorf("%s of another type: %v", c.Name, err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	refused := 0
	for range 3000 {
		cols := good()
		damage(rng, &cols[rng.IntN(len(cols))])
		m, err := FromColumns(cols)
		if err != nil {
			refused++
			continue
		}
		for k := range Kind(NumKinds) {
			all(m, world(), k)
		}
	}
	if refused < 1000 {
		t.Errorf("only %d of 3000 damaged maps refused", refused)
	}
}

// damage changes one entry of a column, or its length.
func damage(rng *rand.Rand, c *roadnet.Column) {
	value := rng.Uint32() >> rng.IntN(32)
	switch d := c.Data.(type) {
	case []uint8:
		d = slices.Clone(d)
		d[rng.IntN(len(d))] = uint8(value)
		c.Data = d[:len(d)-rng.IntN(2)]
	case []uint32:
		d = slices.Clone(d)
		d[rng.IntN(len(d))] = value
		c.Data = d[:len(d)-rng.IntN(2)]
	case []int32:
		d = slices.Clone(d)
		d[rng.IntN(len(d))] = int32(value)
		c.Data = d[:len(d)-rng.IntN(2)]
	}
}

func TestBuildStops(t *testing.T) {
	b := NewBuilder()
	b.Add(Feature{Kind: Place, Rings: [][]roadnet.Coord{coords(1, 1)}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Build(ctx); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
