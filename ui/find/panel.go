package find

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Acts is what the panel does with what it found.
type Acts struct {
	Do    func(func())         // runs a function on the window's goroutine
	Go    func(Result)         // goes to a result
	Leave func()               // gives the keys back to the window
	Here  func() roadnet.Point // the middle of the map
}

// Panel is the field over the map that finds as one types.
type Panel struct {
	Object fyne.CanvasObject // hidden until it is opened

	m       *state.Model
	acts    Acts
	field   *kit.SearchField
	rows    *kit.Rows
	none    *kit.Text
	card    *fyne.Container
	results []Result
	at      int // the result that Enter goes to
	asked   int // searches begun, so that late ones are known
	book    *Book
	bookOf  *roadnet.Network // that book is of, or is being made of
	names   *Names
	namesOf int // revision of the trips
}

// limit is how many results of a kind are listed.
const limit = 12

// New makes the panel, hidden.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, namesOf: -1}
	p.field = kit.NewSearchField(lang.L("Trip, street, coordinates, way or segment"), p.Close)
	p.field.OnChanged = func(string) { p.search() }
	p.field.OnSubmitted = func(string) { p.open(p.at) }
	p.field.OnKey = p.key
	p.rows = &kit.Rows{
		Count:    func() int { return len(p.results) },
		New:      func() kit.Row { return newRow(p) },
		Height:   func() float32 { return theme.Size(look.SizeRow) * 1.1 },
		Selected: func(i int) bool { return i == p.at },
		OnPick:   func(k kit.Picked) { p.open(k.Index) },
		OnHover:  p.hover,
	}
	p.rows.Init()
	p.none = kit.NewText(lang.L("Nothing is called so."), kit.Style{Colour: look.Muted})
	list := container.NewStack(p.rows, kit.NewPad(8, 12, 8, 12, p.none))
	p.card = container.New(cardLayout{p}, kit.NewCard(), kit.NewPad(8, 8, 8, 8, p.field), list)
	p.Object = container.New(topLayout{}, p.card)
	p.Object.Hide()
	return p
}

// Open shows the panel with the keys in its field.
func (p *Panel) Open() {
	p.prepare()
	p.Object.Show()
	p.search()
	if c := fyne.CurrentApp().Driver().CanvasForObject(p.field); c != nil {
		c.Focus(p.field)
	}
	p.field.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// Close hides the panel.
func (p *Panel) Close() {
	if !p.Object.Visible() {
		return
	}
	p.Object.Hide()
	p.m.Hover(render.Item{})
	p.acts.Leave()
}

// Shown reports whether the panel is open.
func (p *Panel) Shown() bool { return p.Object.Visible() }

// Results are what is listed, for tests.
func (p *Panel) Results() []Result { return p.results }

// Field is where the user types, for tests.
func (p *Panel) Field() *kit.SearchField { return p.field }

// prepare makes book and names ready, beside the window, where they are not.
func (p *Panel) prepare() {
	if net := p.m.Network(); net != p.bookOf {
		p.book, p.bookOf = nil, net
		if net != nil {
			go func() {
				book := NewBook(net)
				p.acts.Do(func() {
					if p.bookOf == net {
						p.book = book
						p.search()
					}
				})
			}()
		}
	}
	if p.namesOf == p.m.Revision() {
		return
	}
	p.namesOf = p.m.Revision()
	ids := make([]string, len(p.m.Trips()))
	for i, t := range p.m.Trips() {
		ids[i] = t.ID()
	}
	revision := p.namesOf
	go func() {
		names := NewNames(ids)
		p.acts.Do(func() {
			if p.namesOf == revision {
				p.names = names
				p.search()
			}
		})
	}()
}

// search looks for what is typed, beside the window; the latest counts.
func (p *Panel) search() {
	if !p.Shown() {
		return
	}
	p.asked++
	asked, text, book, names := p.asked, p.field.Text, p.book, p.names
	go func() {
		results := Find(text, book, names, limit)
		p.acts.Do(func() {
			if asked == p.asked {
				p.show(results, text)
			}
		})
	}()
}

func (p *Panel) show(results []Result, text string) {
	p.results, p.at = results, 0
	p.none.Hidden = len(results) > 0 || text == ""
	p.rows.Reload()
	p.rows.ScrollTo(0)
	p.card.Refresh()
	p.Object.Refresh()
}

// key has Up and Down go through the results while one types.
func (p *Panel) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyUp:
		p.point(max(p.at-1, 0))
	case fyne.KeyDown:
		p.point(min(p.at+1, len(p.results)-1))
	case fyne.KeyEscape:
		p.Close()
	default:
		return false
	}
	return true
}

// point chooses a result, and shows on the map which it is.
func (p *Panel) point(i int) {
	if i < 0 || i >= len(p.results) {
		return
	}
	p.at = i
	p.rows.ScrollTo(i)
	p.hover(i)
}

func (p *Panel) hover(i int) {
	if i < 0 || i >= len(p.results) {
		p.m.Hover(render.Item{})
		return
	}
	p.m.Hover(p.results[i].Item())
}

// open goes to a result.
func (p *Panel) open(i int) {
	if i < 0 || i >= len(p.results) {
		return
	}
	r := p.results[i]
	p.Close()
	p.acts.Go(r)
}

// Item is what a result is on the map.
func (r Result) Item() render.Item {
	switch r.Kind {
	case Trip:
		return render.Item{Kind: render.TripItem, Trip: r.Name}
	case Place:
		return render.Item{Kind: render.PlaceItem, At: r.Where}
	}
	return render.Item{Kind: render.RoadItem, Segment: r.On, At: r.Where}
}

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
	sign         *widget.Icon
	name, detail *kit.Text
	box          *fyne.Container
}

func newRow(p *Panel) *row {
	r := &row{p: p, sign: widget.NewIcon(nil), name: kit.NewCutText("", kit.Style{}, 40), detail: kit.NewText("", kit.Style{})}
	r.box = kit.NewPad(0, 12, 0, 10, kit.NewLine(8, 1, kit.NewFixed(16, 16, r.sign), r.name, r.detail))
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.box) }

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
