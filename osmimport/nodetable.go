package osmimport

import (
	"math"

	"retrace/engine/roadnet"
)

// nodeTable holds the places of the needed nodes, and what stands there.
type nodeTable struct {
	set    *idSet
	coords []roadnet.Coord
	flags  []roadnet.VertexFlags
	from   []uint16 // file; nil where there is only one
	file   uint16   // under way
	places []place
	notes  *notes
	read   int64
	order  orderRun
	neg    someObjects
	box    boxCheck
	step   func(done int64)
}

// noCoord marks nodes that no file held so far.
const noCoord = math.MinInt32

func newNodeTable(set *idSet, files int, n *notes) *nodeTable {
	t := &nodeTable{set: set, notes: n}
	t.coords = make([]roadnet.Coord, len(set.ids))
	t.flags = make([]roadnet.VertexFlags, len(set.ids))
	if files > 1 {
		t.from = make([]uint16, len(set.ids))
	}
	for i := range t.coords {
		t.coords[i].Lat = noCoord
	}
	return t
}

// startFile makes ready for the nodes of the next file, whose header states a
// box, or nil.
func (t *nodeTable) startFile(file int, stated *roadnet.Bounds) {
	t.file, t.order, t.neg, t.box = uint16(file), orderRun{}, someObjects{}, boxCheck{stated: stated}
}

// nodes implements nodeSink.
func (t *nodeTable) nodes(b *nodeBatch) {
	t.read += b.read
	t.order.follow(b.order)
	t.neg.follow(b.negative)
	for _, n := range b.nodes {
		t.box.see(n.coord)
		t.take(n)
	}
	for _, k := range b.outside {
		t.notes.odd.add(oddOutside, k)
	}
	t.places = append(t.places, b.places...)
	t.step(b.end)
}

func (t *nodeTable) take(n foundNode) {
	if t.coords[n.slot].Lat != noCoord {
		same := t.from == nil || t.from[n.slot] == t.file
		t.notes.duplicate(objectKey{objectNode, t.set.ids[n.slot]}, same)
		return
	}
	t.coords[n.slot], t.flags[n.slot] = n.coord, n.flags
	if t.from != nil {
		t.from[n.slot] = t.file
	}
}

// lookup is the place of a node; false where no file held it.
func (t *nodeTable) lookup(id int64) (slot int, ok bool) {
	slot, ok = t.set.find(id)
	return slot, ok && t.coords[slot].Lat != noCoord
}
