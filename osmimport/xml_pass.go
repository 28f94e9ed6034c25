package osmimport

import (
	"context"
	"fmt"

	"github.com/paulmach/osm"
)

// xmlObjects gathers the ways and relations of a file.
type xmlObjects struct {
	file *xmlFile
	sel  selection
	sink objectSink
	kind objectType
	open bool // inside a wanted object
	way  osm.Way
	rel  osm.Relation
	read Counts
	run  orderRun
	neg  negatives
}

// objects hands the wanted ways and relations to sink, in the order of the
// file.
func (f *xmlFile) objects(ctx context.Context, sel selection, sink objectSink) error {
	o := &xmlObjects{file: f, sel: sel, sink: sink}
	if err := f.each(ctx, sink.progress, o.start, o.end); err != nil {
		return err
	}
	if sel.firstPass {
		sink.read(o.read, o.run, o.neg)
	}
	sink.progress(f.size)
	return nil
}

func (o *xmlObjects) start(x *xmlReader, t *xmlTag) error {
	if t.depth == 2 {
		return o.startObject(x, t)
	}
	if !o.open || t.depth != 3 {
		return nil
	}
	var err error
	switch {
	case t.name == "tag" && o.kind == objectWay:
		o.way.Tags, err = x.addTag(o.way.Tags)
	case t.name == "tag":
		o.rel.Tags, err = x.addTag(o.rel.Tags)
	case t.name == "nd" && o.kind == objectWay:
		err = o.addRef(x)
	case t.name == "member" && o.kind == objectRelation:
		err = o.addMember(x)
	}
	return err
}

func (o *xmlObjects) startObject(x *xmlReader, t *xmlTag) error {
	switch t.name {
	case "way":
		o.kind = objectWay
	case "relation":
		o.kind = objectRelation
	default:
		if o.sel.firstPass && t.name != "node" {
			o.file.header(x, t)
		}
		return nil
	}
	id, err := x.id()
	if err != nil {
		return err
	}
	if x.deleted() {
		return nil
	}
	o.run.see(o.kind, id)
	o.neg.see(o.kind, id)
	if o.kind == objectWay {
		o.read.Ways++
		o.open = o.sel.ways == nil || o.sel.ways.has(id)
		o.way = osm.Way{ID: osm.WayID(id), Nodes: o.way.Nodes[:0], Tags: o.way.Tags[:0]}
		return nil
	}
	o.read.Relations++
	o.open = o.sel.ways == nil
	o.rel = osm.Relation{ID: osm.RelationID(id), Members: o.rel.Members[:0], Tags: o.rel.Tags[:0]}
	return nil
}

func (o *xmlObjects) addRef(x *xmlReader) error {
	if len(o.way.Nodes) == x.limits.Refs {
		return x.fail(fmt.Sprintf("way %d has more nodes than the limit of %d", o.way.ID, x.limits.Refs), adviceLimit)
	}
	id, err := x.ref()
	o.way.Nodes = append(o.way.Nodes, osm.WayNode{ID: osm.NodeID(id)})
	return err
}

func (o *xmlObjects) addMember(x *xmlReader) error {
	if len(o.rel.Members) == x.limits.Refs {
		return x.fail(fmt.Sprintf("relation %d has more members than the limit of %d", o.rel.ID, x.limits.Refs), adviceLimit)
	}
	id, err := x.ref()
	if err != nil {
		return err
	}
	typ, err := x.str("type")
	if err != nil {
		return err
	}
	role, err := x.str("role")
	o.rel.Members = append(o.rel.Members, osm.Member{Type: osm.Type(typ), Ref: id, Role: role})
	return err
}

// end hands the object that ends to the sink, if it is wanted.
func (o *xmlObjects) end(depth int) error {
	if depth != 2 || !o.open {
		return nil
	}
	o.open = false
	if o.kind == objectWay {
		if o.sel.ways != nil || hasWantedKey(o.way.Tags) {
			o.sink.way(&o.way)
		}
		return nil
	}
	if isWantedType([]byte(o.rel.Tags.Find("type"))) {
		o.sink.relation(&o.rel)
	}
	return nil
}

func hasWantedKey(t osm.Tags) bool {
	for _, tag := range t {
		if isWantedKey([]byte(tag.Key)) {
			return true
		}
	}
	return false
}

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
	if err := f.each(ctx, at, n.start, n.end); err != nil {
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
	n.batch.negative.see(objectNode, n.id)
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
