package feature

import (
	"slices"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// A part tells of its segments what the whole network tells of them, and knows
// all within the hops asked for.
func TestAPartIsAPieceOfTheNetwork(t *testing.T) {
	for seed := range uint64(10) {
		net := roadnettest.Random(seed, 12)
		roads, cells, neighbours := NewRoads(net), NewCells(net), NewNeighbours(net)
		m := NewPartMaker(net)
		var p Part
		n := roadnet.SegmentID(net.NumSegments())
		for _, bounds := range [][2]roadnet.SegmentID{{n / 3, n / 2}, {0, 5}, {0, n}} {
			m.Fill(&p, bounds[0], bounds[1], 2)
			for i, id := range p.Segments {
				if !slices.Equal(p.Roads[i*p.RoadColumns:(i+1)*p.RoadColumns], roads.Values[int(id)*roads.Columns:(int(id)+1)*roads.Columns]) {
					t.Fatalf("seed %d: segment %d has other static features in a part", seed, id)
				}
				size := cells.Cap * cells.Columns
				if p.CellCounts[i] != cells.Counts[id] || !slices.Equal(p.Cells[i*size:(i+1)*size], cells.Values[int(id)*size:(int(id)+1)*size]) {
					t.Fatalf("seed %d: segment %d passes other cells in a part", seed, id)
				}
			}
			inner := hopAround(t, net, bounds[0], bounds[1])
			for i, id := range p.Segments {
				want := neighbours.Successors[int(id)*neighbours.Cap : (int(id)+1)*neighbours.Cap]
				checkPlaces(t, seed, &p, i, p.Successors[i*p.Neighbours:(i+1)*p.Neighbours], want, int32(n), inner[id])
			}
		}
	}
}

// hopAround are some segments and their neighbours: those whose own neighbours
// must be in the part.
func hopAround(t *testing.T, net *roadnet.Network, first, end roadnet.SegmentID) map[roadnet.SegmentID]bool {
	t.Helper()
	inner := map[roadnet.SegmentID]bool{}
	for id := first; id < end; id++ {
		inner[id] = true
		for _, list := range [][]roadnet.SegmentID{net.Next(id), net.Prev(id)} {
			for _, other := range list[:min(len(list), neighbourCap)] {
				inner[other] = true
			}
		}
	}
	return inner
}

func checkPlaces(t *testing.T, seed uint64, p *Part, i int, places, want []int32, nobodyThere int32, inner bool) {
	t.Helper()
	for k, place := range places {
		nobody := int(place) == len(p.Segments)
		if !nobody && int32(p.Segments[place]) != want[k] {
			t.Fatalf("seed %d: place %d of segment %d leads to another", seed, k, p.Segments[i])
		}
		if nobody && inner && want[k] < nobodyThere {
			t.Fatalf("seed %d: segment %d lacks a neighbour that is in the part", seed, p.Segments[i])
		}
	}
}

// What a cell holds is counted when it is first asked for, as if all segments of the
// network had been gone through.
func TestACellIsCountedAloneAsWithAllOthers(t *testing.T) {
	for seed := range uint64(10) {
		net := roadnettest.Random(seed, 12)
		all := make(map[roadnet.Cell]tally)
		for id := range roadnet.SegmentID(net.NumSegments()) {
			cells := net.Cells(id, nil)
			for i, c := range cells {
				sum := all[c]
				sum.segments++
				if class := net.Class(id); class >= roadnet.Motorway && class <= roadnet.Secondary {
					sum.major++
				}
				if net.Layer(id) != 0 {
					sum.stacked++
				}
				if i == len(cells)-1 {
					sum.nodes++
				}
				all[c] = sum
			}
		}
		m := newCellMaker(net)
		for c, want := range all {
			if got := m.tallyOf(c); got != want {
				t.Fatalf("seed %d: cell %v holds %+v, want %+v", seed, c, got, want)
			}
		}
		if got := m.tallyOf(roadnet.Cell{X: -5, Y: -5}); got != (tally{}) {
			t.Errorf("seed %d: a cell outside holds %+v", seed, got)
		}
	}
}
