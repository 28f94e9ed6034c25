package roadnet

import (
	"cmp"
	"context"
	"slices"
)

// rawLine is a stretch of a way between two nodes.
type rawLine struct {
	place       uint64 // on the Hilbert curve
	way         uint32
	first, last uint32 // vertices, both included
}

// compare orders lines along the curve, those at one place by way and vertex.
func (a rawLine) compare(b rawLine) int {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.way, b.way), cmp.Compare(a.first, b.first))
}

// split cuts the ways into lines and returns their columns; those of turns,
// components and stretches are still empty. It stops early when the context is
// done; the result is then not to be used.
func (b *Builder) split(ctx context.Context, report *BuildReport) columns {
	table := newNodeTable(len(b.nodes))
	b.cutAtMeridian(report)
	numbers := make([]uint32, len(b.nodes)) // vertex: number of its node
	for i := range b.ways {
		if i%1024 == 0 && ctx.Err() != nil {
			return newColumns(0, 0)
		}
		b.clean(&b.ways[i], table, numbers, report)
	}
	b.ways = slices.DeleteFunc(b.ways, func(w rawWay) bool {
		short := w.last-w.first < 2
		if short {
			report.ShortWays.add(w.id)
		}
		return short
	})
	for i, w := range b.ways {
		if i == 0 || w.id != b.ways[i-1].id { // else a piece of the same
			report.Ways++
		}
		for v := w.first; v < w.last; v++ {
			table.count(numbers[v], b.flags[v])
		}
	}
	lines := b.cut(table, numbers)
	slices.SortFunc(lines, rawLine.compare)
	return b.arrange(lines, table, numbers, report)
}

// clean drops the vertices of a way that repeat the one before, by node or by
// place, and numbers the nodes of the rest.
func (b *Builder) clean(w *rawWay, table *nodeTable, numbers []uint32, report *BuildReport) {
	kept := w.first
	for v := w.first; v < w.last; v++ {
		number := table.number(b.nodes[v])
		if kept > w.first {
			before := kept - 1
			switch {
			case b.nodes[before] == b.nodes[v]:
				report.DuplicateNodes.add(b.nodes[v])
				b.flags[before] |= b.flags[v]
				continue
			case b.coords[before] == b.coords[v]:
				report.ZeroLengthPieces.add(w.id)
				table.join(numbers[before], number)
				b.flags[before] |= b.flags[v]
				continue
			}
		}
		b.nodes[kept], b.coords[kept], b.flags[kept] = b.nodes[v], b.coords[v], b.flags[v]
		numbers[kept] = number
		kept++
	}
	w.last = kept
}

// cut cuts the ways at their ends, at junctions and at barriers.
func (b *Builder) cut(table *nodeTable, numbers []uint32) []rawLine {
	lines := make([]rawLine, 0, 2*len(b.ways))
	for i, w := range b.ways {
		first := w.first
		for v := w.first + 1; v < w.last; v++ {
			if v == w.last-1 || table.parts(numbers[v]) {
				middle := b.coords[first+(v-first)/2]
				lines = append(lines, rawLine{hilbert(middle), uint32(i), first, v})
				first = v
			}
		}
	}
	return lines
}

// arrange fills the columns from lines in their final order.
func (b *Builder) arrange(lines []rawLine, table *nodeTable, numbers []uint32, report *BuildReport) columns {
	c := newColumns(len(lines), b.countVertices(lines))
	namer := newNodeNamer(table, report)
	for _, l := range lines {
		w := &b.ways[l.way]
		c.addLine(w)
		c.lineFrom = append(c.lineFrom, namer.node(numbers[l.first], b.nodes[l.first]))
		c.lineTo = append(c.lineTo, namer.node(numbers[l.last], b.nodes[l.last]))
		c.coords = append(c.coords, b.coords[l.first:l.last+1]...)
		c.vertOSM = append(c.vertOSM, b.nodes[l.first:l.last+1]...)
		for _, f := range b.flags[l.first : l.last+1] {
			c.vertFlg = append(c.vertFlg, uint16(f))
		}
		c.lineStart = append(c.lineStart, uint32(len(c.coords)))
	}
	namer.reportBarriers()
	c.textStart, c.text = packTexts(b.texts.list, c.name, c.ref)
	return c
}

// countVertices is how many vertices lines have together.
func (b *Builder) countVertices(lines []rawLine) int {
	sum := 0
	for _, l := range lines {
		sum += int(l.last-l.first) + 1
	}
	return sum
}

// newColumns makes columns with room for some lines and vertices.
func newColumns(lines, vertices int) columns {
	return columns{
		lineStart: append(make([]uint32, 0, lines+1), 0),
		lineWay:   make([]int64, 0, lines),
		lineFrom:  make([]uint32, 0, lines),
		lineTo:    make([]uint32, 0, lines),
		lineDir:   make([]uint8, 0, lines),
		class:     make([]uint8, 0, lines),
		flags:     make([]uint32, 0, lines),
		layer:     make([]int8, 0, lines),
		lanes:     make([]uint8, 0, lines),
		limitF:    make([]uint8, 0, lines),
		limitB:    make([]uint8, 0, lines),
		name:      make([]uint32, 0, lines),
		ref:       make([]uint32, 0, lines),
		coords:    make([]Coord, 0, vertices),
		vertOSM:   make([]int64, 0, vertices),
		vertFlg:   make([]uint16, 0, vertices),
		textStart: []uint32{0, 0},
		pathStart: []uint32{0},
	}
}

// addLine appends what the way of a line says of it.
func (c *columns) addLine(w *rawWay) {
	flags := w.road.Flags &^ (FlagElevated | FlagAmbiguous)
	if elevated(w.road) {
		flags |= FlagElevated
	}
	c.lineWay = append(c.lineWay, w.id)
	c.lineDir = append(c.lineDir, uint8(w.dir))
	c.class = append(c.class, uint8(w.road.Class))
	c.flags = append(c.flags, uint32(flags))
	c.layer = append(c.layer, w.road.Layer)
	c.lanes = append(c.lanes, w.road.Lanes)
	c.limitF = append(c.limitF, w.road.LimitForward)
	c.limitB = append(c.limitB, w.road.LimitBackward)
	c.name = append(c.name, w.name)
	c.ref = append(c.ref, w.ref)
}
