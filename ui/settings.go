package ui

import (
	"encoding/json"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/mapview/render"
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
	if l.Width > 400 && l.Height > 300 {
		w.size = fyne.NewSize(l.Width, l.Height)
	}
	return l.Network
}

// remember keeps how the window is left.
func (w *window) remember() {
	size := w.win.Canvas().Size()
	c := w.m.Clock()
	l := left{Options: w.m.Options(), Panels: w.m.PanelSet(), Layers: w.m.ShownLayers(), ColourBy: w.m.ColourBy(),
		Speed: c.Speed, Loop: c.Loop, Width: size.Width, Height: size.Height}
	if net := w.m.Network(); net != nil && !w.desk.Sample() {
		l.Network = net.Info().Name
	}
	data, err := json.Marshal(l)
	if err == nil {
		err = w.desk.SetSetting(settingsKey, data)
	}
	if err != nil {
		w.failed(lang.L("How the window is left cannot be kept."), err)
	}
}

func (w *window) failed(what string, err error) { w.m.Notify(state.Fault, what, err.Error()) }

// languages are those that the window speaks.
func languages() (tags, names []string) {
	return []string{"", "en", "de", "pt", "zh"}, []string{lang.L("as the system"), "English", "Deutsch", "Português", "中文"}
}

// showSettings lets the user set theme, text size, language and recovery.
func (w *window) showSettings() {
	o := w.m.Options()
	modes := []look.Mode{look.System, look.Light, look.Dark}
	theme := widget.NewSelect([]string{lang.L("as the system"), lang.L("light"), lang.L("dark")}, nil)
	for i, m := range modes {
		if string(m) == o.Theme {
			theme.SetSelectedIndex(i)
		}
	}
	sizes := []float32{0.9, 1, 1.15, 1.3, 1.5}
	text := widget.NewSelect([]string{"90 %", "100 %", "115 %", "130 %", "150 %"}, nil)
	for i, s := range sizes {
		if s == o.TextScale {
			text.SetSelectedIndex(i)
		}
	}
	tags, names := languages()
	language := widget.NewSelect(names, nil)
	for i, t := range tags {
		if t == o.Language {
			language.SetSelectedIndex(i)
		}
	}
	ticks := []int{5, 10, 15, 30, 60}
	tick := widget.NewSelect([]string{"5 s", "10 s", "15 s", "30 s", "60 s"}, nil)
	for i, t := range ticks {
		if t == o.Tick {
			tick.SetSelectedIndex(i)
		}
	}
	zone := widget.NewCheck(lang.L("Times in the place's own zone, not UTC"), nil)
	zone.SetChecked(o.Zone)
	items := []*widget.FormItem{
		widget.NewFormItem(lang.L("Colours"), theme),
		widget.NewFormItem(lang.L("Text size"), text),
		widget.NewFormItem(lang.L("Language (after a restart)"), language),
		widget.NewFormItem(lang.L("A recovered point every"), tick),
		widget.NewFormItem("", zone),
	}
	d := dialog.NewForm(lang.L("Settings"), lang.L("Apply"), lang.L("Cancel"), items, func(apply bool) {
		if !apply {
			return
		}
		o.Theme = string(pick(modes, theme.SelectedIndex(), look.Mode(o.Theme)))
		o.TextScale = pick(sizes, text.SelectedIndex(), o.TextScale)
		o.Language = pick(tags, language.SelectedIndex(), o.Language)
		o.Tick = pick(ticks, tick.SelectedIndex(), o.Tick)
		o.Zone = zone.Checked
		w.m.SetOptions(o)
	}, w.win)
	w.present(d, fyne.NewSize(440, 0))
}

// pick is what was selected, or what was set before.
func pick[T any](list []T, i int, before T) T {
	if i < 0 || i >= len(list) {
		return before
	}
	return list[i]
}
