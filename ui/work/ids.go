package work

import (
	"fmt"
	"slices"

	"retrace/engine/trajectory"
	"retrace/ui/state"
)

// ids gives trips that are read ids that no other trip has: what two files call
// the same is two trips.
type ids struct {
	taken map[string]*state.Journey
	fresh map[string]bool // taken by an earlier group of this reading
	now   []string        // taken by the present group
}

// newIDs begins with the trips that are there.
func newIDs(trips []*state.Trip) *ids {
	n := &ids{taken: map[string]*state.Journey{}, fresh: map[string]bool{}}
	for _, t := range trips {
		n.taken[t.ID()] = t.Journey()
	}
	return n
}

// begin begins a group, within which the reader keeps ids apart.
func (n *ids) begin() {
	for _, id := range n.now {
		n.fresh[id] = true
	}
	n.now = nil
}

// give gives a trip an id of its own. A file that was read before and has
// changed since takes the place of what it was; nil: the trip is there
// already, just so.
func (n *ids) give(t *trajectory.Trajectory) *state.Journey {
	id := t.ID
	for k := 2; ; k++ {
		other := n.taken[t.ID]
		if other == nil {
			break
		}
		if other.Points() == len(t.Samples) && slices.Equal(other.Trajectory().Samples, t.Samples) && !n.fresh[t.ID] {
			return nil
		}
		if other.Source() == t.Source && !n.fresh[t.ID] {
			break
		}
		t.ID = fmt.Sprintf("%s#%d", id, k)
	}
	j := state.NewJourney(t)
	n.taken[t.ID], n.now = j, append(n.now, t.ID)
	return j
}
