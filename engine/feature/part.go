package feature

import "retrace/engine/roadnet"

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
	numbers []int32                     // of the cells of one segment; nobody asks
	place   map[roadnet.SegmentID]int32 // in the part

	roadWidth, cellWidth int // columns
}

// NewPartMaker prepares parts of a network. It looks at nothing yet: what a part costs
// does not depend on how large the network is.
func NewPartMaker(net *roadnet.Network) *PartMaker {
	return &PartMaker{net: net, cells: newCellMaker(net), numbers: make([]int32, cellCap), place: make(map[roadnet.SegmentID]int32),
		roadWidth: len(roadColumns()), cellWidth: len(cellColumns())}
}

// Fill describes the segments from first up to end and those within some hops
// of them: what as many layers of graph attention say of the former is what
// they would say in the whole network.
func (m *PartMaker) Fill(p *Part, first, end roadnet.SegmentID, hops int) {
	p.Segments = p.Segments[:0]
	clear(m.place)
	m.cells.forget()
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
}

// capped are the neighbours that are looked at.
func capped(neighbours []roadnet.SegmentID) []roadnet.SegmentID {
	return neighbours[:min(len(neighbours), neighbourCap)]
}

func (m *PartMaker) take(p *Part, id roadnet.SegmentID) {
	if _, taken := m.place[id]; !taken {
		m.place[id] = int32(len(p.Segments))
		p.Segments = append(p.Segments, id)
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
		if k >= len(from) {
			continue
		}
		if at, taken := m.place[from[k]]; taken {
			dst[k] = at
		}
	}
}
