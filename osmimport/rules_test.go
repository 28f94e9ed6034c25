package osmimport

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/osm"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// tagsOf reads tags written as "highway=primary name=Main~Street"; a tilde
// stands for a space.
func tagsOf(s string) (t osm.Tags) {
	for f := range strings.FieldsSeq(s) {
		k, v, _ := strings.Cut(f, "=")
		t = append(t, osm.Tag{Key: k, Value: strings.ReplaceAll(v, "~", " ")})
	}
	return t
}

// Which ways are roads for cars, and in which direction.
func TestRoads(t *testing.T) {
	for _, c := range []struct {
		tags   string
		reason string // empty: a road
		dir    roadnet.Direction
		flags  roadnet.Flags
	}{
		{"highway=residential", "", roadnet.BothWays, 0},
		{"highway=primary_link", "", roadnet.BothWays, roadnet.FlagLink},
		{"highway=living_street", "", roadnet.BothWays, roadnet.FlagLivingStreet},
		{"highway=service service=parking_aisle", "", roadnet.BothWays, roadnet.FlagParkingAisle},
		{"highway=service service=driveway", "", roadnet.BothWays, roadnet.FlagDriveway},
		{"highway=service service=alley", "", roadnet.BothWays, roadnet.FlagAlley},
		{"highway=footway", dropNotForCars + "footway", 0, 0},
		{"highway=something_new", dropNotForCars + "(other)", 0, 0},
		{"highway=track", dropNotForCars + "track", 0, 0},
		{"highway=track motor_vehicle=yes", "", roadnet.BothWays, 0},
		{"highway=pedestrian motorcar=no motor_vehicle=yes", dropNotForCars + "pedestrian", 0, 0},
		{"highway=construction construction=primary", dropConstruction, 0, 0},
		{"highway=primary construction=yes", "", roadnet.BothWays, 0},
		{"highway=proposed", dropConstruction, 0, 0},
		{"highway=busway", dropBus, 0, 0},
		{"highway=service access=no bus=yes", dropBus, 0, 0},
		{"highway=service motor_vehicle=no psv=yes", dropBus, 0, 0},

		{"highway=primary access=no", dropAccess, 0, 0},
		{"highway=primary access=no motor_vehicle=yes", "", roadnet.BothWays, 0},
		{"highway=primary access=yes motorcar=no", dropAccess, 0, 0},
		{"highway=primary vehicle=no motor_vehicle=destination", "", roadnet.BothWays, roadnet.FlagDestination},
		{"highway=service access=private", "", roadnet.BothWays, roadnet.FlagPrivate},
		{"highway=service access=customers", "", roadnet.BothWays, roadnet.FlagDestination},
		{"highway=service access=delivery", "", roadnet.BothWays, roadnet.FlagDestination},
		{"highway=service access=permit", "", roadnet.BothWays, roadnet.FlagDestination},
		{"highway=residential motor_vehicle=agricultural;forestry", dropAccess, 0, 0},
		{"highway=residential motor_vehicle=agricultural;destination", "", roadnet.BothWays, roadnet.FlagDestination},
		{"highway=residential access=nonsense", "", roadnet.BothWays, 0},
		{"highway=residential motor_vehicle:backward=no", "", roadnet.Forward, 0},
		{"highway=residential vehicle:forward=no", "", roadnet.Backward, 0},
		{"highway=residential access=no motor_vehicle:forward=yes", "", roadnet.Forward, 0},
		{"highway=residential oneway=yes motor_vehicle:forward=no", dropAccess, 0, 0},

		{"highway=residential oneway=yes", "", roadnet.Forward, 0},
		{"highway=residential oneway=true", "", roadnet.Forward, 0},
		{"highway=residential oneway=1", "", roadnet.Forward, 0},
		{"highway=residential oneway=-1", "", roadnet.Backward, 0},
		{"highway=residential oneway=reverse", "", roadnet.Backward, 0},
		{"highway=residential oneway=reversible", dropChanging, 0, 0},
		{"highway=residential oneway=alternating", dropChanging, 0, 0},
		{"highway=residential oneway=yes oneway:motor_vehicle=no", "", roadnet.BothWays, 0},
		{"highway=motorway", "", roadnet.Forward, 0},
		{"highway=motorway oneway=no", "", roadnet.BothWays, 0},
		{"highway=motorway_link", "", roadnet.Forward, roadnet.FlagLink},
		{"highway=trunk", "", roadnet.BothWays, 0},
		{"highway=primary junction=roundabout", "", roadnet.Forward, roadnet.FlagRoundabout},
		{"highway=primary junction=circular oneway=-1", "", roadnet.Backward, roadnet.FlagRoundabout},

		{"highway=primary tunnel=yes toll=yes surface=gravel", "", roadnet.BothWays, roadnet.FlagTunnel | roadnet.FlagToll | roadnet.FlagUnpaved},
		{"highway=primary bridge=viaduct layer=2", "", roadnet.BothWays, roadnet.FlagBridge},
		{"highway=primary bridge=yes", "", roadnet.BothWays, roadnet.FlagBridge | roadnet.FlagLayerAssumed},
		{"highway=residential bridge=yes", "", roadnet.BothWays, roadnet.FlagBridge},
		{"highway=primary bridge=no tunnel=no covered=no", "", roadnet.BothWays, 0},
	} {
		road, dir, reason := roadOf(tagsOf(c.tags), false)
		if reason != c.reason || reason == "" && (dir != c.dir || road.Flags != c.flags) {
			t.Errorf("%s: reason %q, direction %d, flags %b; want %q, %d, %b", c.tags, reason, dir, road.Flags, c.reason, c.dir, c.flags)
		}
	}
	if _, _, reason := roadOf(tagsOf("highway=service area=yes"), true); reason != dropArea {
		t.Errorf("a closed area: reason %q", reason)
	}
	if _, _, reason := roadOf(tagsOf("highway=residential"), true); reason != "" {
		t.Errorf("a street round a block: reason %q", reason)
	}
}

