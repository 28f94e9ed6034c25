package osmimport

import (
	"context"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// xmlNodes gathers the needed nodes and the places of a file.
type xmlNodes struct {
	need  *idSet
	batch *nodeBatch
	sink  nodeSink
	id    int64
	found foundNode
	here  bool // inside a node
	inSet bool
	bad   bool // its coordinates are wrong
	tags  osm.Tags
}

// nodesPerBatch is how many needed nodes an XML file hands on at once.
const nodesPerBatch = 8192

// nodes hands the needed nodes and the places to sink, in the order of the
// file.
func (f *xmlFile) nodes(ctx context.Context, need *idSet, sink nodeSink) error {
	n := &xmlNodes{need: need, sink: sink, batch: &nodeBatch{}}
	at := func(done int64) { n.batch.end = done }
	if err := f.each(ctx, at, n); err != nil {
		return err
	}
	n.batch.end = f.size
	sink.nodes(n.batch)
	return nil
}

func (n *xmlNodes) start(x *xmlReader, t *xmlTag) (err error) {
	switch {
	case t.depth == 2 && t.name == "node":
		return n.startNode(x)
	case t.depth == 3 && n.here && t.name == "tag":
		n.tags, err = x.addTag(n.tags)
	}
	return err
}

func (n *xmlNodes) startNode(x *xmlReader) (err error) {
	if n.id, err = x.id(); err != nil {
		return err
	}
	if x.deleted() {
		return nil
	}
	n.batch.read++
	n.batch.order.see(objectNode, n.id)
	n.batch.negative.seeNegative(objectNode, n.id)
	slot, ok := n.need.find(n.id)
	n.here, n.inSet = true, ok
	n.found = foundNode{slot: uint32(slot)}
	n.tags = n.tags[:0]
	if n.here = ok || !x.tag.empty; !n.here {
		return nil
	}
	coord, inWorld := x.coord("lon", "lat")
	n.bad = !inWorld
	n.found.coord = coord
	return nil
}

func (n *xmlNodes) end(depth int) error {
	if depth != 2 || !n.here {
		return nil
	}
	n.here = false
	switch {
	case n.bad && n.inSet:
		n.batch.outside = append(n.batch.outside, objectKey{objectNode, n.id})
	case n.bad:
	case n.inSet:
		n.found.flags = nodeFlags(n.tags)
		n.batch.nodes = append(n.batch.nodes, n.found)
	}
	if p, ok := placeOf(n.id, n.found.coord, n.tags); ok && !n.bad {
		n.batch.places = append(n.batch.places, p)
	}
	if len(n.batch.nodes)+len(n.batch.places) >= nodesPerBatch {
		n.sink.nodes(n.batch)
		n.batch = &nodeBatch{}
	}
	return nil
}

// xmlAllNodes gathers every node of a file.
type xmlAllNodes struct {
	take nodeTaker
	id   int64
	at   roadnet.Coord
	tags osm.Tags
	here bool // inside a node that lies in the world
}

// allNodes hands every node that lies in the world to take, in the order of the
// file.
func (f *xmlFile) allNodes(ctx context.Context, take nodeTaker) error {
	return f.each(ctx, func(int64) {}, &xmlAllNodes{take: take})
}

func (n *xmlAllNodes) start(x *xmlReader, t *xmlTag) (err error) {
	switch {
	case t.depth == 2 && t.name == "node":
		n.id, err = x.id()
		n.at, n.here = x.coord("lon", "lat")
		n.here = n.here && !x.deleted()
		n.tags = n.tags[:0]
	case t.depth == 3 && n.here && t.name == "tag":
		n.tags, err = x.addTag(n.tags)
	}
	return err
}

func (n *xmlAllNodes) end(depth int) error {
	if depth == 2 && n.here {
		n.take(n.id, n.at, n.tags)
		n.here = false
	}
	return nil
}
