package ui

import (
	"encoding/json"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// settingsKey is the workspace's setting that holds how the window was left.
const settingsKey = "window"

// left is how the window was left.
type left struct {
	Options  state.Options
	Panels   state.PanelSet
	Layers   render.Layers
	ColourBy render.ColourBy
	Speed    float64
	Loop     bool
	Width    float32
	Height   float32
	Network  string
	View     *leftView `json:",omitempty"` // of that network
}

// leftView is what was shown of a network.
type leftView struct {
	At     roadnet.Point // middle of the map
	Zoom   float64
	Trip   string      `json:",omitempty"` // that was looked at
	Screen flow.Screen // that crossings were counted at
}

// restore brings the window to how it was left; what cannot be read leaves it
// as it is. It returns the name of the network that was shown.
func (w *window) restore() string {
	data, ok := w.desk.Setting(settingsKey)
	if !ok {
		return ""
	}
	l := left{Options: w.m.Options(), Panels: w.m.PanelSet(), Layers: w.m.ShownLayers()}
	if err := json.Unmarshal(data, &l); err != nil {
		w.failed(lang.L("How the window was left cannot be read."), err)
		return ""
	}
	w.m.Change(func() {
		w.m.SetOptions(l.Options)
		w.m.SetPanels(l.Panels)
		w.m.ShowLayer(render.AllLayers, false)
		w.m.ShowLayer(l.Layers, true)
		w.m.SetColourBy(l.ColourBy)
		w.m.SetLoop(l.Loop)
		if l.Speed > 0 {
			w.m.SetSpeed(l.Speed)
		}
	})
	w.restoreDrawn()
	w.lastNetwork, w.lastView = l.Network, l.View
	if l.Width > 400 && l.Height > 300 {
		w.size = fyne.NewSize(l.Width, l.Height)
	}
	return l.Network
}

// rememberAfter is how long the window waits for more changes before it keeps how
// it looks: dragging a divider is one change.
const rememberAfter = time.Second

// rememberLater keeps how the window looks soon, so that a crash loses nothing.
func (w *window) rememberLater() {
	if w.remembering {
		return
	}
	w.remembering = true
	time.AfterFunc(rememberAfter, func() {
		w.do(func() {
			w.remembering = false
			if !w.quitting {
				w.remember()
			}
		})
	})
}

// remember keeps how the window looks, where it has changed.
func (w *window) remember() {
	size := w.win.Canvas().Size()
	c := w.m.Clock()
	l := left{Options: w.m.Options(), Panels: w.m.PanelSet(), Layers: w.m.ShownLayers(), ColourBy: w.m.ColourBy(),
		Speed: c.Speed, Loop: c.Loop, Width: size.Width, Height: size.Height}
	if net := w.m.Network(); net != nil && !w.desk.Sample() {
		l.Network, l.View = net.Info().Name, w.viewLeft()
	} else if w.lastView != nil {
		l.Network, l.View = w.lastNetwork, w.lastView // it is still on its way
	}
	w.keep(settingsKey, l)
	w.keepDrawn()
}

// keep keeps a setting where it has changed.
func (w *window) keep(key string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		w.failed(lang.L("How the window is left cannot be kept."), err)
		return
	}
	if string(data) == w.kept[key] {
		return
	}
	w.kept[key] = string(data)
	w.desk.KeepSetting(key, data)
}

// viewLeft is what is shown of the network now.
func (w *window) viewLeft() *leftView {
	if w.lastView != nil {
		return w.lastView
	}
	v := w.view.View()
	l := &leftView{At: v.Center, Zoom: v.Zoom, Screen: w.m.Screen()}
	if t := w.m.Current(); t != nil {
		l.Trip = t.ID()
	}
	return l
}

// showNetwork brings a network that was opened into view: as it was left where it is
// the one that was shown last, else the whole of it.
func (w *window) showNetwork() {
	v, net := w.lastView, w.m.Network()
	w.lastView = nil
	if v == nil || net == nil || net.Info().Name != w.lastNetwork {
		w.fitAll()
		return
	}
	view := w.view.View()
	view.Center, view.Zoom = v.At, v.Zoom
	w.view.Return(view)
	w.m.SetScreen(v.Screen)
	w.lastTrip = v.Trip
	w.selectLast()
}

// selectLast selects the trip that was looked at last, once it is there; the map
// stays.
func (w *window) selectLast() {
	if w.lastTrip == "" {
		return
	}
	if w.m.Current() != nil {
		w.lastTrip = ""
		return
	}
	if w.m.Trip(w.lastTrip) != nil {
		id := w.lastTrip
		w.lastTrip = ""
		w.followed = render.Item{Kind: render.TripItem, Trip: id}
		w.m.SelectTrip(id)
	}
}

