package roadnet

// maxLinesAtNode is how many line ends may join at a node. No real junction
// comes near; the bound keeps the turns of a hostile file from filling the
// memory, as they grow with its square.
const maxLinesAtNode = 32

// nodeNamer numbers the nodes of a network in order of appearance.
type nodeNamer struct {
	table    *nodeTable
	report   *BuildReport
	given    []uint32 // number in the table: node + 1; 0: none yet
	lines    []uint8  // number in the table: line ends so far
	barriers map[int64]struct{}
	next     uint32
}

func newNodeNamer(table *nodeTable, report *BuildReport) *nodeNamer {
	return &nodeNamer{
		table:    table,
		report:   report,
		given:    make([]uint32, len(table.same)),
		lines:    make([]uint8, len(table.same)),
		barriers: make(map[int64]struct{}),
	}
}

// node is the node of a line's end, given its number in the table and its OSM
// id. At a barrier each line has a node of its own.
func (n *nodeNamer) node(number uint32, osm int64) uint32 {
	number = n.table.root(number)
	switch {
	case n.table.barrier[number]:
		n.barriers[osm] = struct{}{}
		return n.fresh()
	case n.lines[number] == maxLinesAtNode:
		n.report.CrowdedNodes.add(osm)
		return n.fresh()
	}
	n.lines[number]++
	if n.given[number] == 0 {
		n.given[number] = n.fresh() + 1
	}
	return n.given[number] - 1
}

func (n *nodeNamer) fresh() uint32 {
	n.next++
	return n.next - 1
}

// reportBarriers reports the barriers met.
func (n *nodeNamer) reportBarriers() {
	for osm := range n.barriers {
		n.report.Barriers.add(osm)
	}
}
