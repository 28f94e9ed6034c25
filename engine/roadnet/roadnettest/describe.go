package roadnettest

import (
	"strconv"
	"strings"

	"retrace/engine/roadnet"
)

// description is what is said of a drawing.
type description struct {
	tb           TB
	points       map[rune]roadnet.Point
	ways         []drawnWay
	flags        map[rune]roadnet.VertexFlags
	restrictions [][]string // kind, from, via, to
}

// drawnWay is a way by the letters of its nodes.
type drawnWay struct {
	letters string
	id      int64
	dir     roadnet.Direction
	road    roadnet.Road
}

// read takes in one text.
func (d *description) read(spec string) {
	d.tb.Helper()
	words := strings.Fields(spec)
	switch {
	case len(words) == 0:
		d.tb.Fatalf("an empty way")
	case strings.HasPrefix(words[0], "no_") || strings.HasPrefix(words[0], "only_"):
		if len(words) != 4 {
			d.tb.Fatalf("%q: a restriction is kind, from, via and to", spec)
		}
		d.restrictions = append(d.restrictions, words)
	case len([]rune(words[0])) == 1:
		letter := []rune(words[0])[0]
		d.flags[letter] |= d.nodeFlags(spec, d.tags(spec, words[1:]))
	default:
		w := drawnWay{letters: words[0], id: int64(len(d.ways) + 1)}
		d.describe(spec, &w, d.tags(spec, words[1:]))
		d.ways = append(d.ways, w)
	}
}

// tag is a key and its value.
type tag struct{ key, value string }

func (d *description) tags(spec string, words []string) []tag {
	d.tb.Helper()
	var tags []tag
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			d.tb.Fatalf("%q: %s is not a tag", spec, word)
		}
		tags = append(tags, tag{key, value})
	}
	return tags
}

// nodeFlags are the vertex flags of a node's tags.
func (d *description) nodeFlags(spec string, tags []tag) roadnet.VertexFlags {
	d.tb.Helper()
	var flags roadnet.VertexFlags
	for _, t := range tags {
		flag, ok := map[tag]roadnet.VertexFlags{
			{"highway", "traffic_signals"}: roadnet.VertexSignal,
			{"highway", "stop"}:            roadnet.VertexStop,
			{"highway", "give_way"}:        roadnet.VertexGiveWay,
			{"highway", "crossing"}:        roadnet.VertexCrossing,
			{"highway", "bus_stop"}:        roadnet.VertexBusStop,
			{"highway", "mini_roundabout"}: roadnet.VertexMiniRoundabout,
			{"traffic_calming", "bump"}:    roadnet.VertexCalming,
			{"barrier", "bollard"}:         roadnet.VertexBarrier,
			{"barrier", "toll_booth"}:      roadnet.VertexTollBooth,
			{"direction", "forward"}:       roadnet.VertexForward,
			{"direction", "backward"}:      roadnet.VertexBackward,
		}[t]
		if !ok {
			d.tb.Fatalf("%q: %s=%s is not understood", spec, t.key, t.value)
		}
		flags |= flag
	}
	return flags
}

// describe takes in the tags of a way.
func (d *description) describe(spec string, w *drawnWay, tags []tag) {
	d.tb.Helper()
	w.road.Class = roadnet.Residential
	layered := false
	for _, t := range tags {
		layered = layered || t.key == "layer"
		if !w.number(t) && !w.word(t) && !w.flag(t) {
			d.tb.Fatalf("%q: %s=%s is not understood", spec, t.key, t.value)
		}
	}
	if !layered {
		w.road = roadnet.AssumeLayer(w.road)
	}
}

// number takes in a tag with a number.
func (w *drawnWay) number(t tag) bool {
	i, err := strconv.Atoi(t.value)
	if err != nil {
		return false
	}
	switch t.key {
	case "layer":
		w.road.Layer = int8(i)
	case "lanes":
		w.road.Lanes = uint8(i)
	case "maxspeed":
		w.road.LimitForward, w.road.LimitBackward = uint8(i), uint8(i)
	case "maxspeed:forward":
		w.road.LimitForward = uint8(i)
	case "maxspeed:backward":
		w.road.LimitBackward = uint8(i)
	case "id":
		w.id = int64(i)
	default:
		return false
	}
	return true
}

