package roadnet_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestCellsOfAStraightRoad(t *testing.T) {
	// 20 m a character: A is the south-west corner, B 120 m east, C 60 m north.
	net := roadnettest.Draw(t, 20, "C\n\n\nA     B", "AB", "AC")
	if diff := cmp.Diff([]roadnet.Cell{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 2, Y: 0}}, net.Cells(net.Seg("AB"), nil)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]roadnet.Cell{{X: 0, Y: 1}, {X: 0, Y: 0}}, net.Cells(net.Seg("CA"), nil)); diff != "" {
		t.Error(diff)
	}
	if columns, rows := net.GridSize(); columns != 3 || rows != 2 {
		t.Errorf("%d by %d cells", columns, rows)
	}
}

// Cells go step by step from side to side, hold every point of the segment,
// and are those of the reverse in reverse order.
func TestCellsFollowTheSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(0, 50).Draw(t, "seed"), 6)
		id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
		cells := net.Cells(id, nil)
		columns, rows := net.GridSize()
		for i, c := range cells {
			if c.X < 0 || c.Y < 0 || c.X >= columns || c.Y >= rows {
				t.Fatalf("%v is outside of %d by %d cells", c, columns, rows)
			}
			if i > 0 && step(cells[i-1].X, c.X)+step(cells[i-1].Y, c.Y) != 1 {
				t.Fatalf("from %v to %v", cells[i-1], c)
			}
		}
		if at := net.CellAt(net.At(roadnet.Position{Segment: id})); cells[0] != at {
			t.Fatalf("starts in %v, not in %v", cells[0], at)
		}
		next := 0
		for i := range 201 {
			at := net.CellAt(net.At(roadnet.Position{Segment: id, Ratio: float64(i) / 200}))
			k := slices.Index(cells[next:], at)
			if k < 0 && !onBorder(net, roadnet.Position{Segment: id, Ratio: float64(i) / 200}) {
				t.Fatalf("at ratio %g in %v, which is not among the rest of %v", float64(i)/200, at, cells)
			}
			next += max(k, 0)
		}
		if back, ok := net.Reverse(id); ok {
			reversed := net.Cells(back, nil)
			slices.Reverse(reversed)
			if len(reversed) != len(cells) || reversed[0] != cells[0] {
				t.Fatalf("%v, and back %v", cells, reversed)
			}
		}
	})
}

func step(a, b int32) int32 { return max(a-b, b-a) }

// onBorder reports whether a position lies within a hair of another cell, where
// rounding decides.
func onBorder(net *roadnet.Network, p roadnet.Position) bool {
	at := net.At(p)
	const hair = 1e-8
	c := net.CellAt(at)
	for _, d := range [][2]float64{{hair, 0}, {-hair, 0}, {0, hair}, {0, -hair}} {
		if net.CellAt(roadnet.Point{Lon: at.Lon + d[0], Lat: at.Lat + d[1]}) != c {
			return true
		}
	}
	return false
}
