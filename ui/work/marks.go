package work

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"

	"retrace/engine"
	"retrace/ui/state"
)

// tripMarks is what the user has said of a trip.
type tripMarks struct {
	Pins    []engine.Pin `json:",omitempty"`
	Checked []state.Mark `json:",omitempty"`
	Hidden  bool         `json:",omitempty"`
	Name    string       `json:",omitempty"`
}

func marksOf(t *state.Trip) tripMarks { return tripMarks{t.Pins, t.Checked, t.Hidden, t.Name} }

func (m tripMarks) give(t *state.Trip) {
	t.Pins, t.Checked, t.Hidden, t.Name = m.Pins, m.Checked, m.Hidden, m.Name
}

// The workspace's settings that hold what the user has said of all trips, each
// by trip.
const (
	pinsKey    = "pins"
	checkedKey = "checked"
	hiddenKey  = "hidden"
	namesKey   = "names"
)

// tripSettings are those settings that have changed, as they are now.
func (d *Desk) tripSettings(u state.Unsaved) map[string][]byte {
	var changed state.Facet
	for _, f := range u.Facets {
		changed |= f
	}
	if changed&(state.Presence|state.Pinning|state.Checks|state.Hiding|state.Naming) == 0 {
		return nil
	}
	all := d.allMarks()
	settings := map[string][]byte{}
	for key, value := range map[string]any{
		pinsKey:    taken(all, func(m tripMarks) ([]engine.Pin, bool) { return m.Pins, len(m.Pins) > 0 }),
		checkedKey: taken(all, func(m tripMarks) ([]state.Mark, bool) { return m.Checked, len(m.Checked) > 0 }),
		hiddenKey:  taken(all, func(m tripMarks) (bool, bool) { return true, m.Hidden }),
		namesKey:   taken(all, func(m tripMarks) (string, bool) { return m.Name, m.Name != "" }),
	} {
		if changed&(facetOf(key)|state.Presence) != 0 {
			settings[key] = asJSON(value)
		}
	}
	return settings
}

// facetOf is the facet of trips that a setting holds.
func facetOf(key string) state.Facet {
	return map[string]state.Facet{pinsKey: state.Pinning, checkedKey: state.Checks, hiddenKey: state.Hiding, namesKey: state.Naming}[key]
}

// allMarks is what the user has said of trips, also of those that are still
// on their way out of the workspace.
func (d *Desk) allMarks() map[string]tripMarks {
	all := maps.Clone(d.unread)
	if all == nil {
		all = map[string]tripMarks{}
	}
	for _, t := range d.state.Trips() {
		if len(t.Pins)+len(t.Checked) > 0 || t.Hidden || t.Name != "" {
			all[t.ID()] = marksOf(t)
		} else if len(all) > 0 {
			delete(all, t.ID())
		}
	}
	return all
}

// taken is one of the marks, of those trips that have it.
func taken[T any](all map[string]tripMarks, of func(tripMarks) (T, bool)) map[string]T {
	out := map[string]T{}
	for id, m := range all {
		if v, ok := of(m); ok {
			out[id] = v
		}
	}
	return out
}

// keptMarks reads what the user had said of all trips.
func (d *Desk) keptMarks() (map[string]tripMarks, error) {
	pins, err := keptSetting[[]engine.Pin](d, pinsKey)
	if err != nil {
		return nil, err
	}
	checked, err := keptSetting[[]state.Mark](d, checkedKey)
	if err != nil {
		return nil, err
	}
	hidden, err := keptSetting[bool](d, hiddenKey)
	if err != nil {
		return nil, err
	}
	names, err := keptSetting[string](d, namesKey)
	if err != nil {
		return nil, err
	}
	all := map[string]tripMarks{}
	for _, ids := range []iter.Seq[string]{maps.Keys(pins), maps.Keys(checked), maps.Keys(hidden), maps.Keys(names)} {
		for id := range ids {
			all[id] = tripMarks{pins[id], checked[id], hidden[id], names[id]}
		}
	}
	return all, nil
}

// keptSetting reads one of these settings.
func keptSetting[T any](d *Desk, key string) (map[string]T, error) {
	data, ok, err := d.ws.Setting(key)
	if err != nil || !ok {
		return nil, err
	}
	var all map[string]T
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("the %s of the workspace: %w", key, err)
	}
	return all, nil
}