func TestRoadNumbers(t *testing.T) {
	road, _, _ := roadOf(tagsOf("highway=secondary lanes=3 layer=-2 maxspeed=50 maxspeed:forward=30~mph name=Main~Street ref=N1"), false)
	want := roadnet.Road{Class: roadnet.Secondary, Lanes: 3, Layer: -2, LimitForward: 48, LimitBackward: 50, Name: "Main Street", Ref: "N1"}
	if d := cmp.Diff(want, road); d != "" {
		t.Error(d)
	}
	for v, want := range map[string]int8{"1": 1, "-1": -1, "1;2": 0, "x": 0, "400": 0, "1.0": 1} {
		if got := withLayer(tagsOf("layer="+v), roadnet.Road{}).Layer; got != want {
			t.Errorf("layer=%s: %d, want %d", v, got, want)
		}
	}
	for v, want := range map[string]uint8{"2": 2, "2;3": 3, "": 0, "-2": 0, "1.5": 1, "1000": 0, "two": 0} {
		if got := lanesOf(v); got != want {
			t.Errorf("lanes=%s: %d, want %d", v, got, want)
		}
	}
}

func TestSpeedLimits(t *testing.T) {
	for v, want := range map[string]uint8{
		"50": 50, "50 km/h": 50, "50km/h": 50, "30 mph": 48, "30mph": 48, "10 knots": 19, "walk": 5, "none": roadnet.LimitNone,
		"DE:urban": 0, "RU:rural": 0, "signals": 0, "": 0, "0": 0, "-5": 0, "300": 0, "50;30": 50, "7.5": 8, "NaN": 0, "1e3": 0,
		"variable": 0, "50 furlongs": 0, ".": 0,
	} {
		if got := speedLimit(v); got != want {
			t.Errorf("maxspeed=%s: %d, want %d", v, got, want)
		}
	}
}

func TestNodes(t *testing.T) {
	const barrier = roadnet.VertexBarrier
	for tags, want := range map[string]roadnet.VertexFlags{
		"highway=traffic_signals":                                    roadnet.VertexSignal,
		"highway=traffic_signals traffic_signals:direction=backward": roadnet.VertexSignal | roadnet.VertexBackward,
		"highway=stop direction=forward":                             roadnet.VertexStop | roadnet.VertexForward,
		"highway=give_way direction=both":                            roadnet.VertexGiveWay,
		"highway=crossing":                                           roadnet.VertexCrossing,
		"highway=crossing crossing=traffic_signals":                  roadnet.VertexCrossing | roadnet.VertexSignal,
		"highway=bus_stop":                                           roadnet.VertexBusStop,
		"highway=mini_roundabout":                                    roadnet.VertexMiniRoundabout,
		"traffic_calming=bump":                                       roadnet.VertexCalming,
		"traffic_calming=no":                                         0,
		"barrier=toll_booth":                                         roadnet.VertexTollBooth,
		"barrier=bollard":                                            barrier,
		"barrier=bollard motor_vehicle=yes":                          0,
		"barrier=block":                                              barrier,
		"barrier=jersey_barrier":                                     barrier,
		"barrier=gate":                                               0,
		"barrier=gate access=no":                                     barrier,
		"barrier=gate access=private":                                barrier,
		"barrier=gate access=no motor_vehicle=permissive":            0,
		"barrier=gate locked=yes":                                    barrier,
		"barrier=lift_gate":                                          0,
		"barrier=lift_gate access=no":                                barrier,
		"barrier=entrance":                                           0,
		"barrier=cattle_grid":                                        0,
		"barrier=bollard bicycle=yes":                                barrier,
		"amenity=bench":                                              0,
	} {
		if got := nodeFlags(tagsOf(tags)); got != want {
			t.Errorf("%s: %b, want %b", tags, got, want)
		}
	}
}

