package feature

import (
	"context"

	"retrace/engine/roadnet"
)

// Part is some segments of a network with all that GridGNN is told of them.
// Places count within the part; their number is no place. It can be filled anew
// and then uses its memory again.
type Part struct {
	Segments []roadnet.SegmentID // those asked for, then those around them

	RoadColumns, CellColumns, CellCap, Neighbours int

	Roads        []float32 // [Segments][RoadColumns]
	Cells        []float32 // [Segments][CellCap][CellColumns], zero beyond the count
	CellCounts   []int32   // [Segments]
	Successors   []int32   // [Segments][Neighbours]
	Predecessors []int32   // [Segments][Neighbours]
}

// PartMaker describes parts of a network, one after another. It must not be
// used by two goroutines at once.
type PartMaker struct {
	net     *roadnet.Network
	cells   *cellMaker
	numbers []int32 // of the cells of one segment; nobody asks
	place   []int32 // by segment: its place in the part, and one more; 0: it is not in it

	roadWidth, cellWidth int // columns
}

// NewPartMaker prepares parts of a network. It looks at all of it; the error is that
// of ctx.
func NewPartMaker(ctx context.Context, net *roadnet.Network) (*PartMaker, error) {
	cells, err := newCellMaker(ctx, net)
	if err != nil {
		return nil, err
	}
	return &PartMaker{net: net, cells: cells, numbers: make([]int32, cellCap), place: make([]int32, net.NumSegments()),
		roadWidth: len(roadColumns()), cellWidth: len(cellColumns())}, nil
}

// Fork is another maker for the same network, which may be used beside this one.
func (m *PartMaker) Fork() *PartMaker {
	cells := &cellMaker{net: m.net, tallies: m.cells.tallies, numbers: make(map[roadnet.Cell]int32)}
	return &PartMaker{net: m.net, cells: cells, numbers: make([]int32, cellCap), place: make([]int32, len(m.place)),
		roadWidth: m.roadWidth, cellWidth: m.cellWidth}
}

// Fill describes the segments from first up to end and those within some hops
// of them: what as many layers of graph attention say of the former is what
// they would say in the whole network.
func (m *PartMaker) Fill(p *Part, first, end roadnet.SegmentID, hops int) {
	p.Segments = p.Segments[:0]
	for id := first; id < end; id++ {
		m.take(p, id)
	}
	for seen := 0; hops > 0; hops-- {
		last := len(p.Segments)
		for ; seen < last; seen++ {
			for _, id := range capped(m.net.Next(p.Segments[seen])) {
				m.take(p, id)
			}
			for _, id := range capped(m.net.Prev(p.Segments[seen])) {
				m.take(p, id)
			}
		}
	}
	m.describe(p)
	for _, id := range p.Segments {
		m.place[id] = 0
	}
}

// capped are the neighbours that are looked at.
func capped(neighbours []roadnet.SegmentID) []roadnet.SegmentID {
	return neighbours[:min(len(neighbours), neighbourCap)]
}

func (m *PartMaker) take(p *Part, id roadnet.SegmentID) {
	if m.place[id] == 0 {
		p.Segments = append(p.Segments, id)
		m.place[id] = int32(len(p.Segments))
	}
}

func (m *PartMaker) describe(p *Part) {
	n := len(p.Segments)
	p.RoadColumns, p.CellColumns, p.CellCap, p.Neighbours = m.roadWidth, m.cellWidth, cellCap, neighbourCap
	p.Roads, p.Cells = resized(p.Roads, n*p.RoadColumns), resized(p.Cells, n*p.CellCap*p.CellColumns)
	p.CellCounts = resized(p.CellCounts, n)
	p.Successors, p.Predecessors = resized(p.Successors, n*p.Neighbours), resized(p.Predecessors, n*p.Neighbours)
	for i, id := range p.Segments {
		fillRoad(m.net, id, row{p.Roads[i*p.RoadColumns : (i+1)*p.RoadColumns]})
		size := p.CellCap * p.CellColumns
		p.CellCounts[i] = m.cells.fill(id, p.Cells[i*size:(i+1)*size], m.numbers)
		m.neighbours(p.Successors[i*p.Neighbours:(i+1)*p.Neighbours], m.net.Next(id), int32(n))
		m.neighbours(p.Predecessors[i*p.Neighbours:(i+1)*p.Neighbours], m.net.Prev(id), int32(n))
	}
}

func (m *PartMaker) neighbours(dst []int32, from []roadnet.SegmentID, nobody int32) {
	for k := range dst {
		dst[k] = nobody
		if k < len(from) && m.place[from[k]] > 0 {
			dst[k] = m.place[from[k]] - 1
		}
	}
}
