package trips

import (
	"slices"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// grouping says by what the list is parted.
type grouping uint8

// The groupings.
const (
	ungrouped grouping = iota
	byFile
	byVehicle
	byDay
	byState
	numGroupings = iota
)

// title says what a grouping does.
func (g grouping) title() string {
	return [...]string{lang.L("no groups"), lang.L("by file"), lang.L("by vehicle"), lang.L("by day"), lang.L("by state")}[g]
}

// of is the group that a trip is in: what it is sorted by, and what it is called.
func (g grouping) of(t *state.Trip, zone *time.Location) (key, name string) {
	switch g {
	case byFile:
		return query.NaturalKey(t.Source()), t.Source()
	case byVehicle:
		return query.NaturalKey(t.Vehicle()), t.Vehicle()
	case byDay:
		if t.Facts.Points == 0 {
			return "", ""
		}
		return time.UnixMilli(t.Facts.Start).In(zone).Format("2006-01-02"), words.Day(t.Facts.Start, zone)
	}
	return string('0' + rune(t.Status)), words.Status(t.Status)
}

// entry is one row of the list: a trip, or the head of a group.
type entry struct {
	trip  *state.Trip   // nil: a head
	group string        // key of the head's group
	name  string        // of the head's group
	trips []*state.Trip // of the head's group
}

// entries lists trips, parted into groups; of groups that are folded only the
// heads.
func (g grouping) entries(trips []*state.Trip, zone *time.Location, folded map[string]bool) []entry {
	if g == ungrouped {
		list := make([]entry, len(trips))
		for i, t := range trips {
			list[i].trip = t
		}
		return list
	}
	heads := map[string]*entry{}
	var keys []string
	for _, t := range trips {
		key, name := g.of(t, zone)
		h := heads[key]
		if h == nil {
			if name == "" {
				name = lang.L("not known")
			}
			h = &entry{group: key, name: name}
			heads[key] = h
			keys = append(keys, key)
		}
		h.trips = append(h.trips, t)
	}
	slices.Sort(keys)
	var list []entry
	for _, key := range keys {
		list = append(list, *heads[key])
		if folded[key] {
			continue
		}
		for _, t := range heads[key].trips {
			list = append(list, entry{trip: t})
		}
	}
	return list
}
