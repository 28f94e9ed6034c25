package osmimport

import (
	"context"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// Cut is what of the extract at path lies in an area of which inside tells by
// longitude and latitude in degrees: the nodes, the ways that use two of them or
// more, and all restrictions of turns. Ways name the nodes outside too: the import
// cuts them there. The file is read in two passes, within the limits of an import,
// and its errors are those of an import.
func Cut(ctx context.Context, path string, inside func(lon, lat float64) bool) (Objects, error) {
	f, err := openExtract(path, Limits{}.withDefaults())
	if err != nil {
		return Objects{}, err
	}
	defer f.close()
	c := &cut{known: map[int64]bool{}}
	nodes := func(id int64, at roadnet.Coord, tags osm.Tags) {
		if p := at.Point(); inside(p.Lon, p.Lat) {
			c.known[id] = true
			c.kept.Nodes = append(c.kept.Nodes, Node{ID: id, Coord: at, Tags: tagsToWrite(tags)})
		}
	}
	if err := protect(func() error { return f.allNodes(ctx, nodes) }); err != nil {
		return Objects{}, err
	}
	if err := f.objects(ctx, everyWay, c); err != nil {
		return Objects{}, err
	}
	return c.kept, nil
}

// cut takes the objects of an area, its nodes known.
type cut struct {
	kept  Objects
	known map[int64]bool
}

func (c *cut) way(o *osm.Way) {
	if way := wayToWrite(o); uses(c.known, way.Nodes) >= 2 {
		c.kept.Ways = append(c.kept.Ways, way)
	}
}

func (c *cut) relation(o *osm.Relation) {
	if o.Tags.Find("type") == "restriction" {
		c.kept.Relations = append(c.kept.Relations, relationToWrite(o))
	}
}

func (c *cut) read(objectRun) {}
func (c *cut) progress(int64) {}

func uses(known map[int64]bool, nodes []int64) (n int) {
	for _, id := range nodes {
		if known[id] {
			n++
		}
	}
	return n
}

func wayToWrite(o *osm.Way) Way {
	way := Way{ID: int64(o.ID), Tags: tagsToWrite(o.Tags)}
	for _, n := range o.Nodes {
		way.Nodes = append(way.Nodes, int64(n.ID))
	}
	return way
}

func relationToWrite(o *osm.Relation) Relation {
	r := Relation{ID: int64(o.ID), Tags: tagsToWrite(o.Tags)}
	for _, m := range o.Members {
		r.Members = append(r.Members, Member{Type: string(m.Type), Ref: m.Ref, Role: m.Role})
	}
	return r
}

func tagsToWrite(all osm.Tags) (out []Tag) {
	for _, t := range all {
		out = append(out, Tag{Key: t.Key, Value: t.Value})
	}
	return out
}
