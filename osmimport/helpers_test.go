package osmimport

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"retrace/engine/roadnet"
)

// pbfOptions says how to write a PBF file; the zero value is the common way.
type pbfOptions struct {
	plainNodes bool
	raw        bool // blobs not packed
	perBlock   int  // objects; 0: 8000
	box        *roadnet.Bounds
	features   []string
	gran       int64
	mixed      bool // all kinds of objects in one block
}

// encodePBF writes objects as a PBF file.
func encodePBF(o Objects, opt pbfOptions) []byte {
	if opt.perBlock == 0 {
		opt.perBlock = 8000
	}
	if opt.gran == 0 {
		opt.gran = 100
	}
	out := appendFrame(nil, "OSMHeader", encodeHeader(opt), opt.raw)
	if opt.mixed {
		b := newPBFEncoder(opt)
		return appendFrame(out, "OSMData", b.block(b.nodes(o.Nodes), b.ways(o.Ways), b.relations(o.Relations)), opt.raw)
	}
	for part := range chunks(o.Nodes, opt.perBlock) {
		b := newPBFEncoder(opt)
		out = appendFrame(out, "OSMData", b.block(b.nodes(part)), opt.raw)
	}
	for part := range chunks(o.Ways, opt.perBlock) {
		b := newPBFEncoder(opt)
		out = appendFrame(out, "OSMData", b.block(b.ways(part)), opt.raw)
	}
	for part := range chunks(o.Relations, opt.perBlock) {
		b := newPBFEncoder(opt)
		out = appendFrame(out, "OSMData", b.block(b.relations(part)), opt.raw)
	}
	return out
}

func chunks[T any](all []T, n int) func(func([]T) bool) {
	return func(yield func([]T) bool) {
		for len(all) > 0 {
			k := min(n, len(all))
			if !yield(all[:k]) {
				return
			}
			all = all[k:]
		}
	}
}

func encodeHeader(opt pbfOptions) []byte {
	var h []byte
	if b := opt.box; b != nil {
		var box []byte
		for i, v := range [...]float64{b.MinLon, b.MaxLon, b.MaxLat, b.MinLat} {
			box = protowire.AppendTag(box, protowire.Number(i+1), protowire.VarintType)
			box = protowire.AppendVarint(box, protowire.EncodeZigZag(int64(v*1e9)))
		}
		h = bytesField(h, 1, box)
	}
	for _, f := range append([]string{"OsmSchema-V0.6", "DenseNodes"}, opt.features...) {
		h = bytesField(h, 4, []byte(f))
	}
	h = bytesField(h, 16, []byte("test"))
	h = protowire.AppendTag(h, 32, protowire.VarintType)
	return protowire.AppendVarint(h, 1700000000)
}

// appendFrame appends one frame of a PBF file.
func appendFrame(out []byte, kind string, block []byte, raw bool) []byte {
	var blob []byte
	if raw {
		blob = bytesField(nil, 1, block)
	} else {
		blob = protowire.AppendTag(nil, 2, protowire.VarintType)
		blob = protowire.AppendVarint(blob, uint64(len(block)))
		blob = bytesField(blob, 3, deflate(block))
	}
	return appendBlob(out, kind, blob)
}

func appendBlob(out []byte, kind string, blob []byte) []byte {
	h := bytesField(nil, 1, []byte(kind))
	h = protowire.AppendTag(h, 3, protowire.VarintType)
	h = protowire.AppendVarint(h, uint64(len(blob)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(h)))
	return append(append(out, h...), blob...)
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func bytesField(out []byte, num protowire.Number, data []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(out, num, protowire.BytesType), data)
}

// pbfEncoder writes one block.
type pbfEncoder struct {
	opt     pbfOptions
	strings []string
	number  map[string]uint64
}

func newPBFEncoder(opt pbfOptions) *pbfEncoder {
	return &pbfEncoder{opt: opt, strings: []string{""}, number: map[string]uint64{}}
}

