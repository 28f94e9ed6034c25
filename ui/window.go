package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/mapview"
	"retrace/mapview/render"
	"retrace/ui/action"
	"retrace/ui/dock"
	"retrace/ui/find"
	"retrace/ui/inspector"
	"retrace/ui/kit"
	"retrace/ui/layers"
	"retrace/ui/look"
	"retrace/ui/menubar"
	"retrace/ui/notices"
	"retrace/ui/state"
	"retrace/ui/status"
	"retrace/ui/strip"
	"retrace/ui/task"
	"retrace/ui/tour"
	"retrace/ui/trips"
	"retrace/ui/work"
)

// window is the one window of the program.
type window struct {
	app     fyne.App
	win     fyne.Window
	do      func(func()) // runs a function on the window's goroutine
	version string

	m       *state.Model
	tasks   *task.Manager
	desk    *work.Desk
	actions action.Table

	view      *mapview.Map
	layers    *layers.Panel
	trips     *trips.Panel
	inspector *inspector.Panel
	dock      *dock.Panel
	strip     *strip.Panel
	bar       *status.Bar
	notices   *notices.Panel
	shell     *shell
	root      *kit.Root
	empty     *fyne.Container
	menubar   *menubar.Bar
	menus     *menus // of the system; nil where it has none
	drawing   drawing

	finder   *find.Panel
	traffic  traffic
	screened *roadnet.Network // that a screen was drawn on
	previews previews
	tour     *tour.Panel

	dialog   dialog.Dialog // that stands before the window; nil: none
	accept   func()        // what Enter does in the dialog; nil: nothing
	leave    func()        // ends the loop, once no task runs any more
	closing  bool          // it was asked to close, and answers or waits for its work
	quitting bool
	replaced bool // by the window of another study, which onReplaced hears of

	onReplaced func(*window) // may be nil
	beating    bool          // the pulse runs
	size       fyne.Size
	themed     themed
	followed   render.Item      // the map has brought into view
	stay       bool             // what is selected now is in view
	shown      *roadnet.Network // on the map
	choices    int              // of the user, that the map shows
	stale      bool             // the map has not got the latest trips
	synced     time.Time        // when it got trips last

	desktop  itsDesktop // nil: not known yet
	choosing bool       // a dialog of the system is open

	kept        map[string]string // settings, as they were kept last
	remembering bool              // they will be kept soon
	lastNetwork string            // that was shown when the study was left
	lastView    *leftView         // of it, until it is shown; nil: none
	lastTrip    string            // of it, until it is there
}

// newWindow makes the window with everything in it. Do runs a function on the
// window's goroutine.
func newWindow(app fyne.App, do func(func()), version string) *window {
	return windowOn(app, app.NewWindow("Retrace"), do, version)
}

// windowOn is newWindow in a window of the system that is there.
func windowOn(app fyne.App, win fyne.Window, do func(func()), version string) *window {
	w := &window{app: app, win: win, do: do, version: version, m: state.New(), size: defaultSize(), leave: app.Quit, kept: map[string]string{}}
	w.tasks = task.NewManager(do, func() { w.m.Touch(state.Tasks) })
	w.desk = work.New(w.m, w.tasks, do, w.ask, version)
	w.desk.OnNetwork = w.showNetwork
	w.desk.OnTrips = w.fitTrips
	w.desk.Preview = w.preview
	w.desk.ShowExtents = w.showExtents
	return w
}

// build makes the panels, once settings and language are known.
func (w *window) build() {
	w.m.Watch(state.Settings, w.applyTheme) // before the panels hear of them
	w.m.Watch(state.Settings, w.applyUnits)
	w.applyTheme()
	w.applyUnits()
	w.actions = w.table()
	w.view = mapview.New(w.mapOptions())
	w.view.SetWords(mapWords())
	w.view.SetTextScale(float64(w.m.Options().TextScale))
	w.view.SetMiles(w.m.Options().Miles)
	w.newTraffic()
	w.layers = layers.New(w.m)
	w.trips = trips.New(w.m, trips.Acts{Open: w.openFiles, Sample: w.desk.OpenSample, Show: w.bring, Fit: w.fitSelection, Menu: w.tripMenu, Leave: w.unfocus,
		Recover: func() { w.actions.Do(actRecover) }, Hide: w.hide, Only: w.solo, Export: w.export, Remove: w.remove})
	w.inspector = inspector.New(w.m, w.inspectorActs())
	w.dock = dock.New(w.m, dock.Acts{Do: w.do, Copy: w.copyText, Show: w.bring, Fit: w.fitItem, GoTo: w.goTo, Leave: w.unfocus, Menu: w.tripMenu,
		Flows: w.traffic.keeper, Draw: w.drawScreen, Write: w.write, Roads: w.narrowToRoads, Counted: w.showLinks})
	w.newFind()
	w.strip = strip.New(w.m, strip.Acts{Back: func() { w.step(-1) }, Play: w.togglePlay, On: func() { w.step(1) }})
	w.notices = notices.New(w.m, w.tasks, w.showDetails)
	w.bar = status.New(w.m, w.desk.Sample)
	w.newPreviews()
	w.newMenus()
	w.layOut()
	w.watch()
	w.bindKeys()
	w.win.SetOnDropped(w.dropped)
	w.win.SetCloseIntercept(w.close)
	w.win.SetContent(w.root)
	w.win.SetPadded(false)
}

