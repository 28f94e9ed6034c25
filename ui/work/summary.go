package work

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/words"
)

// summary says what was read, and what to do with it.
func (r *reading) summary() {
	d := r.desk
	level, parts := r.counted()
	warn := func(text string) {
		level = max(level, state.Warn)
		parts = append(parts, text)
	}
	if r.left > 0 {
		warn(lang.N("{{.Rows}} rows left out: see the table PROBLEMS.", r.left, map[string]any{"Rows": words.Count(r.left)}))
	}
	if r.failed > 0 {
		warn(lang.N("{{.N}} files could not be read to the end: see the table PROBLEMS.", r.failed, map[string]any{"N": r.failed}))
	}
	if n := len(r.denser); n > 0 {
		parts = append(parts, lang.N("{{.N}} of them are denser versions of trips that were here.", n, map[string]any{"N": words.Count(n)}))
	}
	if r.uncovered {
		parts = append(parts, lang.L("The map shows all trips again."))
	}
	outside := outsideOf(r.shown)
	if outside > 0 {
		warn(lang.N("{{.N}} lie outside the network.", outside, map[string]any{"N": words.Count(outside)}))
	}
	if d.state.Network() == nil && r.trips.count > 0 {
		parts = append(parts, lang.L("Drop an OpenStreetMap extract of their area to recover them."))
	}
	d.state.NotifyOffer(level, strings.Join(parts, " "), r.details(), r.offer(outside))
}

// counted says how many trips came, and how many files and trips were there
// already.
func (r *reading) counted() (level state.Level, parts []string) {
	n := r.trips.count
	switch {
	case n > 0:
		parts = append(parts, lang.N("{{.N}} trips read.", n, map[string]any{"N": words.Count(n)}))
	case r.known+r.same == 0:
		level = state.Fault
		parts = append(parts, lang.L("No trip could be read."))
	}
	if r.known > 0 {
		parts = append(parts, lang.N("{{.N}} files were read already: their trips are here.", r.known, map[string]any{"N": words.Count(r.known)}))
	}
	if r.same > 0 {
		parts = append(parts, lang.N("{{.N}} trips were here already.", r.same, map[string]any{"N": words.Count(r.same)}))
	}
	return level, parts
}

func outsideOf(trips []*state.Trip) int {
	n := 0
	for _, t := range trips {
		if t.Status == state.Outside {
			n++
		}
	}
	return n
}

// offer is what can be done next: look where the trips lie that are outside, or
// recover those that are not.
func (r *reading) offer(outside int) *state.Offer {
	d := r.desk
	switch {
	case len(r.denser) > 0 && d.state.Network() != nil:
		return &state.Offer{Name: lang.L("Use them as truth"), Run: func() { d.useAsTruth(r.denser) }, Due: r.hasDenser}
	case outside > 0 && d.ShowExtents != nil:
		return &state.Offer{Name: lang.L("Show both extents"), Run: d.ShowExtents}
	case d.state.Network() != nil && len(r.shown) > 0:
		trips := r.shown
		return &state.Offer{Name: lang.L("Recover them"), Run: func() { d.Recover(d.present(trips)) },
			Due: func() bool { return slices.ContainsFunc(d.present(trips), isWaiting) }}
	}
	return nil
}

// hasDenser reports whether a denser version of a trip is still there.
func (r *reading) hasDenser() bool {
	for id, of := range r.denser {
		if m := r.desk.state; m.Trip(id) != nil && m.Trip(of) != nil {
			return true
		}
	}
	return false
}

func isWaiting(t *state.Trip) bool { return t.Status == state.Waiting }

// present are those trips that have not been removed meanwhile.
func (d *Desk) present(trips []*state.Trip) []*state.Trip {
	var here []*state.Trip
	for _, t := range trips {
		if d.state.Trip(t.ID()) == t {
			here = append(here, t)
		}
	}
	return here
}

// details counts what was left out, mended or cut, the most frequent first.
func (r *reading) details() string {
	names := make([]string, 0, len(r.reasons))
	for reason := range r.reasons {
		names = append(names, reason)
	}
	sort.Slice(names, func(i, j int) bool {
		if a, b := r.reasons[names[i]], r.reasons[names[j]]; a != b {
			return a > b
		}
		return names[i] < names[j]
	})
	var b strings.Builder
	for _, reason := range names {
		fmt.Fprintf(&b, "%s × %s\n", words.Count(r.reasons[reason]), r.say(reason))
	}
	return b.String()
}
