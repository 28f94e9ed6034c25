package feature

import (
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
	m := newCellMaker(net)
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
	tallies map[roadnet.Cell]tally // of the cells counted so far
	numbers map[roadnet.Cell]int32
	cells   []roadnet.Cell
	visits  []visit
}

func newCellMaker(net *roadnet.Network) *cellMaker {
	return &cellMaker{net: net, tallies: make(map[roadnet.Cell]tally), numbers: make(map[roadnet.Cell]int32)}
}

// mostTallies is how many cells are remembered: those of a part of a network many
// times over.
const mostTallies = 1 << 15

// forget makes room for the cells of another part of the network.
func (m *cellMaker) forget() {
	clear(m.numbers)
	if len(m.tallies) > mostTallies {
		clear(m.tallies)
	}
}

// tallyOf counts what a cell holds, once.
func (m *cellMaker) tallyOf(c roadnet.Cell) tally {
	t, known := m.tallies[c]
	if known {
		return t
	}
	m.net.Lines(m.net.CellBounds(c), func(l roadnet.LineID) bool {
		forward, backward, hasForward, hasBackward := m.net.LineSegments(l)
		if hasForward {
			m.count(&t, c, forward)
		}
		if hasBackward {
			m.count(&t, c, backward)
		}
		return true
	})
	m.tallies[c] = t
	return t
}

// count adds a segment to a cell as often as it passes it, and the node at its end if
// that lies there.
func (m *cellMaker) count(t *tally, c roadnet.Cell, id roadnet.SegmentID) {
	m.cells = m.net.Cells(id, m.cells[:0])
	for i, passed := range m.cells {
		if passed != c {
			continue
		}
		t.segments++
		if class := m.net.Class(id); class >= roadnet.Motorway && class <= roadnet.Secondary {
			t.major++
		}
		if m.net.Layer(id) != 0 {
			t.stacked++
		}
		if i == len(m.cells)-1 {
			t.nodes++
		}
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
	t := m.tallyOf(v.cell)
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