func (e *pbfEncoder) str(s string) uint64 {
	n, ok := e.number[s]
	if !ok {
		n = uint64(len(e.strings))
		e.number[s] = n
		e.strings = append(e.strings, s)
	}
	return n
}

func (e *pbfEncoder) block(groups ...[]byte) []byte {
	var table, out []byte
	for _, s := range e.strings {
		table = bytesField(table, 1, []byte(s))
	}
	out = bytesField(out, 1, table)
	for _, g := range groups {
		if len(g) > 0 {
			out = bytesField(out, 2, g)
		}
	}
	out = protowire.AppendTag(out, 17, protowire.VarintType)
	return protowire.AppendVarint(out, uint64(e.opt.gran))
}

func (e *pbfEncoder) keyvals(tags []Tag) (keys, vals []byte) {
	for _, t := range tags {
		keys = protowire.AppendVarint(keys, e.str(t.Key))
		vals = protowire.AppendVarint(vals, e.str(t.Value))
	}
	return keys, vals
}

func (e *pbfEncoder) nodes(nodes []Node) []byte {
	scale := func(v int32) int64 { return int64(v) * 100 / e.opt.gran }
	if e.opt.plainNodes {
		var out []byte
		for _, n := range nodes {
			var m []byte
			for i, v := range map[protowire.Number]int64{1: n.ID, 8: scale(n.Coord.Lat), 9: scale(n.Coord.Lon)} {
				m = protowire.AppendTag(m, i, protowire.VarintType)
				m = protowire.AppendVarint(m, protowire.EncodeZigZag(v))
			}
			keys, vals := e.keyvals(n.Tags)
			m = bytesField(bytesField(m, 2, keys), 3, vals)
			out = bytesField(out, 1, m)
		}
		return out
	}
	var ids, lats, lons, tags []byte
	var id, lat, lon int64
	for _, n := range nodes {
		ids = protowire.AppendVarint(ids, protowire.EncodeZigZag(n.ID-id))
		lats = protowire.AppendVarint(lats, protowire.EncodeZigZag(scale(n.Coord.Lat)-lat))
		lons = protowire.AppendVarint(lons, protowire.EncodeZigZag(scale(n.Coord.Lon)-lon))
		id, lat, lon = n.ID, scale(n.Coord.Lat), scale(n.Coord.Lon)
		for _, t := range n.Tags {
			tags = protowire.AppendVarint(tags, e.str(t.Key))
			tags = protowire.AppendVarint(tags, e.str(t.Value))
		}
		tags = append(tags, 0)
	}
	dense := bytesField(nil, 1, ids)
	dense = bytesField(bytesField(bytesField(dense, 8, lats), 9, lons), 10, tags)
	return bytesField(nil, 2, dense)
}

func (e *pbfEncoder) ways(ways []Way) []byte {
	var out []byte
	for _, w := range ways {
		m := protowire.AppendTag(nil, 1, protowire.VarintType)
		m = protowire.AppendVarint(m, uint64(w.ID))
		keys, vals := e.keyvals(w.Tags)
		m = bytesField(bytesField(m, 2, keys), 3, vals)
		var refs []byte
		last := int64(0)
		for _, n := range w.Nodes {
			refs = protowire.AppendVarint(refs, protowire.EncodeZigZag(n-last))
			last = n
		}
		out = bytesField(out, 3, bytesField(m, 8, refs))
	}
	return out
}

func (e *pbfEncoder) relations(relations []Relation) []byte {
	var out []byte
	for _, r := range relations {
		m := protowire.AppendTag(nil, 1, protowire.VarintType)
		m = protowire.AppendVarint(m, uint64(r.ID))
		keys, vals := e.keyvals(r.Tags)
		m = bytesField(bytesField(m, 2, keys), 3, vals)
		var roles, ids, types []byte
		last := int64(0)
		for _, x := range r.Members {
			roles = protowire.AppendVarint(roles, e.str(x.Role))
			ids = protowire.AppendVarint(ids, protowire.EncodeZigZag(x.Ref-last))
			types = protowire.AppendVarint(types, map[string]uint64{"node": 0, "way": 1, "relation": 2}[x.Type])
			last = x.Ref
		}
		m = bytesField(bytesField(bytesField(m, 8, roles), 9, ids), 10, types)
		out = bytesField(out, 4, m)
	}
	return out
}

