package ui

import (
	"retrace/engine/roadnet"
	"retrace/ui/action"
	"retrace/ui/find"
)

// newFind makes the field that finds.
func (w *window) newFind() {
	w.finder = find.New(w.m, find.Acts{Do: w.do, Go: w.goToFound, Leave: w.unfocus, Here: func() roadnet.Point {
		return w.view.View().Bounds().Center()
	}, Todo: w.todo})
}

// todo is all of the menus that can be done now, so that the keyboard reaches it.
func (w *window) todo() []find.Doable {
	var all []find.Doable
	for _, a := range w.actions {
		if a.Can() && a.ID != "find" {
			all = append(all, find.Doable{ID: string(a.ID), Name: a.Menu.Title() + ": " + a.Name(), Key: a.Key.String()})
		}
	}
	return all
}

// goToFound shows and selects what was found.
func (w *window) goToFound(r find.Result) {
	if r.Kind == find.Command {
		w.actions.Do(action.ID(r.ID))
		return
	}
	item := r.Item()
	if r.Kind == find.Trip {
		w.m.SelectTrip(r.Name)
		return
	}
	w.followed = item // the map goes there by itself
	w.m.Select(item)
	if r.Kind == find.Place {
		w.goTo(r.Where)
		return
	}
	w.view.Fit(roomFor(r.Bounds))
}

// leastRoom is how much around a short road is shown, in degrees.
const leastRoom = 0.002

// roomFor is a box with a little around it.
func roomFor(b roadnet.Bounds) roadnet.Bounds {
	return roadnet.Bounds{MinLon: b.MinLon - leastRoom, MinLat: b.MinLat - leastRoom, MaxLon: b.MaxLon + leastRoom, MaxLat: b.MaxLat + leastRoom}
}
