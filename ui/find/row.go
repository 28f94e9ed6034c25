package find

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
)

// cardLayout lays the field above the list, which is as high as its rows need.
type cardLayout struct{ p *Panel }

const (
	cardWidth = 460
	mostRows  = 9
)

func (l cardLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	field := objects[1].MinSize().Height
	objects[0].Resize(size)
	objects[1].Resize(fyne.NewSize(size.Width, field))
	objects[2].Move(fyne.NewPos(1, field))
	objects[2].Resize(fyne.NewSize(size.Width-2, max(size.Height-field-1, 0)))
}

func (l cardLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	rows := float32(min(len(l.p.results), mostRows))
	if !l.p.none.Hidden {
		rows = 1.4
	}
	height := objects[1].MinSize().Height + rows*l.p.rows.Height()
	if rows > 0 {
		height += 6
	}
	return fyne.NewSize(cardWidth*theme.Size(theme.SizeNameText)/13, height)
}

// topLayout lays the card in the middle of the upper edge of the map.
type topLayout struct{}

func (topLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	need := objects[0].MinSize()
	need.Width = min(need.Width, size.Width-24)
	need.Height = min(need.Height, size.Height-20)
	objects[0].Resize(need)
	objects[0].Move(fyne.NewPos((size.Width-need.Width)/2, 12))
}

func (topLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 0) }

// row shows one result: a sign of its kind, its name, and what tells it from
// others.
type row struct {
	widget.BaseWidget
	p            *Panel
	sign         *kit.Icon
	name, detail *kit.Text
	box          *fyne.Container
}

func newRow(p *Panel) *row {
	r := &row{p: p, sign: kit.NewIcon("", ""), name: kit.NewCutText("", kit.Style{}, 40), detail: kit.NewText("", kit.Style{})}
	r.box = kit.NewPad(0, 12, 0, 10, kit.NewLine(8, 1, kit.NewFixed(16, 16, r.sign), r.name, r.detail))
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(r.box), r.Size())
}

// Bind implements kit.Row.
func (r *row) Bind(index int) {
	x := r.p.results[index]
	icon, name, detail := r.p.describe(x)
	r.sign.SetResource(look.IconIn(icon, look.Muted))
	r.name.Set(name, kit.Style{Bold: index == r.p.at})
	r.detail.Set(detail, kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	r.box.Refresh()
}

// describe says what a result is.
func (p *Panel) describe(r Result) (icon, name, detail string) {
	away := func() string {
		return lang.L("{{.Distance}} away", map[string]any{"Distance": words.ShortLength(roadnet.Distance(p.acts.Here(), r.Where))})
	}
	switch r.Kind {
	case Place:
		return "pin", words.Place(r.Where), lang.L("place") + ", " + away()
	case Trip:
		if t := p.m.Trip(r.Name); t != nil {
			return "eye", r.Name, words.Day(t.Facts.Start, p.m.Zone()) + ", " + words.ShortLength(t.Facts.Distance())
		}
		return "eye", r.Name, ""
	case Street:
		return "route", r.Name, away()
	case Command:
		return "play", r.Name, r.Key
	}
	road := ""
	if net := p.m.Network(); net != nil {
		road = words.Road(net.Segment(r.On))
	}
	if r.Kind == Way {
		return "route", lang.L("Way {{.N}}", map[string]any{"N": r.Number}), road
	}
	return "route", lang.L("Segment {{.N}}", map[string]any{"N": r.Number}), road
}