func (w *window) failed(what string, err error) { w.m.Notify(state.Fault, what, err.Error()) }

// languages are those that the window speaks.
func languages() (tags, names []string) {
	return []string{"", "en", "de", "pt", "zh"}, []string{lang.L("as the system"), "English", "Deutsch", "Português", "中文"}
}

// devices are those that the model may run on.
func devices() (names, titles []string) {
	names, titles = []string{string(device.Auto)}, []string{lang.L("the best device")}
	for _, d := range device.Order() {
		names, titles = append(names, string(d)), append(titles, d.Title())
	}
	return names, titles
}

// choice is a select over values with their names.
type choice[T comparable] struct {
	values []T
	widget *kit.Select
}

func newChoice[T comparable](value T, values []T, names []string) choice[T] {
	c := choice[T]{values, kit.NewSelect(names, nil)}
	for i, v := range values {
		if v == value {
			c.widget.SetSelectedIndex(i)
		}
	}
	return c
}

// value is what was selected, or what was set before.
func (c choice[T]) value(before T) T {
	if i := c.widget.SelectedIndex(); i >= 0 {
		return c.values[i]
	}
	return before
}

// folderField is a field for the path of a folder, with a button that asks for one.
func (w *window) folderField(path string) (*kit.Entry, fyne.CanvasObject) {
	entry := kit.NewEntry()
	entry.SetText(path)
	entry.SetPlaceHolder(lang.L("none"))
	entry.OnSubmitted = func(string) { w.accept() }
	ask := kit.NewButton(lang.L("Folder…"), "", kit.Normal, func() {
		w.chooseFolder(lang.L("Open the folder of a model"), entry.SetText)
	})
	return entry, container.NewBorder(nil, nil, nil, ask, entry)
}

// showSettings lets the user set theme, text size, language and recovery.
func (w *window) showSettings() {
	o := w.m.Options()
	theme := newChoice(look.Mode(o.Theme), []look.Mode{look.System, look.Light, look.Dark},
		[]string{lang.L("as the system"), lang.L("light"), lang.L("dark")})
	size := newChoice(o.TextScale, []float32{0.9, 1, 1.15, 1.3, 1.5}, []string{"90 %", "100 %", "115 %", "130 %", "150 %"})
	tags, names := languages()
	language := newChoice(o.Language, tags, names)
	tick := newChoice(o.Tick, []int{5, 10, 15, 30, 60}, []string{"5 s", "10 s", "15 s", "30 s", "60 s"})
	method := newChoice(o.Method, []string{state.MethodAuto, engine.MethodRNTrajRec, engine.MethodHMM, state.MethodCity},
		[]string{lang.L("model, else map matching"), lang.L("model (RNTrajRec)"), lang.L("map matching (HMM)"), lang.L("model of one network, from a folder")})
	city, cityField := w.folderField(o.City)
	where, whereNames := devices()
	on := newChoice(o.Device, where, whereNames)
	decoder := newChoice(o.Decoder, []string{"", engine.DecoderRoutes, engine.DecoderTicks},
		[]string{lang.L("as the model says"), lang.L("whole routes"), lang.L("point by point")})
	miles := newChoice(o.Miles, []bool{false, true}, []string{lang.L("kilometres, km/h"), lang.L("miles, mph")})
	zone := kit.NewCheck(lang.L("Times in the place's own zone, not UTC"), nil, func(bool) {})
	zone.Set(o.Zone)
	gather := kit.NewCheck(lang.L("All trips together tell the model of the roads"), nil, func(bool) {})
	gather.Set(o.Gather)
	form := fields(fieldName(lang.L("Colours")), theme.widget, fieldName(lang.L("Text size")), size.widget,
		fieldName(lang.L("Language (after a restart)")), language.widget, fieldName(lang.L("Lengths and speeds")), miles.widget, fieldName(lang.L("A recovered point every")), tick.widget,
		fieldName(lang.L("Recover by")), method.widget, fieldName(lang.L("The model runs on")), on.widget,
		fieldName(lang.L("The model decodes")), decoder.widget, fieldName(lang.L("Model of one network")), cityField)
	w.confirm(lang.L("Settings"), lang.L("Apply"), kit.NewColumn(6, form, gather, zone), 440, func() {
		o.Theme, o.TextScale, o.Language = string(theme.value(look.System)), size.value(o.TextScale), language.value(o.Language)
		o.Tick, o.Zone, o.Miles = tick.value(o.Tick), zone.On(), miles.value(o.Miles)
		o.Method, o.Device, o.Decoder = method.value(o.Method), on.value(o.Device), decoder.value(o.Decoder)
		o.Gather, o.City = gather.On(), strings.TrimSpace(city.Text)
		w.desk.SetOptions(o)
	})
}
