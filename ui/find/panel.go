package find

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// Acts is what the panel does with what it found.
type Acts struct {
	Do    func(func())         // runs a function on the window's goroutine
	Go    func(Result)         // goes to a result
	Leave func()               // gives the keys back to the window
	Here  func() roadnet.Point // the middle of the map
	Todo  func() []Doable      // all that can be done now
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
	p.field = kit.NewSearchField(lang.L("Trip, street, coordinates, way, segment, or > and a command"), p.Close)
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
	if c := kit.CanvasOf(p.field); c != nil {
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
				book := newBook(net)
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
		names := newNames(ids)
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
	asked, text, book, names, todo := p.asked, p.field.Text, p.book, p.names, p.acts.Todo()
	go func() {
		results := Find(text, book, names, todo, limit)
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
	case Command:
		return render.Item{}
	}
	return render.Item{Kind: render.RoadItem, Segment: r.On, At: r.Where}
}
