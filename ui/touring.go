package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/tour"
)

// touredKey is the workspace's setting that says that the tour was seen.
const touredKey = "toured"

// newTour makes the tour of the window.
func (w *window) newTour() {
	object := func(o fyne.CanvasObject) func() fyne.CanvasObject { return func() fyne.CanvasObject { return o } }
	w.tour = tour.New([]tour.Step{
		{Title: lang.L("The map"), At: object(w.view),
			Text: lang.L("Rings are the points that a vehicle sent; the blue line is the way that was recovered between them. Drag to move, turn the wheel to zoom, click on anything to learn more. Drop files anywhere on the window to open them.")},
		{Title: lang.L("Layers and trips"), At: object(w.shell.left),
			Text: lang.L("Switch on what the map shows, and choose the trip that you look at: N and P lead to the next and the one before.")},
		{Title: lang.L("Inspector"), At: object(w.shell.right),
			Text: lang.L("All that is known of what you selected. Of a point it lists the roads on which it may lie: click one to pin the point to it, and the trip is recovered again. Ctrl+Z takes it back.")},
		{Title: lang.L("Time strip"), At: object(w.strip.Object),
			Text: lang.L("Space plays the trip. The strip shows speed or probability over time, and where it drove on an elevated road.")},
		{Title: lang.L("Tables"), At: object(w.dock.Object),
			Text: lang.L("All trips, points and roads as tables to sort and to filter. ELEVATED lists the places in doubt, the most doubtful first.")},
		{Title: lang.L("Your own data"), At: object(w.bar.Object),
			Text: lang.L("Here stands which network is shown and what computes. This is a sample: drop an OpenStreetMap extract of your city and your trips, recover them with Ctrl+Shift+R, and hand them on with Ctrl+E. The manual is in the Help menu.")},
	}, w.toured, func(f fyne.Focusable) { w.win.Canvas().Focus(f) })
}

// startTour opens the panels that the tour points at, and begins.
func (w *window) startTour() {
	set := w.m.PanelSet()
	for p := range set.Open {
		set.Open[p] = true
	}
	w.m.SetPanels(set)
	w.tour.Start()
}

// tourLater begins the tour, where it was never seen, once there is something to
// see: when nothing runs any more.
func (w *window) tourLater() {
	begun := false
	w.m.Watch(state.Tasks, func() {
		if !begun && len(w.tasks.Running()) == 0 && w.hasTrips() && !w.previewing() {
			begun = true
			w.tourOnce()
		}
	})
}

// tourOnce begins the tour where it was never seen.
func (w *window) tourOnce() {
	if _, seen := w.desk.Setting(touredKey); !seen && w.desk.Kept() {
		w.startTour()
	}
}

// toured remembers that the tour was seen.
func (w *window) toured() {
	w.unfocus()
	w.desk.KeepSetting(touredKey, []byte("true"))
}
