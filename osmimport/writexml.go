package osmimport

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"

	"retrace/engine/roadnet"
)

// Tag is one key and value of an object to write.
type Tag struct{ Key, Value string }

// Node is a node to write.
type Node struct {
	ID    int64
	Coord roadnet.Coord
	Tags  []Tag
}

// Way is a way to write.
type Way struct {
	ID    int64
	Nodes []int64
	Tags  []Tag
}

// Member is one member of a relation to write. Type is "node", "way" or
// "relation".
type Member struct {
	Type string
	Ref  int64
	Role string
}

// Relation is a relation to write.
type Relation struct {
	ID      int64
	Members []Member
	Tags    []Tag
}

// Objects is the content of an extract, to be written in this order.
type Objects struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
}

// WriteXML writes objects as an OSM XML file of version 0.6, with the box of
// the nodes. The error is the writer's.
func WriteXML(w io.Writer, o Objects) error {
	x := &xmlWriter{w: bufio.NewWriter(w)}
	x.text(xml.Header, `<osm version="0.6" generator="retrace">`, "\n")
	x.bounds(o.Nodes)
	for i := range o.Nodes {
		n := &o.Nodes[i]
		x.text(` <node id="`, strconv.FormatInt(n.ID, 10), `" version="1" lat="`, degrees(n.Coord.Lat), `" lon="`, degrees(n.Coord.Lon), `"`)
		x.children("node", n.Tags, 0, nil)
	}
	for i := range o.Ways {
		way := &o.Ways[i]
		x.text(` <way id="`, strconv.FormatInt(way.ID, 10), `" version="1"`)
		x.children("way", way.Tags, len(way.Nodes), func(j int) {
			x.text(`  <nd ref="`, strconv.FormatInt(way.Nodes[j], 10), "\"/>\n")
		})
	}
	for i := range o.Relations {
		r := &o.Relations[i]
		x.text(` <relation id="`, strconv.FormatInt(r.ID, 10), `" version="1"`)
		x.children("relation", r.Tags, len(r.Members), func(j int) {
			m := r.Members[j]
			x.text(`  <member type="`)
			x.escape(m.Type)
			x.text(`" ref="`, strconv.FormatInt(m.Ref, 10), `" role="`)
			x.escape(m.Role)
			x.text("\"/>\n")
		})
	}
	x.text("</osm>\n")
	return x.w.Flush()
}

// xmlWriter writes; its errors come out with Flush.
type xmlWriter struct{ w *bufio.Writer }

func (x *xmlWriter) text(parts ...string) {
	for _, s := range parts {
		x.w.WriteString(s)
	}
}

func (x *xmlWriter) escape(s string) { xml.EscapeText(x.w, []byte(s)) }

// children closes the start tag under way, and writes n children, the tags and
// the end tag, if there are any.
func (x *xmlWriter) children(element string, tags []Tag, n int, child func(int)) {
	if n == 0 && len(tags) == 0 {
		x.text("/>\n")
		return
	}
	x.text(">\n")
	for i := range n {
		child(i)
	}
	for _, t := range tags {
		x.text(`  <tag k="`)
		x.escape(t.Key)
		x.text(`" v="`)
		x.escape(t.Value)
		x.text("\"/>\n")
	}
	x.text(" </", element, ">\n")
}

func (x *xmlWriter) bounds(nodes []Node) {
	if len(nodes) == 0 {
		return
	}
	lo, hi := nodes[0].Coord, nodes[0].Coord
	for _, n := range nodes {
		lo = roadnet.Coord{Lon: min(lo.Lon, n.Coord.Lon), Lat: min(lo.Lat, n.Coord.Lat)}
		hi = roadnet.Coord{Lon: max(hi.Lon, n.Coord.Lon), Lat: max(hi.Lat, n.Coord.Lat)}
	}
	x.text(` <bounds minlat="`, degrees(lo.Lat), `" minlon="`, degrees(lo.Lon),
		`" maxlat="`, degrees(hi.Lat), `" maxlon="`, degrees(hi.Lon), "\"/>\n")
}

// degrees writes a coordinate with its seven digits.
func degrees(v int32) string { return strconv.FormatFloat(float64(v)/1e7, 'f', 7, 64) }
