package preview

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
	"retrace/ui/work"
)

// header names the files, turns to the next ones, and gives advice.
type header struct {
	p          *Panel
	object     *fyne.Container
	title      *kit.Text
	note       *kit.Text
	place      *kit.Text
	back, next *kit.Button
	advice     *fyne.Container
}

func newHeader(p *Panel) *header {
	h := &header{p: p, title: kit.NewCutText("", kit.Style{Bold: true}, 80), note: kit.NewText("", kit.Style{Colour: look.Muted}),
		place: kit.NewText("", kit.Style{Colour: look.Muted}), advice: container.NewStack()}
	h.back = kit.NewIconButton("fold-left", lang.L("The files before"), func() { p.turn(-1) })
	h.next = kit.NewIconButton("fold-right", lang.L("The next files"), func() { p.turn(1) })
	line := kit.NewLine(8, 0, h.title, h.note, h.back, h.place, h.next)
	h.object = container.NewStack(kit.NewFill(look.Second),
		kit.NewBorder(nil, kit.NewRule(), nil, nil, kit.NewPad(3, 8, 3, 12, kit.NewColumn(3, line, h.advice))))
	return h
}

// fill shows the group of the panel.
func (h *header) fill() {
	g := h.p.group()
	h.title.SetText(h.titleOf(g))
	h.note.SetText("")
	if g.Remembered {
		h.note.SetText(lang.L("read as files of this shape were before"))
	}
	many := len(h.p.in.Groups) > 1
	h.place.SetText("")
	if many {
		h.place.SetText(lang.L("{{.N}} of {{.All}}", map[string]any{"N": h.p.at + 1, "All": len(h.p.in.Groups)}))
	}
	for _, b := range []*kit.Button{h.back, h.next} {
		b.Hidden = !many
	}
	h.back.SetEnabled(h.p.at > 0)
	h.next.SetEnabled(h.p.at < len(h.p.in.Groups)-1)
	h.advise()
	h.object.Refresh()
	h.p.all.Refresh() // the head is higher with advice
}

func (h *header) titleOf(g *work.Group) string {
	name := filepath.Base(h.p.in.Name(g.Paths[0]))
	if others := len(g.Paths) - 1; others > 0 {
		return lang.N("{{.Name}} and {{.N}} others like it", others, map[string]any{"Name": name, "N": words.Count(others)})
	}
	return name
}

// advise shows what would fit better, with the button that does it.
func (h *header) advise() {
	h.advice.Objects = nil
	h.advice.Hidden = true
	if g := h.p.glance; g != nil && len(g.Advice) > 0 {
		a := g.Advice[0]
		text, button := adviceText(a)
		take := kit.NewButton(button, "", kit.Normal, func() {
			h.p.choose(func(c *work.Choice) { *c = a.Choice })
		})
		h.advice.Objects = []fyne.CanvasObject{kit.NewLine(10, 0, kit.NewChip(text), take)}
		h.advice.Hidden = false
	}
}

func adviceText(a work.Advice) (text, button string) {
	crs := a.Choice.CRS
	if crs == "" {
		crs = lang.L("WGS 84 (longitude, latitude)")
	}
	data := map[string]any{"CRS": crs, "D": words.Length(a.Metres)}
	switch a.Kind {
	case work.SwapAxes:
		return lang.L("Longitude and latitude seem to be the other way round."), lang.L("Swap them")
	case work.ShiftedSystem:
		return lang.L("The points sit {{.D}} off the roads in one direction, as {{.CRS}} is shifted.", data), lang.L("Read as {{.CRS}}", data)
	}
	return lang.L("The points fall on the network as {{.CRS}}.", data), lang.L("Read as {{.CRS}}", data)
}
