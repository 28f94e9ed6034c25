// Package status is the bar at the bottom of the window: which network, how
// many trips, what computes, what runs beside, and where the pointer is.
package status

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Bar is the status bar.
type Bar struct {
	Object fyne.CanvasObject

	m                      *state.Model
	network, trips, device *item
	place, scale           *item
	placeRule              fyne.CanvasObject
	sample                 func() bool
}

// Height is how high the bar is at text size 1, in pixels.
const Height = 27

// New makes the bar; sample tells whether what is shown is the sample.
func New(m *state.Model, sample func() bool) *Bar {
	b := &Bar{m: m, sample: sample}
	b.network, b.trips, b.device = newItem(), newItem(), newItem()
	b.place, b.scale = newItem(), newItem()
	left := kit.NewLine(0, -1, b.network, rule(), b.trips, rule(), b.device)
	b.placeRule = rule()
	right := kit.NewLine(0, -1, b.place, b.placeRule, b.scale)
	line := kit.NewBorder(nil, nil, left, right)
	b.Object = container.NewStack(kit.NewFill(look.Second), kit.NewBorder(kit.NewRule(), nil, nil, nil, line))
	m.Watch(state.Network|state.Trips|state.Device, b.refresh)
	b.SetPlace(roadnet.Point{}, false)
	b.refresh()
	return b
}

func rule() fyne.CanvasObject { return kit.NewFixed(1, 14, kit.NewRule()) }

func (b *Bar) refresh() {
	b.network.set(b.networkText(), b.networkTip())
	b.trips.set(tripsText(b.m.Count()), "")
	b.device.set(computingText(b.m.Computing()), computingTip(b.m.Computing()))
	b.Object.Refresh()
}

func (b *Bar) networkText() string {
	net := b.m.Network()
	if net == nil {
		return lang.L("No network")
	}
	info := net.Info()
	name := info.Name
	if b.sample() {
		name = lang.L("Sample: {{.Name}}", map[string]any{"Name": name})
	}
	return lang.L("{{.Name}}: {{.N}} segments", map[string]any{"Name": name, "N": words.Count(info.Segments)})
}

func (b *Bar) networkTip() string {
	net := b.m.Network()
	if net == nil {
		return ""
	}
	info := net.Info()
	tip := info.Source
	if info.DataDate != "" {
		tip += ", " + info.DataDate
	}
	if info.TimeZone != "" {
		tip += ", " + info.TimeZone
	}
	return tip
}

func tripsText(c state.Counts) string {
	if c.All == 0 {
		return lang.L("No trips")
	}
	text := lang.N("{{.N}} trips", c.All, map[string]any{"N": words.Count(c.All)})
	if c.Recovered < c.All {
		text += ", " + lang.L("{{.N}} recovered", map[string]any{"N": words.Count(c.Recovered)})
	}
	if c.Warned > 0 {
		text += ", " + lang.L("{{.N}} with warnings", map[string]any{"N": words.Count(c.Warned)})
	}
	if c.Outside > 0 {
		text += ", " + lang.L("{{.N}} outside", map[string]any{"N": words.Count(c.Outside)})
	}
	return text
}

// SetPlace shows where the pointer is on the map.
func (b *Bar) SetPlace(p roadnet.Point, ok bool) {
	text := ""
	if ok {
		text = words.Place(p)
	}
	b.place.set(text, "")
	b.placeRule.(*fyne.Container).Hidden = !ok
	b.Object.Refresh()
}

// SetScale shows the map's scale for a screen of 96 dots an inch.
func (b *Bar) SetScale(metresPerPixel float64) {
	const dot = 0.0254 / 96 // metres
	b.scale.set("1 : "+words.Count(roundScale(metresPerPixel/dot)), "")
	b.Object.Refresh()
}

// roundScale keeps three digits.
func roundScale(v float64) int {
	unit := 1.0
	for v/unit >= 1000 {
		unit *= 10
	}
	return int(float64(int(v/unit+0.5)) * unit)
}

// item is a text of the bar that shows a tip when the pointer rests on it.
type item struct {
	widget.BaseWidget
	text *kit.Text
	tip  string
}

func newItem() *item {
	i := &item{text: kit.NewText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall})}
	i.ExtendBaseWidget(i)
	return i
}

func (i *item) set(text, tip string) {
	i.text.SetText(text)
	i.tip = tip
}

// MouseIn implements desktop.Hoverable.
func (i *item) MouseIn(*desktop.MouseEvent) {
	if i.tip != "" {
		kit.ShowTip(i, i.tip)
	}
}

// MouseMoved implements desktop.Hoverable.
func (i *item) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (i *item) MouseOut() { kit.HideTip(i) }

// CreateRenderer implements fyne.Widget.
func (i *item) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(kit.NewPad(3, 12, 3, 12, i.text)), i.Size())
}
