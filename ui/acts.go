package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/mapview/render"
	"retrace/ui/state"
)

func (w *window) hasNetwork() bool    { return w.m.Network() != nil }
func (w *window) hasTrips() bool      { return len(w.m.Trips()) > 0 }
func (w *window) hasCurrent() bool    { return w.m.Current() != nil }
func (w *window) hasMarked() bool     { return len(w.m.Marked()) > 0 }
func (w *window) hasRecoveries() bool { return w.m.Count().Recovered > 0 }

// escape leaves what is under way, one thing at a time: what is being drawn, the search, the trip
// shown alone, the comparison, the selection.
func (w *window) escape() {
	switch {
	case w.menubar.Shown():
		w.menubar.Close()
	case w.view.Drawing():
		w.view.StopDrawing()
	case w.tour.Shown():
		w.tour.Leave()
	case w.previewing():
		w.previews.panel.Decide(false)
	case w.finder.Shown():
		w.finder.Close()
	case w.win.Canvas().Focused() != nil:
		w.unfocus()
	case w.m.Selected().Kind > render.TripItem && w.hasCurrent():
		id := w.m.Current().ID()
		w.followed = render.Item{Kind: render.TripItem, Trip: id} // the map stays
		w.m.SelectTrip(id)
	case w.comparing():
		w.m.EndComparison()
	case w.m.Solo() != "":
		w.m.SetSolo("")
	case w.narrowed():
		w.m.Widen()
	default:
		w.m.Deselect()
	}
}

func (w *window) find() { w.finder.Open() }

func (w *window) narrowed() bool {
	_, _, ok := w.m.Narrowed()
	return ok
}

// selectAll selects all there is of what has the keys: a text, the rows of a
// table, else the trips of the list.
func (w *window) selectAll() {
	if w.edit(&fyne.ShortcutSelectAll{}) || w.dock.MarkFocused() || w.trips.MarkFocused() {
		return
	}
	var ids []string
	for _, t := range w.m.Found() {
		ids = append(ids, t.ID())
	}
	w.m.Mark(ids)
}

// copyRows copies what is selected of what has the keys: a text, or rows of a
// table.
func (w *window) copyRows() {
	if !w.edit(&fyne.ShortcutCopy{Clipboard: w.app.Clipboard()}) {
		w.dock.CopyFocused()
	}
}

// edit hands a key of editing to the text field that has the keys; false where
// none has.
func (w *window) edit(s fyne.Shortcut) bool {
	field, ok := w.win.Canvas().Focused().(interface {
		fyne.Shortcutable
		SelectedText() string
	})
	if ok {
		field.TypedShortcut(s)
	}
	return ok
}

func (w *window) remove() { w.desk.Remove(w.m.Marked()) }

// solo shows the current trip alone, or the marked ones where they are several;
// a second time it shows all again.
func (w *window) solo() {
	if marked := w.m.Marked(); len(marked) > 1 && w.m.Solo() == "" {
		ids := make([]string, len(marked))
		for i, t := range marked {
			ids[i] = t.ID()
		}
		w.m.Narrow(lang.L("selected"), ids)
		return
	}
	if w.m.Solo() != "" {
		w.m.SetSolo("")
		return
	}
	if t := w.m.Current(); t != nil {
		w.m.SetSolo(t.ID())
	}
}

func (w *window) hide() { w.hideTrips(w.m.Marked()) }

// hideTrips hides trips, or shows them where they are hidden.
func (w *window) hideTrips(list []*state.Trip) {
	if len(list) == 0 {
		return
	}
	w.m.Hide(list, w.m.Visible(list[0]))
}

func (w *window) showAll() {
	var hidden []*state.Trip
	for _, t := range w.m.Trips() {
		if t.Hidden {
			hidden = append(hidden, t)
		}
	}
	w.m.SetSolo("")
	w.m.Hide(hidden, false)
}

func (w *window) neighbour(step int) {
	id, ok := w.m.Neighbour(step)
	if !ok {
		return
	}
	if w.m.Solo() != "" {
		w.m.SetSolo(id)
	}
	w.m.SelectTrip(id)
}

func (w *window) pointBeside(step int) {
	if item, ok := w.m.PointBeside(step); ok {
		w.m.Select(item)
	}
}

// stepOfAll is how far a step of the clock goes where all trips are played, in
// milliseconds.
const stepOfAll = 60_000

func (w *window) hasTime() bool { _, _, ok := w.m.TimeSpan(); return ok }

// step moves the clock to the next point or the one before.
func (w *window) step(by int) {
	w.m.Play(false)
	if c := w.m.Clock(); c.Over != state.PlayTrip {
		w.m.SetTime(c.At + int64(by)*stepOfAll)
		return
	}
	w.pointBeside(by)
}

func (w *window) togglePlay() { w.m.Play(!w.m.Clock().Playing) }

func (w *window) toggleDark() {
	o := w.m.Options()
	o.Theme = "dark"
	if w.dark() {
		o.Theme = "light"
	}
	w.m.SetOptions(o)
}

func (w *window) recoverOne(t *state.Trip) { w.desk.Recover([]*state.Trip{t}) }
func (w *window) recoverAll()              { w.desk.Recover(w.m.Trips()) }

func (w *window) recoverRest() {
	var rest []*state.Trip
	for _, t := range w.m.Trips() {
		if t.Status != state.Recovered {
			rest = append(rest, t)
		}
	}
	w.desk.Recover(rest)
}
