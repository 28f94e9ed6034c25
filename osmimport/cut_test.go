package osmimport

import (
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"retrace/engine/roadnet"
)

func TestAPieceOfAnExtractHasTheWaysThatRunThroughIt(t *testing.T) {
	at := func(id int64, lon float64) Node { return Node{ID: id, Coord: roadnet.CoordOf(roadnet.Point{Lon: lon})} }
	file := filepath.Join(t.TempDir(), "whole.osm.gz")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(out)
	road := []Tag{{"highway", "primary"}}
	err = WriteXML(packed, Objects{
		Nodes:     []Node{at(1, 0.1), at(2, 0.2), at(3, 5), at(4, 6)},
		Ways:      []Way{{10, []int64{1, 2, 3}, road}, {11, []int64{2, 3}, road}, {12, []int64{3, 4}, road}},
		Relations: []Relation{{20, []Member{{"way", 10, "from"}}, []Tag{{"type", "restriction"}}}, {21, nil, []Tag{{"type", "route"}}}},
	})
	if err == nil {
		err = packed.Close()
	}
	if closing := out.Close(); err != nil || closing != nil {
		t.Fatal(err, closing)
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	got, err := Cut(context.Background(), in, func(lon, _ float64) bool { return lon < 1 })
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Nodes) != 2 || got.Nodes[1].Coord != at(2, 0.2).Coord {
		t.Errorf("nodes %+v, want 1 and 2", got.Nodes)
	}
	if len(got.Ways) != 1 || !slices.Equal(got.Ways[0].Nodes, []int64{1, 2, 3}) || got.Ways[0].Tags[0] != road[0] {
		t.Errorf("ways %+v, want 10 with all its nodes", got.Ways)
	}
	if len(got.Relations) != 1 || got.Relations[0].ID != 20 || got.Relations[0].Members[0].Role != "from" {
		t.Errorf("relations %+v, want the restriction", got.Relations)
	}
}
