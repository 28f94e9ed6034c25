package work

import (
	"context"
	"encoding/json"

	"retrace/storage"
	"retrace/ui/state"
)

// Autosave keeps what has changed since it was kept last, together with the
// steps by which it is undone. It is called after every change of the trips and
// of the history, returns at once, and writes beside the window.
func (d *Desk) Autosave() {
	u := d.state.TakeUnsaved()
	if u.Empty() || d.sample || !d.Kept() {
		return
	}
	ws, truths := d.ws, d.changedTruths(u)
	for i, e := range d.edits(u) {
		d.keeper.add(func() error {
			if i == 0 && len(truths) > 0 {
				all, err := withTruths(ws, truths)
				if err != nil {
					return err
				}
				if e.Settings == nil {
					e.Settings = map[string][]byte{}
				}
				e.Settings[truthsKey] = all
			}
			if err := ws.Apply(context.Background(), e); err != nil {
				return err
			}
			d.do(func() { d.state.LetGo(d.records, e.Trajectories, e.Recoveries) })
			return nil
		})
	}
	d.state.Unload(mostLoaded)
}

const (
	// editTrips is how many trips are kept in one transaction.
	editTrips = 256
	// mostLoaded bounds how many trips the history holds in memory.
	mostLoaded = 1000
)

// heldAt is where a step holds a trip.
type heldAt struct {
	step  *state.Step
	index int
}

// edits are the transactions in which changes are kept: a trip and what steps
// hold of it go into the same one.
func (d *Desk) edits(u state.Unsaved) []storage.Edit {
	held := map[string][]heldAt{}
	for _, s := range u.Steps {
		for _, i := range u.Held[s] {
			held[s.Held[i].ID] = append(held[s.Held[i].ID], heldAt{s, i})
		}
	}
	var edits []storage.Edit
	for rest := u.Trips; len(edits) == 0 || len(rest) > 0; {
		some := rest[:min(len(rest), editTrips)]
		rest = rest[len(some):]
		var e storage.Edit
		if len(edits) == 0 {
			e.Settings, e.Forgotten = d.tripSettings(u), u.Forgotten
		}
		changed := map[*state.Step][]int{}
		for _, id := range some {
			d.addTrip(&e, id, u.Facets[id])
			for _, h := range held[id] {
				changed[h.step] = append(changed[h.step], h.index)
			}
		}
		for _, s := range u.Steps {
			e.Steps = append(e.Steps, stepToKeep(s, changed[s], len(rest) == 0))
		}
		edits = append(edits, e)
	}
	return edits
}

// addTrip adds what has changed of a trip to an edit.
func (d *Desk) addTrip(e *storage.Edit, id string, f state.Facet) {
	t := d.state.Trip(id)
	switch {
	case t == nil:
		e.Removed = append(e.Removed, id)
		return
	case f&state.Presence != 0:
		e.Trajectories = append(e.Trajectories, t.Trajectory())
	}
	if f&(state.Presence|state.Recoveries) == 0 {
		return
	}
	if r := t.Recovery(); r != nil {
		e.Recoveries = append(e.Recoveries, r)
	} else {
		e.Unrecovered = append(e.Unrecovered, id)
	}
}

// stepHead is a step as the workspace has it.
type stepHead struct {
	Kind    state.StepKind
	N       int
	Name    string
	Undone  bool
	Options *state.RecoveryOptions `json:",omitempty"`
}

// heldHead is what a step holds of a trip as the workspace has it, but for its
// trajectory and its recovery.
type heldHead struct {
	ID      string
	Facets  state.Facet
	After   bool
	There   bool // false: held as a whole, and not there
	Place   int
	Records bool       // a trajectory or a recovery is kept beside
	Truth   *keptTruth `json:",omitempty"`
	tripMarks
}

// stepToKeep is a step with those of the trips that it holds that have changed.
// Undone is written last, so that a step half undone can be undone to its end.
func stepToKeep(s *state.Step, changed []int, last bool) storage.Step {
	head := stepHead{s.Kind, s.N, s.Name, s.Undone && last, s.Options}
	kept := storage.Step{Number: s.Number, Head: asJSON(head), Count: s.Keeping(changed)}
	for _, i := range changed {
		h := s.Held[i]
		if h.Stored {
			continue // as it is kept
		}
		x := heldHead{ID: h.ID, Facets: h.Facets, After: h.After, Place: h.Place, There: h.Trip != nil}
		item := storage.Held{Index: uint32(i)}
		if h.Trip != nil {
			x.tripMarks, x.Truth = marksOf(h.Trip), keep(state.Truth{Way: h.Trip.True, Path: h.Trip.Truth})
			item.Trajectory, item.Recovery = h.Trip.Trajectory(), h.Trip.Recovery()
			x.Records = item.Trajectory != nil || item.Recovery != nil
		}
		item.Head = asJSON(x)
		kept.Held = append(kept.Held, item)
	}
	return kept
}

// asJSON writes plain data, which cannot fail.
func asJSON(v any) []byte {
	text, _ := json.Marshal(v)
	return text
}
