package roadnet

import (
	"fmt"
	"reflect"
)

// Column is one array of a network's content, for storage. Data is one of
// []uint8, []int8, []uint16, []uint32, []int32, []int64, []uint64, []float32.
type Column struct {
	Name string
	Data any
}

// columns is the content of a network: what is stored and fingerprinted.
// Everything else is derived from it.
type columns struct {
	// Per line.
	lineStart []uint32 // first vertex; one more entry than lines
	lineWay   []int64
	lineFrom  []uint32 // node; numbered in order of appearance
	lineTo    []uint32
	lineDir   []uint8 // Direction
	class     []uint8
	flags     []uint32
	layer     []int8
	lanes     []uint8
	limitF    []uint8
	limitB    []uint8
	name      []uint32 // text
	ref       []uint32

	// Per vertex. No two vertices in a row are at the same place.
	coords  []Coord
	vertOSM []int64
	vertFlg []uint16

	// Names and refs.
	textStart []uint32 // one more entry than texts
	text      string

	component []uint32 // per segment

	// Forbidden turns, pairs of segments in ascending order. A segment and its
	// reverse: no U-turn.
	turnFrom []uint32
	turnTo   []uint32

	// Forbidden paths, three segments or more each.
	pathStart []uint32 // one more entry than paths
	pathSeg   []uint32

	// Stretches where an elevated line runs close above a lower one.
	stretchDeck   []uint32  // line
	stretchGround []uint32  // line
	stretchPlace  []float32 // metres along: deck from, deck to, ground from, ground to of each
}

// columnField ties the name of a column to its array.
type columnField struct {
	name string
	data any // pointer to the array
}

// fields lists the columns that are stored as they are, in a fixed order.
func (c *columns) fields() []columnField {
	return []columnField{
		{"line.start", &c.lineStart}, {"line.way", &c.lineWay},
		{"line.from", &c.lineFrom}, {"line.to", &c.lineTo},
		{"line.direction", &c.lineDir}, {"line.class", &c.class},
		{"line.flags", &c.flags}, {"line.layer", &c.layer}, {"line.lanes", &c.lanes},
		{"line.limit_forward", &c.limitF}, {"line.limit_backward", &c.limitB},
		{"line.name", &c.name}, {"line.ref", &c.ref},
		{"vertex.osm", &c.vertOSM}, {"vertex.flags", &c.vertFlg},
		{"text.start", &c.textStart}, {"segment.component", &c.component},
		{"turn.from", &c.turnFrom}, {"turn.to", &c.turnTo},
		{"path.start", &c.pathStart}, {"path.segment", &c.pathSeg},
		{"stretch.deck", &c.stretchDeck}, {"stretch.ground", &c.stretchGround},
		{"stretch.place", &c.stretchPlace},
	}
}

// The columns that are stored in another form than they are used in.
const (
	columnLon  = "vertex.lon"
	columnLat  = "vertex.lat"
	columnText = "text.bytes"
)

// Columns is the content of the network for storage. Most are views of what
// the network uses, not to be modified.
func (n *Network) Columns() []Column { return n.columns.list() }

func (c *columns) list() []Column {
	var cols []Column
	for _, f := range c.fields() {
		cols = append(cols, Column{f.name, reflect.ValueOf(f.data).Elem().Interface()})
	}
	lon, lat := make([]int32, len(c.coords)), make([]int32, len(c.coords))
	for i, p := range c.coords {
		lon[i], lat[i] = p.Lon, p.Lat
	}
	return append(cols, Column{columnLon, lon}, Column{columnLat, lat}, Column{columnText, []uint8(c.text)})
}

// columnsFrom takes the columns of a list. The lengths and contents are not
// yet checked.
func columnsFrom(list []Column) (*columns, error) {
	byName := make(map[string]any, len(list))
	for _, col := range list {
		if _, ok := byName[col.Name]; ok {
			return nil, fmt.Errorf("column %s: given twice", col.Name)
		}
		byName[col.Name] = col.Data
	}
	c := new(columns)
	var lon, lat []int32
	var text []uint8
	fields := append(c.fields(), columnField{columnLon, &lon}, columnField{columnLat, &lat}, columnField{columnText, &text})
	for _, f := range fields {
		data, ok := byName[f.name]
		if !ok {
			return nil, fmt.Errorf("column %s: missing", f.name)
		}
		target := reflect.ValueOf(f.data).Elem()
		if reflect.TypeOf(data) != target.Type() {
			return nil, fmt.Errorf("column %s: holds %T where %s is needed", f.name, data, target.Type())
		}
		target.Set(reflect.ValueOf(data))
	}
	if len(list) != len(fields) {
		return nil, fmt.Errorf("%d columns where %d are needed", len(list), len(fields))
	}
	if len(lon) != len(lat) {
		return nil, fmt.Errorf("column %s: %d entries where %s has %d", columnLat, len(lat), columnLon, len(lon))
	}
	c.coords = make([]Coord, len(lon))
	for i := range lon {
		c.coords[i] = Coord{lon[i], lat[i]}
	}
	c.text = string(text)
	return c, nil
}
