package trips

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// row is one trip of the list: an eye that shows or hides it, its name, when
// and how far it went, and how it stands.
type row struct {
	widget.BaseWidget
	p            *Panel
	entry        entry
	eye          *kit.Button
	name, detail *kit.Text
	sign         *kit.Icon
	shown        string // icon in sign
	signBox      *fyne.Container
	box          *fyne.Container
}

func newRow(p *Panel) *row {
	r := &row{p: p}
	r.eye = kit.NewIconButton("eye", "", r.toggle)
	r.name = kit.NewCutText("", kit.Style{}, 20)
	r.detail = kit.NewCutText("", kit.Style{}, 20)
	r.sign = kit.NewIcon("", "")
	r.signBox = kit.NewFixed(17, 17, r.sign)
	r.signBox.Hide()
	text := container.NewCenter()
	text.Layout = lines{}
	text.Objects = []fyne.CanvasObject{r.name, r.detail}
	r.box = kit.NewPad(0, 10, 0, 8, kit.NewLine(6, 1, kit.NewFixed(24, 0, r.eye), text, r.signBox))
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return kit.Laid(widget.NewSimpleRenderer(r.box), r.Size())
}

func (r *row) toggle() {
	switch t := r.entry.trip; {
	case t != nil:
		r.p.m.Hide([]*state.Trip{t}, r.p.m.Visible(t))
	case r.entry.trips != nil:
		r.p.fold(r.entry.group)
	}
}

// Bind implements kit.Row.
func (r *row) Bind(index int) {
	r.entry = r.p.entries[index]
	t := r.entry.trip
	if t == nil {
		r.bindHead()
		return
	}
	visible := r.p.m.Visible(t)
	current := r.p.m.Current() == t
	r.eye.SetIcon(map[bool]string{true: "eye", false: "eye-off"}[visible])
	r.eye.SetOn(visible && current)
	name := kit.Style{Bold: current}
	if !visible {
		name.Colour = look.Muted
	}
	r.name.Set(t.Title(), name)
	r.detail.Set(detail(r.p.m, t), kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	r.setSign(signOf(t))
}

// bindHead shows the head of a group; the eye's place has what folds it.
func (r *row) bindHead() {
	r.eye.SetIcon(map[bool]string{true: "fold-right", false: "unfold"}[r.p.folded[r.entry.group]])
	r.eye.SetOn(false)
	r.name.Set(r.entry.name, kit.Style{Bold: true})
	n := len(r.entry.trips)
	r.detail.Set(lang.N("{{.N}} trips", n, map[string]any{"N": words.Count(n)}), kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	r.setSign("", look.Muted)
}

func (r *row) setSign(icon string, colour fyne.ThemeColorName) {
	if icon == r.shown {
		return
	}
	r.shown = icon
	r.signBox.Hidden = icon == ""
	if icon != "" {
		r.sign.SetResource(look.IconIn(icon, colour))
	}
	r.box.Refresh()
}

// signOf is the sign at the end of a row.
func signOf(t *state.Trip) (string, fyne.ThemeColorName) {
	switch {
	case t.Status == state.Queued:
		return "wait", look.Muted
	case t.Status == state.Failed, t.Status == state.Outside, t.Status == state.Outdated, t.Facts.Doubtful():
		return "warning", look.Warning
	}
	return "", look.Muted
}

func detail(m *state.Model, t *state.Trip) string {
	zone := words.Zone(m)
	if t.Facts.Points == 0 {
		return words.Status(t.Status)
	}
	text := words.Day(t.Facts.Start, zone) + ", "
	if t.IsShown() || t.Status == state.Waiting {
		return text + words.ShortLength(t.Facts.Distance())
	}
	return text + words.Status(t.Status)
}

// lines lays two lines of text closely below each other, in the middle.
type lines struct{}

func (lines) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	a, b := objects[0].MinSize().Height, objects[1].MinSize().Height
	top := (size.Height - a - b) / 2
	objects[0].Move(fyne.NewPos(0, top))
	objects[0].Resize(fyne.NewSize(size.Width, a))
	objects[1].Move(fyne.NewPos(0, top+a))
	objects[1].Resize(fyne.NewSize(size.Width, b))
}

func (lines) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(20, objects[0].MinSize().Height+objects[1].MinSize().Height)
}
