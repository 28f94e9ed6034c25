package osmimport

import (
	"cmp"
	"slices"
	"strings"

	"github.com/paulmach/osm"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// objectSink takes the ways and relations of a file. read and progress may be
// called while way or relation runs.
type objectSink interface {
	way(*osm.Way)
	relation(*osm.Relation)
	read(objectRun)
	progress(done int64)
}

// nodeSink takes the needed nodes of a file.
type nodeSink interface {
	nodes(*nodeBatch)
}

// nodeTaker takes a node of a file, where it lies, and its tags, which are its own
// until it returns.
type nodeTaker func(id int64, at roadnet.Coord, tags osm.Tags)

// waysRead says which ways of a file are read.
type waysRead uint8

const (
	drawnWays waysRead = iota // that may be roads or belong to the background
	everyWay
)

// draft is what the first pass keeps: roads, restrictions and shapes, with
// their nodes as ids only.
type draft struct {
	notes        *notes
	file         uint16 // under way
	roads        []draftRoad
	restrictions []draftRestriction
	shapes       []draftShape
	polygons     []draftPolygon
	lines        []draftLine // ways of no kind of their own that polygons need
	refs         refStore
	texts        map[string]string
}

// draftRoad is a way that cars may drive.
type draftRoad struct {
	id   int64
	file uint16
	dir  roadnet.Direction
	road roadnet.Road
	refs span
}

type draftRestriction struct {
	roadnet.Restriction
	file uint16
}

// draftShape is a way of the background.
type draftShape struct {
	id     int64
	file   uint16
	kind   basemap.Kind
	open   bool // tagged as an area, but not closed: of use to polygons only
	inPoly bool // drawn as part of a polygon
	name   string
	refs   span
}

// draftPolygon is a multipolygon relation. Where known is false its outer ways
// tell its kind.
type draftPolygon struct {
	id    int64
	file  uint16
	known bool
	kind  basemap.Kind
	name  string
	ways  []int64
}

type draftLine struct {
	id   int64
	file uint16
	refs span
}

func newDraft(n *notes) *draft { return &draft{notes: n, texts: map[string]string{}} }

// way sorts a way into the draft.
func (d *draft) way(w *osm.Way) {
	id, t := int64(w.ID), w.Tags
	closed := len(w.Nodes) > 3 && w.Nodes[0].ID == w.Nodes[len(w.Nodes)-1].ID
	if t.Find("highway") != "" {
		road, dir, reason := roadOf(t, closed)
		if reason == "" && len(w.Nodes) < 2 {
			reason = dropShort
		}
		if reason == "" {
			road.Name, road.Ref = d.text(road.Name), d.text(road.Ref)
			d.roads = append(d.roads, draftRoad{id, d.file, dir, road, d.refs.addWay(w.Nodes)})
			return
		}
		d.notes.drop(reason, objectKey{objectWay, id})
	}
	if t.Find("route") == "ferry" && carAccess(t, "") == accessYes {
		d.notes.drop(dropFerry, objectKey{objectWay, id})
	}
	kind, ok := wayShape(t, closed)
	if !ok || len(w.Nodes) < 2 {
		return
	}
	d.shapes = append(d.shapes, draftShape{id: id, file: d.file, kind: kind, open: kind.IsArea() && !closed,
		name: d.text(t.Find("name")), refs: d.refs.addWay(w.Nodes)})
}

// wayShape is the kind of background that a way is. A way that is not closed
// is a line first.
func wayShape(t osm.Tags, closed bool) (basemap.Kind, bool) {
	if !closed {
		if kind, ok := lineOf(t); ok {
			return kind, true
		}
	}
	return shapeOf(t)
}

// relation sorts a relation into the draft.
func (d *draft) relation(r *osm.Relation) {
	if strings.HasPrefix(r.Tags.Find("type"), "restriction") {
		res, reason := restrictionOf(r)
		if reason != "" {
			d.notes.drop(reason, objectKey{objectRelation, int64(r.ID)})
			return
		}
		d.restrictions = append(d.restrictions, draftRestriction{res, d.file})
		return
	}
	kind, known := shapeOf(r.Tags)
	if !known && len(r.Tags) > 1 || known && !kind.IsArea() {
		return
	}
	p := draftPolygon{id: int64(r.ID), file: d.file, known: known, kind: kind, name: d.text(r.Tags.Find("name"))}
	for _, m := range r.Members {
		if m.Type == osm.TypeWay {
			p.ways = append(p.ways, m.Ref)
		}
	}
	if len(p.ways) > 0 {
		d.polygons = append(d.polygons, p)
	}
}

// text is a name as it is kept: one string for all that are alike, without
// what is no UTF-8.
func (d *draft) text(s string) string {
	if s == "" {
		return ""
	}
	if known, ok := d.texts[s]; ok {
		return known
	}
	clean := strings.Clone(strings.ToValidUTF8(s, "\uFFFD"))
	d.texts[clean] = clean
	return clean
}

// unique leaves out what comes more than once, keeping the first, and puts all
// in the order of ids.
func (d *draft) unique() {
	d.roads = uniqueByID(d, d.roads, objectWay, func(r draftRoad) (int64, uint16) { return r.id, r.file })
	d.shapes = uniqueByID(d, d.shapes, objectWay, func(s draftShape) (int64, uint16) { return s.id, s.file })
	d.polygons = uniqueByID(d, d.polygons, objectRelation, func(p draftPolygon) (int64, uint16) { return p.id, p.file })
	d.restrictions = uniqueByID(d, d.restrictions, objectRelation, func(r draftRestriction) (int64, uint16) { return r.ID, r.file })
}

// uniqueByID sorts by id, stably, keeps the first of each, and counts the rest.
func uniqueByID[T any](d *draft, all []T, typ objectType, key func(T) (id int64, file uint16)) []T {
	compare := func(a, b T) int {
		x, _ := key(a)
		y, _ := key(b)
		return cmp.Compare(x, y)
	}
	if !slices.IsSortedFunc(all, compare) {
		slices.SortStableFunc(all, compare)
	}
	n := 0
	for i := range all {
		id, file := key(all[i])
		if n > 0 {
			if kept, keptFile := key(all[n-1]); kept == id {
				d.notes.duplicate(objectKey{typ, id}, file == keptFile)
				continue
			}
		}
		all[n] = all[i]
		n++
	}
	clear(all[n:])
	return all[:n]
}
