package feature

import (
	"slices"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// The second sample may lie on the lower road, which is all that the first leads to,
// or on the upper one, from where the third is straight on. From the lower one it is
// a long way round.
func TestRoutesGoOnFromWhereThoseBeforeLeadTo(t *testing.T) {
	net := roadnettest.Draw(t, 10, `
	    C---------D---------E
	    A---------B---------F
	    |                   |
	    |                   |
	    |                   |
	    |                   |
	    |                   |
	    |                   |
	    |                   |
	    |                   |
	    H-------------------G
	`, "AB highway=residential oneway=yes", "BF highway=residential oneway=yes", "FG highway=residential oneway=yes",
		"GH highway=residential oneway=yes", "HA highway=residential oneway=yes", "AC highway=residential oneway=yes",
		"CD highway=residential oneway=yes", "DE highway=residential oneway=yes")
	s := DefaultRoutes()
	s.Stretch, s.Slack, s.Pace = 1, 10, 0 // far too near for the way round
	samples := samplesAt(net.At(net.Pos("AB", 0.2)), net.At(net.Pos("DE", 0.3)), net.At(net.Pos("DE", 0.9)))
	may := [][]string{{"AB"}, {"BF", "DE"}, {"DE"}}
	m := NewTripMaker(net.Network, s)
	var trip Trip
	m.Fill(&trip, samples, func(sample int, found []roadnet.Hit) []roadnet.Hit {
		return slices.DeleteFunc(found, func(h roadnet.Hit) bool {
			return !slices.Contains(may[sample], net.Path([]roadnet.SegmentID{h.Segment}))
		})
	})
	linked := map[int]bool{}
	for _, o := range trip.OptionsOf(0) {
		linked[o.To] = true
	}
	if !slices.ContainsFunc(trip.OptionsOf(1), func(o Option) bool { return linked[o.From] }) {
		t.Errorf("the first routes lead to candidates %v, and none of %d goes on from there", linked, len(trip.OptionsOf(1)))
	}
}