// town is a small place with everything that an import looks at: a grid of
// streets, restrictions, signals, a lake with an island, buildings, a place.
func town(size int, seed uint64) Objects {
	rng := rand.New(rand.NewPCG(seed, 0))
	var o Objects
	node := func(x, y int) int64 { return int64(y*size + x + 1) }
	for y := range size {
		for x := range size {
			n := Node{ID: node(x, y), Coord: roadnet.Coord{Lon: int32(85e6 + x*12000), Lat: int32(411e6 + y*9000)}}
			switch rng.IntN(12) {
			case 0:
				n.Tags = []Tag{{"highway", "traffic_signals"}}
			case 1:
				n.Tags = []Tag{{"highway", "stop"}, {"direction", "forward"}}
			case 2:
				n.Tags = []Tag{{"barrier", "bollard"}}
			}
			o.Nodes = append(o.Nodes, n)
		}
	}
	classes := []string{"residential", "tertiary", "secondary", "footway", "service", "primary"}
	for i := range size {
		row, col := Way{ID: int64(2*i + 1)}, Way{ID: int64(2*i + 2)}
		for j := range size {
			row.Nodes = append(row.Nodes, node(j, i))
			col.Nodes = append(col.Nodes, node(i, j))
		}
		row.Tags = []Tag{{"highway", classes[rng.IntN(len(classes))]}, {"name", "Row Street"}, {"maxspeed", "30"}}
		col.Tags = []Tag{{"highway", classes[rng.IntN(len(classes))]}, {"oneway", "yes"}}
		o.Ways = append(o.Ways, row, col)
	}
	first := int64(size*size + 1)
	ring := func(id int64, x, y, w int, tags ...Tag) {
		way := Way{ID: id, Tags: tags}
		for _, d := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			o.Nodes = append(o.Nodes, Node{ID: first, Coord: roadnet.Coord{Lon: int32(85e6 + x + d[0]*w), Lat: int32(411e6 + y + d[1]*w)}})
			way.Nodes = append(way.Nodes, first)
			first++
		}
		way.Nodes = append(way.Nodes, way.Nodes[0])
		o.Ways = append(o.Ways, way)
	}
	ring(1001, 1000, 1000, 5000, Tag{"building", "yes"})
	ring(1002, 20000, 20000, 9000)
	ring(1003, 22000, 22000, 2000)
	ring(1004, 40000, 20000, 9000, Tag{"leisure", "park"}, Tag{"name", "Park <&> \"Garden\""})
	o.Nodes = append(o.Nodes, Node{ID: first, Coord: roadnet.Coord{Lon: 85e6, Lat: 411e6}, Tags: []Tag{{"name", "Town"}, {"place", "town"}}})
	o.Relations = []Relation{
		{ID: 1, Members: []Member{{"way", 1, "from"}, {"node", 2, "via"}, {"way", 4, "to"}}, Tags: []Tag{{"type", "restriction"}, {"restriction", "no_right_turn"}}},
		{ID: 2, Members: []Member{{"way", 1002, "outer"}, {"way", 1003, "inner"}}, Tags: []Tag{{"natural", "water"}, {"type", "multipolygon"}}},
	}
	return o
}

func encodeXML(o Objects) []byte {
	var b bytes.Buffer
	if err := WriteXML(&b, o); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// writeFile writes a file into the test's folder.
func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustImport imports files that must be right.
func mustImport(t testing.TB, paths ...string) *Result {
	t.Helper()
	r, err := Import(context.Background(), paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// count is how often a report met something.
func count(items []Item, what string) int64 {
	for _, it := range items {
		if it.What == what {
			return it.Count
		}
	}
	return 0
}
