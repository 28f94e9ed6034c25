package write

import (
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// vertex is a place on a driven path: an OSM node, or one of its two ends.
type vertex struct {
	roadnet.Point
	node  int64 // OSM id; 0 at the two ends, where they are exact positions
	way   int64 // OSM way that was driven to get here; at the start, the one driven on
	along float64
}

// walker walks along driven paths; it keeps its buffers.
type walker struct {
	net      *roadnet.Network
	segment  []roadnet.Vertex
	vertices []vertex
}

// path lists the vertices of a part in driving order, from its exact start to
// its exact end. Along counts metres from the start of the part. The list is
// valid until the next call.
func (w *walker) path(p trajectory.Part) []vertex {
	w.vertices = w.vertices[:0]
	if len(p.Segments) == 0 {
		return nil
	}
	first, last := p.Segments[0], p.Segments[len(p.Segments)-1]
	start := roadnet.Position{Segment: first, Ratio: p.StartRatio}
	end := roadnet.Position{Segment: last, Ratio: p.EndRatio}
	w.add(vertex{Point: w.net.At(start), way: w.net.Piece(start).Way})
	offset := -p.StartRatio * w.net.Length(first)
	for i, id := range p.Segments {
		from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		length := w.net.Length(id)
		w.drive(id, offset, from*length, to*length, i > 0)
		offset += length
	}
	length := offset - (1-p.EndRatio)*w.net.Length(last)
	w.add(vertex{Point: w.net.At(end), way: w.net.Piece(end).Way, along: max(0, length)})
	return w.vertices
}

// drive adds the vertices of a segment from metre to metre. The first vertex of
// a segment that follows another is the last one of that.
func (w *walker) drive(id roadnet.SegmentID, offset, from, to float64, follows bool) {
	w.segment = w.net.Vertices(id, w.segment[:0])
	line, _ := w.net.LineOf(id)
	way := w.net.LineWay(line)
	for i, v := range w.segment {
		if i == 0 && follows && !w.across(v) || v.Along < from {
			continue
		}
		if v.Along > to {
			break
		}
		w.add(vertex{Point: v.Coord.Point(), node: v.OSM, way: way, along: offset + v.Along})
	}
}

// across reports whether a vertex lies at the other side of the 180th meridian than
// the last one: where the road goes on there, both are of the path.
func (w *walker) across(v roadnet.Vertex) bool {
	last := w.vertices[len(w.vertices)-1]
	return math.Abs(last.Lon-v.Coord.Point().Lon) > 180
}

func (w *walker) add(v vertex) { w.vertices = append(w.vertices, v) }

// clip appends the points of a walked path from metre to metre.
func clip(path []vertex, from, to float64, buf []roadnet.Point) []roadnet.Point {
	add := func(p roadnet.Point) {
		if n := len(buf); n == 0 || roadnet.CoordOf(buf[n-1]) != roadnet.CoordOf(p) {
			buf = append(buf, p)
		}
	}
	for i, v := range path {
		if i > 0 && path[i-1].along < from && from < v.along {
			add(between(path[i-1], v, from))
		}
		if i > 0 && path[i-1].along < to && to < v.along {
			add(between(path[i-1], v, to))
		}
		if v.along >= from && v.along <= to {
			add(v.Point)
		}
	}
	return buf
}

// between is the point at a metre between two vertices.
func between(a, b vertex, along float64) roadnet.Point {
	t := (along - a.along) / (b.along - a.along)
	return roadnet.Point{Lon: a.Lon + t*(b.Lon-a.Lon), Lat: a.Lat + t*(b.Lat-a.Lat)}
}
