package work

import (
	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/words"
)

// Remove takes trips out of the workspace; undo puts them back.
func (d *Desk) Remove(trips []*state.Trip) {
	if len(trips) == 0 {
		return
	}
	d.forgetKnown() // dropped again, their files are read again
	d.state.Do(state.RemoveStep, len(trips), state.NameOf(trips), func() { d.state.RemoveTrips(idsOf(trips)) })
	text := lang.N("{{.N}} trips removed.", len(trips), map[string]any{"N": words.Count(len(trips))})
	if name := state.NameOf(trips); name != "" {
		text = lang.L("{{.Name}} is removed.", map[string]any{"Name": name})
	}
	d.offerUndo(text)
}

// offerUndo says what was done last, and offers to take it back for as long as it is
// what undo takes back.
func (d *Desk) offerUndo(text string) {
	step := d.state.ToUndo()
	if step == nil {
		return
	}
	d.state.NotifyOffer(state.Info, text, "", &state.Offer{Name: lang.L("Undo"), Run: d.Undo,
		Due: func() bool { return d.state.ToUndo() == step }})
}

// Rename gives a trip another name.
func (d *Desk) Rename(t *state.Trip, name string) {
	if name != t.Title() {
		d.state.Do(state.RenameStep, 1, t.Title(), func() { d.state.SetName(t.ID(), name) })
	}
}

// SetOptions sets what the user chose. How trips are recovered can be undone.
func (d *Desk) SetOptions(o state.Options) {
	if o.Recovering() == d.state.Options().Recovering() {
		d.state.SetOptions(o)
		return
	}
	d.state.Do(state.SettingsStep, 0, "", func() { d.state.SetOptions(o) })
}

func idsOf(trips []*state.Trip) []string {
	ids := make([]string, len(trips))
	for i, t := range trips {
		ids[i] = t.ID()
	}
	return ids
}

// leaveSample takes the sample away before something of the user's own is
// shown.
func (d *Desk) leaveSample() {
	if d.sample {
		d.state.Change(d.clear)
		d.sample = false
		d.backToWorkspace()
	}
}

// backToWorkspace shows the trips of the workspace again that the sample stood
// in for, and takes up its history.
func (d *Desk) backToWorkspace() {
	if d.ws == nil {
		return
	}
	d.loadHistory()
	if d.covered {
		d.loadTrips()
	}
}
