package state

import (
	"errors"
	"fmt"
	"testing"
	"weak"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// library is a workspace that counts how often it is asked.
type library struct {
	trajectories map[string]*trajectory.Trajectory
	recoveries   map[string]*trajectory.Recovery
	asked        int
}

func (l *library) Trajectory(id string) (*trajectory.Trajectory, error) {
	l.asked++
	if t := l.trajectories[id]; t != nil {
		same := *t
		return &same, nil
	}
	return nil, errors.New("damaged")
}

func (l *library) Recovery(id, _ string) (*trajectory.Recovery, error) {
	l.asked++
	if r := l.recoveries[id]; r != nil {
		same := *r
		return &same, nil
	}
	return nil, errors.New("damaged")
}

// letGo is the model of [loaded] whose trips "one" and "two" lie in a library alone.
func letGo(t *testing.T) (*Model, *library, *[]error) {
	m, _ := loaded(t)
	l := &library{map[string]*trajectory.Trajectory{}, map[string]*trajectory.Recovery{}, 0}
	var lost []error
	shelf := NewShelf(l, func(err error) { lost = append(lost, err) })
	for _, id := range []string{"one", "two"} {
		l.trajectories[id], l.recoveries[id] = m.Trip(id).Trajectory(), m.Trip(id).Recovery()
		m.LetGo(shelf, []*trajectory.Trajectory{l.trajectories[id]}, []*trajectory.Recovery{l.recoveries[id]})
	}
	shelf.held, shelf.bytes = nil, 0
	l.trajectories["one"].Vehicle = "read again"
	for _, id := range []string{"one", "two"} { // the test holds them: nothing else may
		trip := m.Trip(id)
		trip.journey.seen, trip.finding.seen = weak.Pointer[trajectory.Trajectory]{}, weak.Pointer[trajectory.Recovery]{}
	}
	return m, l, &lost
}

func TestWhatIsLetGoIsReadWhenItIsWanted(t *testing.T) {
	m, l, _ := letGo(t)
	one := m.Trip("one")
	before := one.Facts
	one.measure(m.net)
	box, ok := Bounds([]*Trip{one})
	if l.asked > 0 || one.Facts != before || one.Facts.Length == 0 || one.Status != Recovered || !ok || box.MinLon == box.MaxLon {
		t.Errorf("lists read %d times, and say %+v in %+v", l.asked, one.Facts, box)
	}
	r := one.Recovery()
	if len(r.Ticks) != 7 || one.Trajectory().Vehicle != "read again" || l.asked != 2 {
		t.Errorf("read %d times: %d ticks", l.asked, len(r.Ticks))
	}
	if one.Recovery() != r || l.asked != 2 {
		t.Error("what is in use is read anew")
	}
}

// What another recovery takes the place of is held before the workspace loses it.
func TestWhatIsReplacedIsHeld(t *testing.T) {
	m, l, _ := letGo(t)
	fresh := *l.recoveries["one"]
	fresh.Provenance.Version = "later"
	m.Do(RecoverStep, 1, "one", func() { m.SetResults([]Result{{ID: "one", Recovery: &fresh}}) })
	m.Do(RemoveStep, 1, "two", func() { m.RemoveTrips([]string{"two"}) })
	clear(l.recoveries)
	clear(l.trajectories)
	m.Undo()
	m.Undo()
	if got := m.Trip("one").Recovery(); len(got.Ticks) != 7 || got.Provenance.Version != "" {
		t.Errorf("undo gives %d ticks of version %q", len(got.Ticks), got.Provenance.Version)
	}
	if got := m.Trip("two"); len(got.Trajectory().Samples) != 4 || len(got.Recovery().Ticks) != 7 {
		t.Error("a removed trip does not come back whole")
	}
}

func TestWhatCannotBeReadIsToldAndEmpty(t *testing.T) {
	m, l, lost := letGo(t)
	clear(l.recoveries)
	clear(l.trajectories)
	if two := m.Trip("two"); len(two.Recovery().Ticks) != 0 || len(two.Trajectory().Samples) != 0 || two.Trajectory().ID != "two" || len(*lost) < 2 {
		t.Errorf("told %v", *lost)
	}
}

func TestAShelfIsBounded(t *testing.T) {
	s := NewShelf(nil, nil)
	for i := range 1000 {
		s.hold(fmt.Sprint(i), shelfBytes/10)
	}
	if len(s.held) > 10 || s.bytes > shelfBytes || s.held[len(s.held)-1].what != "999" {
		t.Errorf("%d things of %d bytes", len(s.held), s.bytes)
	}
}

// A recovery is of the network that it was made on, whatever is shown.
func TestTripsBelongToTheirNetwork(t *testing.T) {
	m, net := loaded(t)
	own, other := net.Info(), net.Info()
	own.Name, other.Name, other.Fingerprint = "own", "other", "of another one"
	m.SetNetworks([]roadnet.Info{other, own})
	two := m.Trip("two")
	moved := *two.Recovery()
	moved.Provenance.Fingerprint = other.Fingerprint
	m.SetResults([]Result{{ID: "two", Recovery: &moved}})
	if got := m.NetworkOf(two); two.Status != Outdated || got != "other" {
		t.Errorf("it belongs to %q", got)
	}
	if got := m.NetworkOf(m.Trip("one")); got != m.net.Info().Name {
		t.Errorf("a trip that is recovered on what is shown belongs to %q", got)
	}
	if n := m.Elsewhere(m.Trips()); n != 1 {
		t.Errorf("%d trips belong elsewhere", n)
	}
	m.SetNetworks([]roadnet.Info{own})
	if got := m.NetworkOf(two); got != m.net.Info().Name {
		t.Errorf("once its network is gone it belongs to %q", got)
	}
}
