package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Row is the content of one visible row; it is bound to other indices as the
// list scrolls.
type Row interface {
	fyne.CanvasObject
	Bind(index int)
}

// Picked says how a row was picked.
type Picked struct {
	Index  int
	From   int  // where an extension begins: the row that was last picked without Shift
	Toggle bool // with Ctrl: add to or take from what is marked
	Extend bool // with Shift: mark all from From to Index
}

// Range are the rows of an extension, rising.
func (p Picked) Range() []int {
	var rows []int
	for i := min(p.From, p.Index); i <= max(p.From, p.Index); i++ {
		rows = append(rows, i)
	}
	return rows
}

// Rows is a list of rows of one height, of which only the visible ones exist.
// Up, Down, Page Up, Page Down, Home and End move, with Shift they extend; keys
// it does not know go on to the window.
type Rows struct {
	widget.BaseWidget

	Count    func() int
	New      func() Row
	Height   func() float32
	Selected func(index int) bool
	OnPick   func(Picked)
	OnOpen   func(index int)                   // a second click, or Enter
	OnHover  func(index int)                   // negative: none
	OnMenu   func(index int, at fyne.Position) // right click; at is absolute
	Tip      func(index int, x float32) string // what to say of a place in a row; empty: nothing

	scroll *container.Scroll
	field  *rowField
	cursor int
	anchor int // the row that was last picked without Shift
}

// Init makes the list usable, once its functions are set.
func (r *Rows) Init() {
	r.cursor, r.anchor = -1, -1
	r.field = newRowField(r)
	r.scroll = container.NewVScroll(r.field)
	r.scroll.OnScrolled = func(fyne.Position) { r.field.place() }
	r.ExtendBaseWidget(r)
}

// CreateRenderer implements fyne.Widget.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer {
	return Laid(widget.NewSimpleRenderer(r.scroll), r.Size())
}

// Resize implements fyne.Widget.
func (r *Rows) Resize(size fyne.Size) {
	r.BaseWidget.Resize(size)
	r.field.place()
}

// Reload shows the rows anew after the data changed.
func (r *Rows) Reload() {
	if r.cursor >= r.Count() {
		r.cursor = -1
	}
	if r.anchor >= r.Count() {
		r.anchor = -1
	}
	if min := r.field.MinSize(); r.scroll.Offset.Y > max(min.Height-r.scroll.Size().Height, 0) {
		r.scroll.Offset.Y = max(min.Height-r.scroll.Size().Height, 0)
	}
	r.scroll.Refresh()
	r.field.place()
}

// ScrollTo brings a row into view and makes it the one that keys start from.
func (r *Rows) ScrollTo(index int) {
	if index < 0 || index >= r.Count() {
		return
	}
	r.cursor = index
	h, view := r.Height(), r.scroll.Size().Height
	top := float32(index) * h
	switch {
	case top < r.scroll.Offset.Y:
		r.scroll.Offset.Y = top
	case top+h > r.scroll.Offset.Y+view:
		r.scroll.Offset.Y = max(top+h-view, 0)
	default:
		r.field.place()
		return
	}
	r.scroll.Refresh()
	r.field.place()
}

func (r *Rows) pick(p Picked) {
	if p.Index < 0 || p.Index >= r.Count() {
		return
	}
	r.cursor = p.Index
	if !p.Extend || r.anchor < 0 {
		r.anchor = p.Index
	}
	p.From = r.anchor
	if r.OnPick != nil {
		r.OnPick(p)
	}
	r.ScrollTo(p.Index)
}

// Focused reports whether the keys go to the list.
func (r *Rows) Focused() bool { return r.field.focused }

// Focus gives the list the keys.
func (r *Rows) Focus() {
	if c := CanvasOf(r); c != nil {
		c.Focus(r.field)
	}
}

// Cursor is the row that keys start from; negative: none.
func (r *Rows) Cursor() int { return r.cursor }

// move handles the keys that move the cursor; it reports whether it did.
func (r *Rows) move(key fyne.KeyName, extend bool) bool {
	page := max(int(r.scroll.Size().Height/r.Height())-1, 1)
	last := r.Count() - 1
	to := r.cursor
	switch key {
	case fyne.KeyUp:
		to--
	case fyne.KeyDown:
		to++
	case fyne.KeyPageUp:
		to -= page
	case fyne.KeyPageDown:
		to += page
	case fyne.KeyHome:
		to = 0
	case fyne.KeyEnd:
		to = last
	default:
		return false
	}
	r.pick(Picked{Index: min(max(to, 0), last), Extend: extend})
	return true
}

// rowField is the scrolled ground that the visible rows lie on.
type rowField struct {
	widget.BaseWidget
	rows     *Rows
	slots    []*rowSlot
	holder   *fyne.Container
	hovered  int
	focused  bool
	modifier fyne.KeyModifier // of the mouse
	shift    bool             // is held down
	lastTap  time.Time
	lastRow  int
}

type rowSlot struct {
	*fyne.Container
	back, rule *Fill
	ring       *Fill // around the row that has the focus
	row        Row
}

func newRowField(r *Rows) *rowField {
	f := &rowField{rows: r, hovered: -1, lastRow: -1, holder: container.NewWithoutLayout()}
	f.ExtendBaseWidget(f)
	return f
}

func (f *rowField) CreateRenderer() fyne.WidgetRenderer { return Laid(&rowFieldRenderer{f}, f.Size()) }

type rowFieldRenderer struct{ f *rowField }

func (r *rowFieldRenderer) Layout(fyne.Size) { r.f.place() }
func (r *rowFieldRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, float32(r.f.rows.Count())*r.f.rows.Height())
}
func (r *rowFieldRenderer) Refresh()                     { r.f.place() }
func (r *rowFieldRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.f.holder} }
func (r *rowFieldRenderer) Destroy()                     {}

var (
	_ fyne.Focusable         = (*rowField)(nil)
	_ desktop.Hoverable      = (*rowField)(nil)
	_ desktop.Mouseable      = (*rowField)(nil)
	_ desktop.Keyable        = (*rowField)(nil)
	_ fyne.SecondaryTappable = (*rowField)(nil)
)