func TestRestrictions(t *testing.T) {
	members := osm.Members{{Type: "way", Ref: 1, Role: "from"}, {Type: "node", Ref: 2, Role: "via"}, {Type: "way", Ref: 3, Role: "to"}}
	for tags, want := range map[string]string{
		"restriction=no_left_turn":                                    "",
		"restriction=only_straight_on":                                "",
		"restriction=no_u_turn except=bicycle;psv":                    "",
		"restriction=no_left_turn except=psv;motorcar":                dropExcept,
		"restriction:motorcar=no_left_turn":                           "",
		"restriction:hgv=no_left_turn":                                dropOtherVehicles,
		"restriction:conditional=no_left_turn~@~(Mo-Fr)":              dropConditional,
		"restriction=no_left_turn hour_on=07:00 hour_off=09:00":       dropConditional,
		"restriction=no_left_turn day_on=Monday":                      dropConditional,
		"restriction=give_way":                                        dropKind,
		"":                                                            dropKind,
		"restriction:hgv=no_left_turn restriction:motorcar=no_u_turn": "",
	} {
		r, reason := restrictionOf(&osm.Relation{ID: 9, Tags: tagsOf(tags), Members: members})
		if reason != want {
			t.Errorf("%s: %q, want %q", tags, reason, want)
		}
		if reason == "" && r.Only != strings.Contains(tags, "only_") {
			t.Errorf("%s: only %v", tags, r.Only)
		}
	}
	_, reason := restrictionOf(&osm.Relation{Tags: tagsOf("restriction=no_u_turn"), Members: members[:2]})
	if reason != dropMembers {
		t.Errorf("without to: %q", reason)
	}
	r, reason := restrictionOf(&osm.Relation{ID: 5, Tags: tagsOf("restriction=no_exit"), Members: osm.Members{
		{Type: "way", Ref: 1, Role: "from"}, {Type: "way", Ref: 7, Role: "via"}, {Type: "way", Ref: 8, Role: "via"},
		{Type: "way", Ref: 3, Role: "to"}, {Type: "way", Ref: 4, Role: "to"}}})
	want := roadnet.Restriction{ID: 5, From: []int64{1}, To: []int64{3, 4}, ViaWays: []int64{7, 8}}
	if d := cmp.Diff(want, r); reason != "" || d != "" {
		t.Errorf("via ways: %q\n%s", reason, d)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		tags   string
		closed bool
		want   string
	}{
		{"natural=water", true, "water"},
		{"waterway=riverbank", true, "water"},
		{"landuse=reservoir", true, "water"},
		{"landuse=basin", true, "water"},
		{"waterway=river", false, "waterway"},
		{"waterway=stream tunnel=culvert", false, ""},
		{"waterway=river natural=water", false, "waterway"},
		{"landuse=forest", true, "green"},
		{"leisure=park", true, "green"},
		{"natural=wood", true, "green"},
		{"landuse=residential", true, "built-up"},
		{"landuse=industrial", true, "built-up"},
		{"landuse=farmland", true, ""},
		{"building=yes", true, "building"},
		{"building=no landuse=retail", true, "built-up"},
		{"railway=rail", false, "rail"},
		{"railway=subway tunnel=yes", false, ""},
		{"railway=abandoned", false, ""},
		{"natural=tree", false, ""},
	} {
		kind, ok := wayShape(tagsOf(c.tags), c.closed)
		got := ""
		if ok {
			got = kind.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.tags, got, c.want)
		}
	}
	p, ok := placeOf(7, roadnet.Coord{}, tagsOf("place=suburb name=Foz"))
	if !ok || p.rank != basemap.RankSuburb || p.name != "Foz" {
		t.Errorf("a suburb: %+v %v", p, ok)
	}
	if _, ok := placeOf(7, roadnet.Coord{}, tagsOf("place=suburb")); ok {
		t.Error("a place without a name is kept")
	}
}

func TestJoinRings(t *testing.T) {
	for name, c := range map[string]struct {
		lines [][]int64
		rings int
		open  int
	}{
		"one closed":            {[][]int64{{1, 2, 3, 1}}, 1, 0},
		"two halves":            {[][]int64{{1, 2, 3}, {3, 4, 1}}, 1, 0},
		"halves against":        {[][]int64{{1, 2, 3}, {1, 4, 3}}, 1, 0},
		"three and one closed":  {[][]int64{{1, 2}, {9, 8, 7, 9}, {3, 1}, {2, 3}}, 2, 0},
		"two touch at a corner": {[][]int64{{1, 2, 3}, {3, 1}, {1, 5, 6}, {6, 1}}, 2, 0},
		"a gap":                 {[][]int64{{1, 2, 3}, {4, 5, 1}}, 0, 2},
		"nothing":               {nil, 0, 0},
		"a point":               {[][]int64{{1}}, 0, 0},
	} {
		rings, open := joinRings(c.lines)
		if len(rings) != c.rings || open != c.open {
			t.Errorf("%s: %d rings, %d open; want %d, %d", name, len(rings), open, c.rings, c.open)
		}
		for _, r := range rings {
			if r[0] != r[len(r)-1] {
				t.Errorf("%s: %v is not closed", name, r)
			}
		}
	}
}
