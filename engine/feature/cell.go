package feature

import (
	"context"
	"math"

	"retrace/engine/roadnet"
)

// cellColumns describe the part of a segment in one 50 m grid cell, and the
// cell: what stands for the paper's lookup in a table of cells (eq. 2).
func cellColumns() []Column {
	return []Column{
		scaled("heading_east", "sine of the heading", Geometry, -1, 1),
		scaled("heading_north", "cosine of the heading", Geometry, -1, 1),
		scaled("length", "m/50", Geometry, 0, 3),
		scaled("offset_east", "cells from the centre at entry", Geometry, -1, 1),
		scaled("offset_north", "cells from the centre at entry", Geometry, -1, 1),
		scaled("segments", "ln(1 + segments in the cell)/3", Geometry, 0, 2),
		scaled("nodes", "ln(1 + nodes in the cell)/3", Geometry, 0, 2),
		scaled("major", "share of motorway to secondary in the cell", Tags, 0, 1),
		scaled("stacked", "share not on the ground in the cell", Tags, 0, 1),
	}
}

// cellCap is the most cells described of one segment. A longer segment is
// described by as many, spread evenly over it.
const cellCap = 24

// Cells describe the grid cells that every segment passes.
type Cells struct {
	Segments, Cap, Columns int
	Values                 []float32 // [Segments][Cap][Columns], zero beyond the count
	Counts                 []int32   // [Segments], at least 1
	Numbers                []int32   // [Segments][Cap] of the cells, as segments meet them; zero beyond the count
}

// NewCells makes the cell sequences S_i of every segment (eq. 2).
func NewCells(net *roadnet.Network) *Cells {
	c := &Cells{Segments: net.NumSegments(), Cap: cellCap, Columns: len(cellColumns())}
	c.Values = make([]float32, c.Segments*c.Cap*c.Columns)
	c.Counts = make([]int32, c.Segments)
	c.Numbers = make([]int32, c.Segments*c.Cap)
	m, _ := newCellMaker(context.Background(), net) // which is never done
	for id := range c.Segments {
		size := c.Cap * c.Columns
		c.Counts[id] = m.fill(roadnet.SegmentID(id), c.Values[id*size:(id+1)*size], c.Numbers[id*c.Cap:(id+1)*c.Cap])
	}
	return c
}

// tally is what a grid cell holds.
type tally struct{ segments, nodes, major, stacked int32 }

// cellMaker describes segments one after another.
type cellMaker struct {
	net     *roadnet.Network
	tallies map[roadnet.Cell]tally
	numbers map[roadnet.Cell]int32
	cells   []roadnet.Cell
	visits  []visit
}

// newCellMaker counts what the cells hold, unless ctx is done.
func newCellMaker(ctx context.Context, net *roadnet.Network) (*cellMaker, error) {
	m := &cellMaker{net: net, tallies: make(map[roadnet.Cell]tally), numbers: make(map[roadnet.Cell]int32)}
	for id := range roadnet.SegmentID(net.NumSegments()) {
		if id%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.count(id)
	}
	return m, nil
}

// count adds a segment to the cells that it passes, and the node at its end to
// that cell.
func (m *cellMaker) count(id roadnet.SegmentID) {
	major := m.net.Class(id) >= roadnet.Motorway && m.net.Class(id) <= roadnet.Secondary
	stacked := m.net.Layer(id) != 0
	m.cells = m.net.Cells(id, m.cells[:0])
	for i, c := range m.cells {
		t := m.tallies[c]
		t.segments++
		if major {
			t.major++
		}
		if stacked {
			t.stacked++
		}
		if i == len(m.cells)-1 {
			t.nodes++
		}
		m.tallies[c] = t
	}
}

// visit is a segment's stay in a cell.
type visit struct {
	cell     roadnet.Cell
	from, to float64 // ratios
}

func (m *cellMaker) fill(id roadnet.SegmentID, values []float32, numbers []int32) int32 {
	m.visits = m.visitsOf(id, m.visits[:0])
	n, width := min(len(m.visits), len(numbers)), len(values)/len(numbers)
	for i := range n {
		v := m.visits[i*len(m.visits)/n]
		m.describe(id, v, row{values[i*width : (i+1)*width]})
		number, known := m.numbers[v.cell]
		if !known {
			number = int32(len(m.numbers))
			m.numbers[v.cell] = number
		}
		numbers[i] = number
	}
	return int32(n)
}

// visitsOf walks a segment in small steps and notes where it changes cells. A
// corner of a cell that is cut by less than a step, a tenth of a cell, may be
// left out.
func (m *cellMaker) visitsOf(id roadnet.SegmentID, visits []visit) []visit {
	steps := int(m.net.Length(id)/(roadnet.CellSize/10)) + 1
	for i := range steps {
		ratio := float64(i) / float64(steps)
		cell := m.net.CellAt(m.net.At(roadnet.Position{Segment: id, Ratio: ratio}))
		if last := len(visits) - 1; last < 0 || visits[last].cell != cell {
			visits = append(visits, visit{cell: cell, from: ratio})
		}
		visits[len(visits)-1].to = float64(i+1) / float64(steps)
	}
	return visits
}

func (m *cellMaker) describe(id roadnet.SegmentID, v visit, r row) {
	net := m.net
	in := net.At(roadnet.Position{Segment: id, Ratio: v.from})
	out := net.At(roadnet.Position{Segment: id, Ratio: v.to})
	east, north := unit(offset(in, out))
	centre := net.CellCentre(v.cell)
	x, y := offset(centre, in)
	t := m.tallies[v.cell]
	r.put(east, north,
		clamp((v.to-v.from)*net.Length(id)/roadnet.CellSize, 0, 3),
		clamp(x/roadnet.CellSize, -1, 1), clamp(y/roadnet.CellSize, -1, 1),
		clamp(math.Log1p(float64(t.segments))/3, 0, 2),
		clamp(math.Log1p(float64(t.nodes))/3, 0, 2),
		portion(t.major, t.segments), portion(t.stacked, t.segments))
}

func portion(part, whole int32) float32 {
	if whole == 0 {
		return 0
	}
	return float32(part) / float32(whole)
}
