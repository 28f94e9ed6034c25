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
	taken map[string]*trajectory.Trajectory
	fresh map[string]bool // taken by an earlier group of this reading
	now   []string        // taken by the present group
}

// newIDs begins with the trips that are there.
func newIDs(trips []*state.Trip) *ids {
	n := &ids{taken: map[string]*trajectory.Trajectory{}, fresh: map[string]bool{}}
	for _, t := range trips {
		n.taken[t.ID()] = t.Trajectory
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
// changed since takes the place of what it was; false: the trip is there
// already, just so.
func (n *ids) give(t *trajectory.Trajectory) bool {
	id := t.ID
	for k := 2; ; k++ {
		other := n.taken[t.ID]
		if other == nil {
			break
		}
		if slices.Equal(other.Samples, t.Samples) && !n.fresh[t.ID] {
			return false
		}
		if other.Source == t.Source && !n.fresh[t.ID] {
			break
		}
		t.ID = fmt.Sprintf("%s#%d", id, k)
	}
	n.taken[t.ID] = t
	n.now = append(n.now, t.ID)
	return true
}
