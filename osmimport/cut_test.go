package osmimport

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/internal/canceltest"
)

// west is the area west of one degree.
func west(lon, _ float64) bool { return lon < 1 }

// anywhere is the whole world.
func anywhere(float64, float64) bool { return true }

func TestAPieceOfAnExtractHasTheWaysThatRunThroughIt(t *testing.T) {
	at := func(id int64, lon float64) Node { return Node{ID: id, Coord: roadnet.CoordOf(roadnet.Point{Lon: lon})} }
	road := []Tag{{"highway", "primary"}}
	whole := Objects{
		Nodes:     []Node{at(1, 0.1), at(2, 0.2), at(3, 5), at(4, 6)},
		Ways:      []Way{{10, []int64{1, 2, 3}, road}, {11, []int64{2, 3}, road}, {12, []int64{3, 4}, road}, {13, []int64{2, 1}, nil}},
		Relations: []Relation{{20, []Member{{"way", 10, "from"}}, []Tag{{"type", "restriction"}}}, {21, nil, []Tag{{"type", "route"}}}},
	}
	whole.Nodes[1].Tags = []Tag{{"highway", "traffic_signals"}}
	for name, data := range map[string][]byte{
		"a.osm.gz":  gzipped(encodeXML(whole)),
		"a.osm.pbf": encodePBF(whole, pbfOptions{}),
		"b.osm.pbf": encodePBF(whole, pbfOptions{mixed: true, plainNodes: true}),
	} {
		got, err := Cut(context.Background(), writeFile(t, name, data), west)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Nodes) != 2 || got.Nodes[1].Coord != at(2, 0.2).Coord || !slices.Equal(got.Nodes[1].Tags, whole.Nodes[1].Tags) {
			t.Errorf("%s: nodes %+v, want 1 and 2", name, got.Nodes)
		}
		if len(got.Ways) != 2 || !slices.Equal(got.Ways[0].Nodes, []int64{1, 2, 3}) || got.Ways[0].Tags[0] != road[0] || got.Ways[1].ID != 13 {
			t.Errorf("%s: ways %+v, want 10 with all its nodes, and 13", name, got.Ways)
		}
		if len(got.Relations) != 1 || got.Relations[0].ID != 20 || got.Relations[0].Members[0].Role != "from" {
			t.Errorf("%s: relations %+v, want the restriction", name, got.Relations)
		}
	}
}

// All of a town is cut out as it was written, from every format.
func TestAPieceIsTheSameFromEveryFormat(t *testing.T) {
	whole := town(12, 3)
	want := whole
	want.Relations = slices.DeleteFunc(slices.Clone(want.Relations), func(r Relation) bool { return r.Tags[0].Value != "restriction" })
	for name, data := range map[string][]byte{
		"xml":   encodeXML(whole),
		"pbf":   encodePBF(whole, pbfOptions{perBlock: 7}),
		"plain": encodePBF(whole, pbfOptions{plainNodes: true, raw: true}),
	} {
		got, err := Cut(context.Background(), writeFile(t, name, data), anywhere)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d nodes, %d ways, %d relations, error %v; want %d, %d, %d", name,
				len(got.Nodes), len(got.Ways), len(got.Relations), err, len(want.Nodes), len(want.Ways), len(want.Relations))
		}
	}
}

// A piece is cut out of files that are whole and within the limits, and of no others.
func TestAPieceOfABrokenExtractIsRefused(t *testing.T) {
	xml, pbf := gzipped(encodeXML(town(20, 1))), encodePBF(town(20, 1), pbfOptions{})
	nodes := blobFrame("OSMData", packedRaw(bytesField(bytesField(nil, 1, bytesField(nil, 1, nil)), 2, bytesField(nil, 2, denseNode([]byte{9, 9, 0})))))
	ways := blobFrame("OSMData", packedRaw(bytesField(bytesField(nil, 1, bytesField(nil, 1, nil)), 2, bytesField(nil, 3, bytesField(bytesField(nil, 2, []byte{9}), 3, []byte{0})))))
	for name, c := range map[string]struct {
		data    []byte
		problem string
	}{
		"gzip cut short":          {xml[:len(xml)/2], "too early"},
		"gzip bomb":               {gzipped([]byte("<osm>" + strings.Repeat(" ", 64<<20))), "unpack to more"},
		"PBF cut short":           {pbf[:len(pbf)-5], "inside a block"},
		"PBF bomb":                {blobFrame("OSMData", packedBlob(30<<20, deflate(make([]byte, 30<<20)))), "claims to unpack"},
		"PBF of a huge block":     {append(slices.Clone(pbf), 0x7f, 0, 0, 0, 1), "block header of"},
		"node tag without string": {nodes, "wrong content"},
		"way tag without string":  {ways, "wrong content"},
		"no extract":              {[]byte("id,time,lon,lat\n"), "not an OpenStreetMap extract"},
	} {
		before := totalAlloc()
		_, err := Cut(context.Background(), writeFile(t, "file", c.data), anywhere)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(format.Problem, c.problem) || format.Advice == "" {
			t.Errorf("%s: error %v, want %q", name, err, c.problem)
		}
		if used := totalAlloc() - before; used > 256<<20 {
			t.Errorf("%s: %d MiB allocated", name, used>>20)
		}
	}
	if _, err := Cut(context.Background(), "/no/such/file", anywhere); err == nil {
		t.Error("a file that is not there is cut")
	}
}

func TestNothingIsCutOnceCalledOff(t *testing.T) {
	for name, data := range map[string][]byte{"xml": encodeXML(town(12, 1)), "pbf": encodePBF(town(12, 1), pbfOptions{perBlock: 20})} {
		path := writeFile(t, name, data)
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Cut(ctx, path, func(float64, float64) bool { cancel(); return true })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := Cut(canceltest.After(0), path, anywhere); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
