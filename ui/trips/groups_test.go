package trips

import (
	"fmt"
	"testing"
	"time"

	"retrace/engine/trajectory"
	"retrace/ui/state"
)

func TestGroupsHoldEveryTripOnce(t *testing.T) {
	const hour = 3_600_000
	var list []*state.Trip
	for i := range 9 {
		tr := &trajectory.Trajectory{ID: fmt.Sprint(i), Vehicle: fmt.Sprintf("bus %d", i%3*9), Source: "a.csv",
			Samples: []trajectory.Sample{{Time: int64(i) * 8 * hour, Lon: 1, Lat: 1}}}
		list = append(list, state.NewTrip(tr, nil, nil))
	}
	m := state.New()
	m.AddTrips(list)
	heads := func(g grouping, folded map[string]bool) (names string, trips int) {
		for _, e := range g.entries(list, time.UTC, folded) {
			if e.trip != nil {
				trips++
				continue
			}
			names += fmt.Sprintf("%s:%d ", e.name, len(e.trips))
		}
		return names, trips
	}
	for g, want := range map[grouping]string{
		ungrouped: "", byFile: "a.csv:9 ", byVehicle: "bus 0:3 bus 9:3 bus 18:3 ",
		byDay: "1 Jan 1970:3 2 Jan 1970:3 3 Jan 1970:3 ", byState: "not recovered:9 ",
	} {
		if names, trips := heads(g, nil); names != want || trips != 9 {
			t.Errorf("%s: %s with %d trips below", g.title(), names, trips)
		}
	}
	key, _ := byVehicle.of(list[1], time.UTC)
	if _, trips := heads(byVehicle, map[string]bool{key: true}); trips != 6 {
		t.Errorf("%d trips below when one group is folded", trips)
	}
}
