package city

import (
	"reflect"
	"strconv"
	"testing"
)

func TestCities(t *testing.T) {
	cities := map[uint64]*City{}
	for _, seed := range []uint64{DefaultSeed, 2, 20} {
		c := Generate(seed)
		cities[seed] = c
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Run("whole", func(t *testing.T) { checkWhole(t, c) })
			t.Run("everything", func(t *testing.T) { checkEverything(t, c) })
			t.Run("reached", func(t *testing.T) { checkReached(t, c) })
			t.Run("decks", func(t *testing.T) { checkDecks(t, c) })
			t.Run("layers", func(t *testing.T) { checkLayers(t, c) })
		})
	}
	if !reflect.DeepEqual(Generate(DefaultSeed), cities[DefaultSeed]) {
		t.Error("two cities of one seed differ")
	}
	if reflect.DeepEqual(cities[2].Nodes, cities[20].Nodes) {
		t.Error("two seeds give the same city")
	}
}

func checkWhole(t *testing.T, c *City) {
	nodes, ways := map[int64]bool{}, map[int64]bool{}
	for i, n := range c.Nodes {
		nodes[n.ID] = true
		if i > 0 && n.ID <= c.Nodes[i-1].ID {
			t.Fatalf("node ids do not rise at %d", n.ID)
		}
		if n.Lat < 453e6 || n.Lat > 457e6 || n.Lon < -52e6 || n.Lon > -48e6 {
			t.Fatalf("node %d lies far off at %d, %d", n.ID, n.Lon, n.Lat)
		}
	}
	for _, w := range c.Ways {
		ways[w.ID] = true
		if len(w.Nodes) < 2 {
			t.Errorf("way %d has %d nodes", w.ID, len(w.Nodes))
		}
		for i, n := range w.Nodes {
			if !nodes[n] {
				t.Errorf("way %d names node %d, which is not there", w.ID, n)
			}
			if i > 0 && n == w.Nodes[i-1] {
				t.Errorf("way %d has node %d twice running", w.ID, n)
			}
		}
	}
	for _, r := range c.Relations {
		for _, m := range r.Members {
			if m.Kind == NodeMember && !nodes[m.Ref] || m.Kind == WayMember && !ways[m.Ref] {
				t.Errorf("relation %d names %s %d, which is not there", r.ID, m.Kind, m.Ref)
			}
		}
	}
}

// count counts the ways whose tags hold all pairs of keys and values; an empty
// value stands for any.
func count(c *City, pairs ...string) int {
	n := 0
	for _, w := range c.Ways {
		if holds(w.Tags, pairs) {
			n++
		}
	}
	return n
}

func countNodes(c *City, pairs ...string) int {
	n := 0
	for _, v := range c.Nodes {
		if holds(v.Tags, pairs) {
			n++
		}
	}
	return n
}

func countRelations(c *City, pairs ...string) int {
	n := 0
	for _, r := range c.Relations {
		if holds(r.Tags, pairs) {
			n++
		}
	}
	return n
}

func holds(tags Tags, pairs []string) bool {
	for i := 0; i < len(pairs); i += 2 {
		if v := tags.Get(pairs[i]); v == "" || pairs[i+1] != "" && v != pairs[i+1] {
			return false
		}
	}
	return true
}

func checkEverything(t *testing.T, c *City) {
	for _, want := range []struct {
		what  string
		got   int
		least int
	}{
		{"elevated motorway", count(c, "highway", "motorway", "bridge", "yes", "layer", "1"), 2},
		{"motorway above another bridge", count(c, "highway", "motorway", "layer", "2"), 2},
		{"flyovers", count(c, "highway", "motorway_link", "layer", "3"), 2},
		{"ramps", count(c, "highway", "motorway_link"), 20},
		{"surface roads below the ring", count(c, "name", underway, "oneway", "yes"), 4},
		{"river bridges", count(c, "bridge", "yes", "name", ""), 12},
		{"tunnel", count(c, "tunnel", "yes", "layer", "-1"), 1},
		{"roundabouts", count(c, "junction", "roundabout"), 5},
		{"one-way streets", count(c, "highway", "residential", "oneway", "yes"), 20},
		{"one-way against the line", count(c, "oneway", "-1"), 20},
		{"named streets", count(c, "highway", "residential", "name", ""), 300},
		{"driveways", count(c, "service", "driveway"), 50},
		{"parking aisles", count(c, "service", "parking_aisle"), 20},
		{"speed limits", count(c, "highway", "", "maxspeed", ""), 100},
		{"lanes", count(c, "highway", "", "lanes", ""), 100},
		{"country roads", count(c, "highway", "unclassified"), 4},
		{"buildings", count(c, "building", ""), 800},
		{"parks", count(c, "leisure", "park"), 5},
		{"built-up areas", count(c, "landuse", "residential"), 5},
		{"rails", count(c, "railway", "rail"), 2},
		{"signals", countNodes(c, "highway", "traffic_signals"), 60},
		{"signals for one direction", countNodes(c, "traffic_signals:direction", ""), 20},
		{"stop signs", countNodes(c, "highway", "stop", "direction", ""), 50},
		{"give-way signs", countNodes(c, "highway", "give_way", "direction", ""), 50},
		{"crossings", countNodes(c, "highway", "crossing"), 60},
		{"bus stops", countNodes(c, "highway", "bus_stop"), 30},
		{"bumps", countNodes(c, "traffic_calming", "bump"), 10},
		{"bollards", countNodes(c, "barrier", "bollard"), 2},
		{"places", countNodes(c, "place", "", "name", ""), 15},
		{"multipolygons", countRelations(c, "type", "multipolygon", "natural", "water"), 2},
		{"forbidden left turns", countRelations(c, "restriction", "no_left_turn"), 4},
		{"prescribed ways", countRelations(c, "restriction", "only_straight_on"), 1},
		{"forbidden returns", countRelations(c, "restriction", "no_u_turn"), 4},
	} {
		if want.got < want.least {
			t.Errorf("%s: %d, want at least %d", want.what, want.got, want.least)
		}
	}
}

