// Package roadnettest makes road networks for tests: drawn in ASCII, random
// from a seed, or large and regular.
//
// A drawing places nodes by letters and digits; one character is one step, east
// and south. What else is drawn is for the eye only. Ways, nodes and
// restrictions follow, one in a line of text:
//
//	net := roadnettest.Draw(t, 100, `
//	    A---B---C
//	        |
//	        D
//	`,
//		"ABC highway=primary name=High_Street",
//		"BD highway=residential oneway=yes",
//		"B highway=traffic_signals",
//		"no_left_turn AB B BD",
//	)
//	net.Seg("AB") // the segment from A to B
//
// Ways are numbered from 1 in the order given, unless they have an id of their
// own (id=-7); the OSM id of a node is its letter's code. See [Draw].
package roadnettest

import (
	"context"
	"math"
	"strings"
	"unicode"

	"retrace/engine/roadnet"
)

// TB is what is needed of a test: testing.TB or *rapid.T.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Net is a network drawn in ASCII.
type Net struct {
	*roadnet.Network
	Report roadnet.BuildReport
	tb     TB
	points map[rune]roadnet.Point
}

// origin is where the first character of the first row of a drawing lies.
var origin = roadnet.Point{Lon: -8.61, Lat: 41.15}

// Draw makes a network from a drawing and what is said of it. spacing is the
// side of a character in metres. Each text of specs is one of
//
//   - a way, two or more letters and its tags: "ABC highway=primary oneway=yes";
//   - a node, one letter and its tags: "B highway=stop direction=forward",
//     "B barrier=bollard";
//   - a restriction: kind, from, via and to, the ways by their letters (all
//     of them, or two in a row that no other way has), several joined by
//     commas: "no_left_turn AB B BD", "only_straight_on AB BC,CD DE".
//
// Tags understood: highway (with _link), oneway (yes, -1), junction=roundabout,
// bridge, tunnel, layer, lanes, maxspeed (and :forward, :backward), access,
// service, surface, toll, name, ref (_ for a space), id. A way without highway
// is residential. Whatever is not understood fails the test.
func Draw(tb TB, spacing float64, drawing string, specs ...string) *Net {
	tb.Helper()
	n := &Net{tb: tb, points: pointsOf(tb, spacing, drawing)}
	d := &description{tb: tb, points: n.points, flags: make(map[rune]roadnet.VertexFlags)}
	for _, s := range specs {
		d.read(s)
	}
	b := roadnet.NewBuilder()
	for _, w := range d.ways {
		if err := b.AddWay(d.way(w)); err != nil {
			tb.Fatalf("%v", err)
		}
	}
	for i, r := range d.restrictions {
		b.AddRestriction(d.restriction(int64(i+1), r))
	}
	var err error
	n.Network, n.Report, err = b.Build(context.Background(), roadnet.Info{Name: "drawn", TimeZone: "Europe/Lisbon"})
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return n
}

// pointsOf finds the letters and digits of a drawing.
func pointsOf(tb TB, spacing float64, drawing string) map[rune]roadnet.Point {
	tb.Helper()
	points := make(map[rune]roadnet.Point)
	for y, row := range strings.Split(drawing, "\n") {
		for x, r := range []rune(strings.ReplaceAll(row, "\t", "    ")) {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				continue
			}
			if _, ok := points[r]; ok {
				tb.Fatalf("%c is drawn twice", r)
			}
			lat := origin.Lat - float64(y)*spacing/roadnet.Degree
			lon := origin.Lon + float64(x)*spacing/roadnet.Degree/math.Cos(origin.Lat*math.Pi/180)
			points[r] = roadnet.CoordOf(roadnet.Point{Lon: lon, Lat: lat}).Point()
		}
	}
	return points
}

// Point is where a letter is drawn.
func (n *Net) Point(letter rune) roadnet.Point {
	n.tb.Helper()
	p, ok := n.points[letter]
	if !ok {
		n.tb.Fatalf("%c is not drawn", letter)
	}
	return p
}

// PointNear is a point some metres east and north of a letter.
func (n *Net) PointNear(letter rune, east, north float64) roadnet.Point {
	n.tb.Helper()
	p := n.Point(letter)
	return roadnet.Point{
		Lon: p.Lon + east/roadnet.Degree/math.Cos(p.Lat*math.Pi/180),
		Lat: p.Lat + north/roadnet.Degree,
	}
}

// Seg is the segment that starts at the first of the letters and ends at the
// last. Letters between must be those that the segment passes, in order; with
// just two, it may pass any. The test fails unless there is exactly one.
func (n *Net) Seg(letters string) roadnet.SegmentID {
	n.tb.Helper()
	found := n.Find(letters)
	if len(found) != 1 {
		n.tb.Fatalf("%d segments are %s, in %s", len(found), letters, n.Path(n.all()))
	}
	return found[0]
}

// Find is every segment that [Net.Seg] could mean.
func (n *Net) Find(letters string) []roadnet.SegmentID {
	var found []roadnet.SegmentID
	want := []rune(letters)
	for _, id := range n.all() {
		got := n.letters(id)
		ends := len(want) == 2 && got[0] == want[0] && got[len(got)-1] == want[1]
		if ends || string(got) == letters {
			found = append(found, id)
		}
	}
	return found
}

// Pos is a position on [Net.Seg].
func (n *Net) Pos(letters string, ratio float64) roadnet.Position {
	n.tb.Helper()
	return roadnet.Position{Segment: n.Seg(letters), Ratio: ratio}
}

// Path writes segments by their letters: "AB BC CED".
func (n *Net) Path(segments []roadnet.SegmentID) string {
	words := make([]string, len(segments))
	for i, id := range segments {
		words[i] = string(n.letters(id))
	}
	return strings.Join(words, " ")
}

// letters are the vertices of a segment.
func (n *Net) letters(id roadnet.SegmentID) []rune {
	var letters []rune
	for _, v := range n.Vertices(id, nil) {
		letters = append(letters, rune(v.OSM))
	}
	return letters
}

func (n *Net) all() []roadnet.SegmentID {
	ids := make([]roadnet.SegmentID, n.NumSegments())
	for i := range ids {
		ids[i] = roadnet.SegmentID(i)
	}
	return ids
}
