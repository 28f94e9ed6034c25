// Package layers is the panel that says what the map shows: a switch for each
// layer with a sample of its look, and what the colour of a path means.
package layers

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

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
	rows   []*row // the first of them show always
	more   *kit.Button
	rest   *fyne.Container // the others, folded at first
	open   *row            // whose opacity is set; nil: of none
	colour *kit.Select
	driven *kit.Select     // what the colour of the roads driven means
	choice *fyne.Container // with its heading

	// Folded is called when the panel has become higher or lower; may be nil.
	Folded func()
}

// New makes the panel.
func New(m *state.Model) *Panel {
	p := &Panel{m: m}
	p.header = kit.NewHeader(lang.L("Layers"), "fold", lang.L("Fold the layers"), p.fold)
	p.addRow(lang.L("Recovered path"), render.LayerPath|render.LayerPoints, pathSwatch())
	p.addRow(lang.L("Input points"), render.LayerInput, inputSwatch())
	p.addRow(lang.L("Elevated decks"), render.LayerDecks, deckSwatch())
	p.addRow(lang.L("Alternatives"), render.LayerAlternatives, alternativeSwatch())
	p.addRow(lang.L("Roads driven"), render.LayerLinks, linkSwatch())
	p.addRow(lang.L("Roads"), render.LayerRoads, roadSwatch())
	p.addRow(lang.L("Water and green"), render.LayerBackground, groundSwatch())
	p.addRow(lang.L("Names"), render.LayerLabels, kit.NewText("Aa", kit.Style{Colour: look.Muted}))
	p.addRow(lang.L("Pins"), render.LayerPins, pinSwatch())
	p.addRow(lang.L("Truth"), render.LayerTruth, truthSwatch())
	p.addRow(lang.L("Differences"), render.LayerComparison, differenceSwatch())
	p.more = kit.NewButton("", "unfold", kit.Quiet, p.foldRest)
	p.colour = kit.NewSelect(colourNames(), p.choose)
	p.driven = kit.NewSelect(linkNames(), func(string) { p.m.SetLinkBy(render.LinkBy(max(p.driven.SelectedIndex(), 0))) })
	p.choice = kit.NewColumn(0, heading(lang.L("Colour the roads driven by")), kit.NewPad(0, 8, 0, 0, p.driven))
	list := kit.NewPad(6, 4, 10, 12, p.list())
	p.body = container.New(tall{list}, container.NewVScroll(list))
	p.Object = container.NewStack(kit.NewBorder(p.header.Container, kit.NewRule(), nil, nil, p.body))
	m.Watch(state.Layers|state.Panels, p.refresh)
	p.rest.Hide()
	p.refresh()
	return p
}

func heading(text string) fyne.CanvasObject {
	return kit.NewPad(6, 8, 4, 0, kit.NewText(text, kit.Style{Colour: look.Muted}))
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

// colourNames says what a path can be coloured by, in the order of
// render.ColourBy.
func colourNames() []string {
	return []string{lang.L("Deck"), lang.L("Probability"), lang.L("Speed"), lang.L("Time of day"), lang.L("Road class")}
}

// linkNames says what the roads driven can be coloured by, in the order of
// render.LinkBy.
func linkNames() []string { return []string{lang.L("Number of trips"), lang.L("Mean speed")} }

// AtFirst is how many layers show at first sight.
const AtFirst = 7

func (p *Panel) list() *fyne.Container {
	var first, rest []fyne.CanvasObject
	for i, r := range p.rows {
		if i < AtFirst {
			first = append(first, r.object)
		} else {
			rest = append(rest, r.object)
		}
	}
	p.rest = kit.NewColumn(0, rest...)
	return kit.NewColumn(0, append(first, p.rest, kit.NewLine(0, -1, p.more), heading(lang.L("Colour the path by")), kit.NewPad(0, 8, 0, 0, p.colour), p.choice)...)
}

// foldRest shows all layers, or the first alone.
func (p *Panel) foldRest() {
	set := p.m.PanelSet()
	set.LayersAll = !set.LayersAll
	p.m.SetPanels(set)
}

// showRest shows the layers beyond the first where the user wants them.
func (p *Panel) showRest() {
	all := p.m.PanelSet().LayersAll
	if all {
		p.more.SetText(lang.L("Fewer layers"))
		p.more.SetIcon("fold")
	} else {
		n := len(p.rows) - AtFirst
		p.more.SetText(lang.N("{{.N}} more layers", n, map[string]any{"N": n}))
		p.more.SetIcon("unfold")
	}
	if p.rest.Hidden == all {
		p.rest.Hidden = !all
		p.folded()
	}
}

func (p *Panel) addRow(name string, layers render.Layers, swatch fyne.CanvasObject) {
	p.rows = append(p.rows, newRow(p.m, name, layers, swatch, p.setOpacity))
}

// setOpacity opens the opacity of a row, or closes it where it is open.
func (p *Panel) setOpacity(r *row) {
	if p.open == r {
		r = nil
	}
	p.open = r
	p.refresh()
	p.folded()
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
		r.show(p.m, r == p.open)
	}
	if i := int(p.m.ColourBy()); p.colour.SelectedIndex() != i {
		p.colour.SetSelectedIndex(i)
	}
	if i := int(p.m.LinkBy()); p.driven.SelectedIndex() != i {
		p.driven.SetSelectedIndex(i)
	}
	if driven := p.m.ShownLayers().Has(render.LayerLinks); driven != p.choice.Visible() {
		p.choice.Hidden = !driven
		p.folded()
	}
	p.showRest()
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