// word takes in a tag with words.
func (w *drawnWay) word(t tag) bool {
	text := strings.ReplaceAll(t.value, "_", " ")
	switch t.key {
	case "name":
		w.road.Name = text
	case "ref":
		w.road.Ref = text
	case "highway":
		return w.class(t.value)
	default:
		return false
	}
	return true
}

// class takes in the value of highway.
func (w *drawnWay) class(value string) bool {
	if value == "living_street" {
		w.road.Class = roadnet.Residential
		w.road.Flags |= roadnet.FlagLivingStreet
		return true
	}
	base, link := strings.CutSuffix(value, "_link")
	if link {
		w.road.Flags |= roadnet.FlagLink
	}
	for c := range roadnet.Class(roadnet.NumClasses) {
		if c.String() == base {
			w.road.Class = c
			return true
		}
	}
	return false
}

// flag takes in a tag that marks the way.
func (w *drawnWay) flag(t tag) bool {
	switch t {
	case tag{"oneway", "yes"}:
		w.dir = roadnet.Forward
		return true
	case tag{"oneway", "-1"}:
		w.dir = roadnet.Backward
		return true
	case tag{"maxspeed", "none"}:
		w.road.LimitForward, w.road.LimitBackward = roadnet.LimitNone, roadnet.LimitNone
		return true
	}
	flag, ok := map[tag]roadnet.Flags{
		{"junction", "roundabout"}:   roadnet.FlagRoundabout,
		{"bridge", "yes"}:            roadnet.FlagBridge,
		{"tunnel", "yes"}:            roadnet.FlagTunnel,
		{"access", "private"}:        roadnet.FlagPrivate,
		{"access", "destination"}:    roadnet.FlagDestination,
		{"service", "parking_aisle"}: roadnet.FlagParkingAisle,
		{"service", "driveway"}:      roadnet.FlagDriveway,
		{"service", "alley"}:         roadnet.FlagAlley,
		{"surface", "unpaved"}:       roadnet.FlagUnpaved,
		{"toll", "yes"}:              roadnet.FlagToll,
	}[t]
	w.road.Flags |= flag
	return ok
}

// way is a drawn way for the builder.
func (d *description) way(w drawnWay) roadnet.Way {
	d.tb.Helper()
	way := roadnet.Way{ID: w.id, Dir: w.dir, Road: w.road}
	for _, r := range w.letters {
		p, ok := d.points[r]
		if !ok {
			d.tb.Fatalf("way %s: %c is not drawn", w.letters, r)
		}
		way.Nodes = append(way.Nodes, int64(r))
		way.Coords = append(way.Coords, roadnet.CoordOf(p))
		way.Flags = append(way.Flags, d.flags[r])
	}
	return way
}

// restriction is a drawn restriction for the builder.
func (d *description) restriction(id int64, words []string) roadnet.Restriction {
	d.tb.Helper()
	r := roadnet.Restriction{
		ID:   id,
		Only: strings.HasPrefix(words[0], "only_"),
		From: d.wayIDs(words[1]),
		To:   d.wayIDs(words[3]),
	}
	if via := []rune(words[2]); len(via) == 1 {
		r.ViaNode = int64(via[0])
	} else {
		r.ViaWays = d.wayIDs(words[2])
	}
	return r
}

// wayIDs are the ids of ways by their letters.
func (d *description) wayIDs(list string) []int64 {
	d.tb.Helper()
	var ids []int64
	for _, letters := range strings.Split(list, ",") {
		ids = append(ids, d.wayID(letters))
	}
	return ids
}

// wayID is the id of the way with just these letters, or else of the only one
// that has them in a row, either way round. An unknown number is an id itself.
func (d *description) wayID(letters string) int64 {
	d.tb.Helper()
	var found []int64
	for _, w := range d.ways {
		if w.letters == letters {
			return w.id
		}
		if strings.Contains(w.letters, letters) || strings.Contains(w.letters, reversed(letters)) {
			found = append(found, w.id)
		}
	}
	if len(found) != 1 {
		d.tb.Fatalf("%d ways are %s", len(found), letters)
	}
	return found[0]
}

func reversed(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
