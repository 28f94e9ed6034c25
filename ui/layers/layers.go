// Package layers is the panel that says what the map shows: a switch for each
// layer with a sample of its look, and what the colour of a path means.
package layers

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// Panel is the panel of layers.
type Panel struct {
	Object fyne.CanvasObject

	m      *state.Model
	header *kit.Header
	body   *fyne.Container
	rows   []row
	colour *widget.Select

	// Folded is called when the panel has become higher or lower; may be nil.
	Folded func()
}

type row struct {
	layers render.Layers
	check  *kit.Check
}

// New makes the panel.
func New(m *state.Model) *Panel {
	p := &Panel{m: m}
	p.header = kit.NewHeader(lang.L("Layers"), "fold", lang.L("Fold the layers"), p.fold)
	p.addRow(lang.L("Recovered path"), render.LayerPath|render.LayerPoints, pathSwatch())
	p.addRow(lang.L("Input points"), render.LayerInput, inputSwatch())
	p.addRow(lang.L("Elevated decks"), render.LayerDecks, deckSwatch())
	p.addRow(lang.L("Alternatives"), render.LayerAlternatives, alternativeSwatch())
	p.addRow(lang.L("Truth"), render.LayerTruth, truthSwatch())
	p.addRow(lang.L("Roads"), render.LayerRoads, roadSwatch())
	p.addRow(lang.L("Names"), render.LayerLabels, kit.NewText("Aa", kit.Style{Colour: look.Muted}))
	p.addRow(lang.L("Water and green"), render.LayerBackground, groundSwatch())
	p.colour = widget.NewSelect(ColourNames(), p.choose)
	list := kit.NewPad(6, 12, 10, 12, p.list())
	p.body = container.New(tall{list}, container.NewVScroll(list))
	p.Object = container.NewStack(kit.NewBorder(p.header.Container, kit.NewRule(), nil, nil, p.body))
	m.Watch(state.Layers|state.Panels, p.refresh)
	p.refresh()
	return p
}

func (p *Panel) folded() {
	p.Object.Refresh()
	if p.Folded != nil {
		p.Folded()
	}
}

// tall gives a scroll the height of what it scrolls, where there is room.
type tall struct{ content fyne.CanvasObject }

func (t tall) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }
func (t tall) MinSize([]fyne.CanvasObject) fyne.Size              { return t.content.MinSize() }

// ColourNames says what a path can be coloured by, in the order of
// render.ColourBy.
func ColourNames() []string {
	return []string{lang.L("Deck"), lang.L("Probability"), lang.L("Speed"), lang.L("Time of day"), lang.L("Road class")}
}

func (p *Panel) list() *fyne.Container {
	objects := make([]fyne.CanvasObject, 0, len(p.rows)+2)
	for _, r := range p.rows {
		objects = append(objects, r.check)
	}
	objects = append(objects, kit.NewPad(6, 0, 4, 0, kit.NewText(lang.L("Colour the path by"), kit.Style{Colour: look.Muted})), p.colour)
	return kit.NewColumn(0, objects...)
}

func (p *Panel) addRow(name string, layers render.Layers, swatch fyne.CanvasObject) {
	check := kit.NewCheck(name, swatch, func(on bool) { p.m.ShowLayer(layers, on) })
	p.rows = append(p.rows, row{layers, check})
}

func (p *Panel) choose(string) {
	if i := p.colour.SelectedIndex(); i >= 0 {
		p.m.SetColourBy(render.ColourBy(i))
	}
}

func (p *Panel) fold() {
	set := p.m.PanelSet()
	set.LayersFold = !set.LayersFold
	p.m.SetPanels(set)
}

func (p *Panel) refresh() {
	for _, r := range p.rows {
		r.check.Set(p.m.ShownLayers().Has(r.layers))
	}
	if i := int(p.m.ColourBy()); p.colour.SelectedIndex() != i {
		p.colour.SetSelectedIndex(i)
	}
	folded := p.m.PanelSet().LayersFold
	if folded {
		p.header.SetIcon("unfold")
	} else {
		p.header.SetIcon("fold")
	}
	if folded == p.body.Visible() {
		p.body.Hidden = folded
		p.folded()
	}
}