// arcs are the directed hops that cars may drive, by node.
func arcs(c *City) map[int64][]int64 {
	out := map[int64][]int64{}
	for _, w := range c.Ways {
		if w.Tags.Get("highway") == "" {
			continue
		}
		one := w.Tags.Get("oneway")
		for i := 1; i < len(w.Nodes); i++ {
			a, b := w.Nodes[i-1], w.Nodes[i]
			if one != "-1" {
				out[a] = append(out[a], b)
			}
			if one == "-1" || one == "" && w.Tags.Get("junction") == "" {
				out[b] = append(out[b], a)
			}
		}
	}
	return out
}

func reach(arcs map[int64][]int64, from int64) map[int64]bool {
	seen := map[int64]bool{from: true}
	for stack := []int64{from}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, w := range arcs[v] {
			if !seen[w] {
				seen[w] = true
				stack = append(stack, w)
			}
		}
	}
	return seen
}

func checkReached(t *testing.T, c *City) {
	forth := arcs(c)
	back := map[int64][]int64{}
	nodes := map[int64]bool{}
	for a, list := range forth {
		for _, b := range list {
			back[b] = append(back[b], a)
			nodes[a], nodes[b] = true, true
		}
	}
	best := 0
	for _, w := range c.Ways {
		if w.Tags.Get("name") != "High Street" {
			continue
		}
		f, b := reach(forth, w.Nodes[0]), reach(back, w.Nodes[0])
		n := 0
		for v := range f {
			if b[v] {
				n++
			}
		}
		best = max(best, n)
	}
	// The motorways' ends at the edge of the map are one-way.
	if share := float64(best) / float64(len(nodes)); share < 0.97 {
		t.Errorf("only %.1f %% of the nodes can be reached and left", 100*share)
	}
}

func checkDecks(t *testing.T, c *City) {
	at := map[int64]Node{}
	for _, n := range c.Nodes {
		at[n.ID] = n
	}
	points := func(w Way) (out line) {
		for _, id := range w.Nodes {
			out = append(out, vec{float64(at[id].Lon) * 0.00780, float64(at[id].Lat) * 0.01112})
		}
		return out
	}
	var below []line
	for _, w := range c.Ways {
		if w.Tags.Get("name") == underway {
			below = append(below, points(w))
		}
	}
	near, all := 0.0, 0.0
	for _, w := range c.Ways {
		if w.Tags.Get("name") != ringName {
			continue
		}
		for _, p := range points(w).resample(25) {
			all++
			for _, l := range below {
				if d, _ := l.nearest(p); d < 30 {
					near++
					break
				}
			}
		}
	}
	if near/all < 0.7 {
		t.Errorf("surface roads run below %.0f %% of the ring, want at least 70 %%", 100*near/all)
	}
}

func checkLayers(t *testing.T, c *City) {
	for _, w := range c.Ways {
		layer, err := strconv.Atoi(w.Tags.Get("layer"))
		if w.Tags.Get("bridge") == "yes" && (err != nil || layer < 1) {
			t.Errorf("way %d: bridge on layer %q", w.ID, w.Tags.Get("layer"))
		}
		if w.Tags.Get("tunnel") == "yes" && layer != -1 {
			t.Errorf("way %d: tunnel on layer %q", w.ID, w.Tags.Get("layer"))
		}
	}
}

func TestKindWords(t *testing.T) {
	if got := []string{NodeMember.String(), WayMember.String(), RelationMember.String()}; !reflect.DeepEqual(got, []string{"node", "way", "relation"}) {
		t.Errorf("kinds are called %v", got)
	}
}

func TestLineGeometry(t *testing.T) {
	l := line{{0, 0}, {10, 0}, {10, 10}}
	if got := l.length(); got != 20 {
		t.Errorf("length %v, want 20", got)
	}
	if p, dir := l.at(15); p != (vec{10, 5}) || dir != (vec{0, 1}) {
		t.Errorf("at 15: %v towards %v, want {10 5} towards {0 1}", p, dir)
	}
	if d, along := l.nearest(vec{12, 4}); d != 2 || along != 14 {
		t.Errorf("nearest %v at %v, want 2 at 14", d, along)
	}
	if got := (line{{0, 0}, {10, 0}}).offset(func(float64) float64 { return 3 }); got[1] != (vec{10, -3}) {
		t.Errorf("3 m to the right of an eastward line is %v, want {10 -3}", got[1])
	}
}
