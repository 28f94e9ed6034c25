package roadnet

// nodeTable gathers what is known of the OSM nodes of a network's ways.
// Nodes that ways join without any distance between are one here.
type nodeTable struct {
	numbers map[int64]uint32
	same    []uint32 // node: another that it is one with, or itself
	uses    []uint8  // node: by how many vertices it is used, 2 for more
	barrier []bool   // node
}

func newNodeTable(vertices int) *nodeTable {
	return &nodeTable{numbers: make(map[int64]uint32, vertices)}
}

// number is the number of an OSM node in the table.
func (t *nodeTable) number(osm int64) uint32 {
	i, ok := t.numbers[osm]
	if !ok {
		i = uint32(len(t.same))
		t.numbers[osm] = i
		t.same = append(t.same, i)
	}
	return i
}

// root is the number that stands for a node and all that are one with it.
func (t *nodeTable) root(i uint32) uint32 {
	for t.same[i] != i {
		t.same[i] = t.same[t.same[i]]
		i = t.same[i]
	}
	return i
}

// join makes two nodes one.
func (t *nodeTable) join(i, j uint32) {
	t.same[t.root(j)] = t.root(i)
}

// count takes in that a vertex uses a node.
func (t *nodeTable) count(i uint32, flags VertexFlags) {
	if t.uses == nil {
		t.uses, t.barrier = make([]uint8, len(t.same)), make([]bool, len(t.same))
	}
	i = t.root(i)
	t.uses[i] = min(t.uses[i]+1, 2)
	if flags&VertexBarrier != 0 {
		t.barrier[i] = true
	}
}

// parts reports whether ways are cut at a node: at junctions and barriers.
func (t *nodeTable) parts(i uint32) bool {
	i = t.root(i)
	return t.uses[i] > 1 || t.barrier[i]
}
