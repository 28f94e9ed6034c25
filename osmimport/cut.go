package osmimport

import (
	"compress/gzip"
	"context"
	"os"
	"strings"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/paulmach/osm/osmxml"

	"retrace/engine/roadnet"
)

// Cut is what of an extract, .osm.pbf or .osm.gz, lies in an area of which inside
// tells by longitude and latitude in degrees: the nodes, the ways that use two of
// them or more, and all restrictions of turns. Ways name the nodes outside too: the
// import cuts them there. The nodes of the file must stand before the ways.
func Cut(ctx context.Context, in *os.File, inside func(lon, lat float64) bool) (Objects, error) {
	scanner, err := scan(ctx, in)
	if err != nil {
		return Objects{}, err
	}
	defer scanner.Close()
	var kept Objects
	known := map[int64]bool{}
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			if inside(o.Lon, o.Lat) {
				known[int64(o.ID)] = true
				at := roadnet.CoordOf(roadnet.Point{Lon: o.Lon, Lat: o.Lat})
				kept.Nodes = append(kept.Nodes, Node{ID: int64(o.ID), Coord: at, Tags: tagsToWrite(o.Tags)})
			}
		case *osm.Way:
			if way := wayToWrite(o); uses(known, way.Nodes) >= 2 {
				kept.Ways = append(kept.Ways, way)
			}
		case *osm.Relation:
			if o.Tags.Find("type") == "restriction" {
				kept.Relations = append(kept.Relations, relationToWrite(o))
			}
		}
	}
	return kept, scanner.Err()
}

func scan(ctx context.Context, in *os.File) (osm.Scanner, error) {
	if strings.HasSuffix(in.Name(), ".pbf") {
		return osmpbf.New(ctx, in, 1), nil
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	return osmxml.New(ctx, unpacked), nil
}

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
