package osmimport

import (
	"context"

	"github.com/paulmach/osm"
)

// xmlObjects gathers the ways and relations of a file.
type xmlObjects struct {
	file  *xmlFile
	which waysRead
	sink  objectSink
	kind  objectType
	open  bool // inside a wanted object
	large bool // with more references than the limit
	way   osm.Way
	rel   osm.Relation
	run   objectRun
}

// objects hands the wanted ways and relations to sink, in the order of the
// file.
func (f *xmlFile) objects(ctx context.Context, which waysRead, sink objectSink) error {
	o := &xmlObjects{file: f, which: which, sink: sink}
	if err := f.each(ctx, sink.progress, o); err != nil {
		return err
	}
	sink.read(o.run)
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
		if t.name != "node" {
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
	o.open, o.large = true, false
	if o.kind == objectWay {
		o.run.read.Ways++
		o.way = osm.Way{ID: osm.WayID(id), Nodes: o.way.Nodes[:0], Tags: o.way.Tags[:0]}
		return nil
	}
	o.run.read.Relations++
	o.rel = osm.Relation{ID: osm.RelationID(id), Members: o.rel.Members[:0], Tags: o.rel.Tags[:0]}
	return nil
}

func (o *xmlObjects) addRef(x *xmlReader) error {
	if len(o.way.Nodes) == x.limits.Refs {
		o.large = true
		return nil
	}
	id, err := x.ref()
	o.way.Nodes = append(o.way.Nodes, osm.WayNode{ID: osm.NodeID(id)})
	return err
}

func (o *xmlObjects) addMember(x *xmlReader) error {
	if len(o.rel.Members) == x.limits.Refs {
		o.large = true
		return nil
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
	switch {
	case o.kind == objectWay && o.which != everyWay && !hasWantedKey(o.way.Tags),
		o.kind == objectRelation && !isWantedType(o.rel.Tags.Find("type")):
	case o.large && o.kind == objectWay:
		o.run.large.add(o.kind, int64(o.way.ID))
	case o.large:
		o.run.large.add(o.kind, int64(o.rel.ID))
	case o.kind == objectWay:
		o.sink.way(&o.way)
	default:
		o.sink.relation(&o.rel)
	}
	return nil
}

func hasWantedKey(t osm.Tags) bool {
	for _, tag := range t {
		if isWantedKey(tag.Key) {
			return true
		}
	}
	return false
}
