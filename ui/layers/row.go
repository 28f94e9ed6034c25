package layers

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// row is one layer: its switch with a sample of its look, a button that opens
// its opacity, and the opacity itself.
type row struct {
	object  *fyne.Container
	layers  render.Layers
	check   *kit.Check
	more    *kit.Button
	opacity *fyne.Container
	slider  *kit.Slider
	percent *kit.Text
}

// faintest is the least opacity, in percent: below it the switch does better.
const faintest = 10

// newRow makes a row; open is called when the user opens or closes the opacity.
func newRow(m *state.Model, name string, layers render.Layers, swatch fyne.CanvasObject, open func(*row)) *row {
	r := &row{layers: layers}
	r.check = kit.NewCheck(name, swatch, func(on bool) { m.ShowLayer(layers, on) })
	r.more = kit.NewIconButton("opacity", lang.L("Opacity of {{.Layer}}", map[string]any{"Layer": name}), func() { open(r) })
	r.slider = kit.NewSlider(faintest, 100)
	r.slider.Step = 5
	r.slider.OnChanged = func(v float64) {
		f := m.Fades()
		f.Set(layers, v/100)
		m.SetFades(f)
	}
	r.percent = kit.NewText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	r.opacity = kit.NewPad(0, 2, 2, 24, container.NewBorder(nil, nil, nil, r.percent, r.slider))
	r.opacity.Hide()
	r.object = kit.NewColumn(0, container.NewBorder(nil, nil, nil, r.more, r.check), r.opacity)
	return r
}

// show brings a row up to date.
func (r *row) show(m *state.Model, open bool) {
	r.check.Set(m.ShownLayers().Has(r.layers))
	share := m.Fades().Share(r.layers) * 100
	if r.slider.Value != share {
		r.slider.Value = share
		r.slider.Refresh()
	}
	r.percent.SetText(fmt.Sprintf("%.0f %%", share))
	r.more.SetOn(open || share < 100)
	r.opacity.Hidden = !open
}
