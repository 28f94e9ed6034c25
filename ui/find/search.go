// Package find finds what the user names: trips, streets, places by their
// coordinates, segments and OSM ways, and all that can be done. A [Book] of a network's streets is made
// once; [Panel] is the field over the map that asks it as one types.
package find

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"retrace/engine/roadnet"
)

// Kind is what a result is.
type Kind uint8

// The kinds, in the order in which they stand.
const (
	Place Kind = iota
	Segment
	Way
	Trip
	Street
	Command
)

// Result is one thing that was found.
type Result struct {
	Kind   Kind
	Name   string // of a trip, a street or a command; of others empty
	ID     string // of a command
	Key    string // of a command, as menus show it; empty: none
	Number int64  // of a way or a segment
	Where  roadnet.Point
	Bounds roadnet.Bounds    // of a street or a way
	On     roadnet.SegmentID // of a street, a way or a segment: one of it
}

// Book lists the streets and ways of a network. It does not change.
type Book struct {
	net     *roadnet.Network
	streets []street // by name
	ways    map[int64][]roadnet.LineID
}

// street is all that lies close together under one name.
type street struct {
	name   string
	key    string // folded
	bounds roadnet.Bounds
	length float64 // metres
	line   roadnet.LineID
}

// newBook makes the book of a network.
func newBook(net *roadnet.Network) *Book {
	b := &Book{net: net, ways: map[int64][]roadnet.LineID{}}
	named := map[string][]roadnet.LineID{}
	for l := range roadnet.LineID(net.NumLines()) {
		way := net.LineWay(l)
		b.ways[way] = append(b.ways[way], l)
		road := net.LineRoad(l)
		for _, name := range [...]string{road.Name, road.Ref} {
			if name != "" {
				named[name] = append(named[name], l)
			}
		}
	}
	for name, lines := range named {
		b.addStreets(name, lines)
	}
	slices.SortFunc(b.streets, func(x, y street) int {
		if c := strings.Compare(x.key, y.key); c != 0 {
			return c
		}
		return int(y.length - x.length)
	})
	return b
}

// apart is how far from one another, in degrees, lines of one name still are one
// street: about 300 m.
const apart = 0.003

// addStreets parts the lines of a name into streets.
func (b *Book) addStreets(name string, lines []roadnet.LineID) {
	first := len(b.streets)
	for _, l := range lines {
		box, length := b.net.LineBounds(l), b.net.LineLength(l)
		joined := street{name: name, key: fold(name), bounds: box, length: length, line: l}
		kept := b.streets[:first]
		for _, s := range b.streets[first:] { // all that the line touches become one
			if near(s.bounds, box) {
				joined = join(s, joined)
			} else {
				kept = append(kept, s)
			}
		}
		b.streets = append(kept, joined)
	}
}

func near(a, b roadnet.Bounds) bool {
	a.MinLon, a.MinLat, a.MaxLon, a.MaxLat = a.MinLon-apart, a.MinLat-apart, a.MaxLon+apart, a.MaxLat+apart
	return a.Intersects(b)
}

// join is two streets as one; what stands for it is the longer one's line.
func join(a, b street) street {
	if b.length > a.length {
		a, b = b, a
	}
	a.length += b.length
	a.bounds.MinLon, a.bounds.MaxLon = min(a.bounds.MinLon, b.bounds.MinLon), max(a.bounds.MaxLon, b.bounds.MaxLon)
	a.bounds.MinLat, a.bounds.MaxLat = min(a.bounds.MinLat, b.bounds.MinLat), max(a.bounds.MaxLat, b.bounds.MaxLat)
	return a
}

// fold is a text without case and accents: "Praça" is found by "praca".
func fold(s string) string {
	plain := true
	for i := range len(s) {
		if s[i] >= 0x80 {
			plain = false
			break
		}
	}
	if plain {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'ß':
			b.WriteString("ss")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Names lists trips, made ready to be searched. It does not change.
type Names struct{ ids, keys []string }

// newNames makes a list of trips by their ids.
func newNames(ids []string) *Names {
	n := &Names{ids: ids, keys: make([]string, len(ids))}
	for i, id := range ids {
		n.keys[i] = fold(id)
	}
	return n
}

// Find lists what a text may mean, the likeliest of each kind first, at the most
// limit of each kind; after a > what can be done only, all of it. Book and trips
// may be nil.
func Find(text string, b *Book, trips *Names, todo []Doable, limit int) []Result {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil
	case strings.HasPrefix(text, onlyCommands):
		return commands(text, todo, len(todo))
	}
	results := places(text, b)
	if b != nil {
		results = append(results, b.numbered(text)...)
	}
	words := strings.Fields(fold(text))
	if trips != nil {
		results = append(results, trips.named(words, limit)...)
	}
	if b != nil {
		results = append(results, b.streetsNamed(words, limit)...)
	}
	return append(results, commands(text, todo, limit)...)
}

// places are the positions that a text may be; where one order leads to the
// network and the other does not, that one comes first.
func places(text string, b *Book) []Result {
	points := Places(text)
	if len(points) == 2 && b != nil {
		bounds := b.net.Info().Bounds
		if !bounds.Contains(points[0]) && bounds.Contains(points[1]) {
			points[0], points[1] = points[1], points[0]
		}
	}
	var results []Result
	for _, p := range points {
		results = append(results, Result{Kind: Place, Where: p})
	}
	return results
}

// numbered are the segment and the way of a number; a word before it chooses.
func (b *Book) numbered(text string) []Result {
	word, digits := "", strings.TrimPrefix(text, "#")
	if i := strings.LastIndexAny(digits, " /"); i >= 0 {
		word, digits = strings.ToLower(strings.TrimSpace(digits[:i])), digits[i+1:]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || word != "" && word != "way" && word != "segment" {
		return nil
	}
	var results []Result
	if lines := b.ways[n]; len(lines) > 0 && word != "segment" {
		r := Result{Kind: Way, Number: n, Bounds: b.net.LineBounds(lines[0])}
		for _, l := range lines {
			r.Bounds = join(street{bounds: r.Bounds}, street{bounds: b.net.LineBounds(l)}).bounds
		}
		results = append(results, b.on(r, lines[len(lines)/2]))
	}
	if n < int64(b.net.NumSegments()) && word != "way" {
		s := roadnet.SegmentID(n)
		line, _ := b.net.LineOf(s)
		results = append(results, Result{Kind: Segment, Number: n, On: s, Bounds: b.net.LineBounds(line),
			Where: b.net.At(roadnet.Position{Segment: s, Ratio: 0.5})})
	}
	return results
}

// on has a result stand on a line.
func (b *Book) on(r Result, l roadnet.LineID) Result {
	forward, backward, hasForward, _ := b.net.LineSegments(l)
	if r.On = forward; !hasForward {
		r.On = backward
	}
	r.Where = b.net.At(roadnet.Position{Segment: r.On, Ratio: 0.5})
	return r
}