func (w *window) layOut() {
	s := newShell(w.m)
	left := container.New(leftColumn{}, w.layers.Object, w.trips.Object)
	w.layers.Folded = left.Refresh
	s.left = container.NewStack(kit.NewFill(look.Surface), left)
	s.right = container.NewStack(kit.NewFill(look.Surface), w.inspector.Object)
	s.strip, s.dock, s.bar = w.strip.Object, w.dock.Object, w.bar.Object
	s.preview = w.previews.panel.Object
	s.leftHandle = handle("fold-right", lang.L("Open layers and trips (L)"), func() { w.m.TogglePanel(state.LeftPanel) })
	s.rightHandle = handle("fold-left", lang.L("Open the inspector (I)"), func() { w.m.TogglePanel(state.InspectorPanel) })
	w.empty = container.NewCenter(w.noNetwork())
	s.mapStack = container.NewStack(w.view, w.empty, w.notices.Object, w.finder.Object)
	w.shell = s
	laid := s.object()
	w.newTour()
	w.root = kit.NewRoot(container.NewStack(kit.NewBorder(w.menubar.Object, nil, nil, nil, laid), w.tour.Object, w.menubar.Layer))
}

// handle is the button that opens a folded panel.
func handle(icon, tip string, run func()) fyne.CanvasObject {
	return container.NewStack(kit.NewCard(), kit.NewIconButton(icon, tip, run))
}

// noNetwork is what the map shows where there is no network.
func (w *window) noNetwork() fyne.CanvasObject {
	text := kit.NewEmpty("city", lang.L("Drop an OpenStreetMap extract here"),
		lang.L("A .osm.pbf, .osm, .osm.gz or .osm.bz2 of your city. Retrace makes a road network of it and keeps it."),
		kit.NewButton(lang.L("Open files…"), "open", kit.Primary, w.openFiles),
		kit.NewButton(lang.L("Open the sample"), "city", kit.Normal, w.desk.OpenSample))
	return kit.NewFixed(380, 0, container.NewStack(kit.NewCard(), kit.NewPad(18, 18, 18, 18, text)))
}

// watch keeps the map, the menus and the title in step with the state.
func (w *window) watch() {
	m := w.m
	m.Watch(state.Network|state.Tasks, w.syncEmpty)
	m.Watch(state.Network, w.syncNetwork)
	w.watchTraffic()
	m.Watch(state.Trips|state.Network, w.syncTrips)
	m.Watch(state.Selection, w.syncSelection)
	m.Watch(state.Layers, w.syncLayers)
	w.watchMap()
	m.Watch(state.Tasks, w.leaveWhenDone)
	m.Watch(state.Time|state.Selection|state.Trips, w.syncMarker)
	m.Watch(state.Settings, w.desk.Prepare)
	m.Watch(state.Panels, w.freeKeys)
	m.Watch(state.Tasks|state.Time|state.Notices, w.pulse)
	if w.menus != nil {
		m.Watch(state.Everything&^state.Time, w.menus.refresh)
	}
	m.Watch(state.Network|state.Settings, w.remember)
	m.Watch(state.Panels|state.Layers|state.Selection|state.Flows, w.rememberLater)
	m.Watch(state.Trips, w.selectLast)
	m.Watch(state.Trips|state.History, w.desk.Autosave)
	w.app.Settings().AddListener(func(fyne.Settings) {
		if !w.quitting {
			w.view.SetDark(w.dark())
		}
	})
	w.syncEmpty()
	w.syncNetwork()
	w.syncTrips()
	w.syncLayers()
	w.view.SetDark(w.dark())
}

// How often playback moves on, and how often tasks and messages are looked after.
const (
	beat     = 33 * time.Millisecond
	slowBeat = 200 * time.Millisecond
)

// pulse runs while something plays or a task is under way.
func (w *window) pulse() {
	if w.beating || !w.alive() {
		return
	}
	w.beating = true
	go func() {
		last := time.Now()
		pace := beat
		for on := true; on; {
			time.Sleep(pace)
			now := time.Now()
			passed := now.Sub(last)
			last = now
			again := make(chan time.Duration, 1)
			w.do(func() { again <- w.onBeat(passed) })
			pace = <-again
			on = pace > 0
		}
	}()
}

func (w *window) alive() bool {
	return w.m.Clock().Playing || len(w.tasks.Running()) > 0 || w.notices.Waiting()
}

// onBeat does what is due and says when the next beat is; 0 ends the pulse.
func (w *window) onBeat(passed time.Duration) time.Duration {
	w.m.Advance(passed)
	w.notices.Tick()
	if len(w.tasks.Running()) == 0 || time.Since(w.synced) >= tripsEvery {
		w.handTrips()
	}
	w.beating = w.alive()
	switch {
	case !w.beating:
		return 0
	case w.m.Clock().Playing:
		return beat
	}
	return slowBeat
}
