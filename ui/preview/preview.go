// Package preview shows how tables would be read before they are: their first
// rows, what each column holds, how trips are tidied and cut, and, on the map
// behind, where the points fall. Every guess can be corrected.
package preview

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/work"
)

// Acts is what the panel asks of the window.
type Acts struct {
	Do   func(func())                                           // runs a function on the window's goroutine
	Show func(trips []*trajectory.Trajectory, b roadnet.Bounds) // on the map; no trips: an empty bounds
	// Network is the one that the trips will lie on; nil: none yet.
	Network func() *roadnet.Network
	Done    func(read bool) // the user has decided
}

// Panel is the preview of one drop at a time.
type Panel struct {
	Object fyne.CanvasObject

	acts   Acts
	in     *work.Intake
	at     int          // the group that is shown
	glance *work.Glance // of its first file; nil: none yet
	cancel context.CancelFunc
	looks  int // counts looks, so that a late one is not shown

	body  *fyne.Container
	all   *fyne.Container // head, body and foot
	head  *header
	table *table
	form  *form
	rules *rules
	foot  *footer
}

// New makes the panel; it shows nothing until a drop is opened.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{acts: acts, cancel: func() {}}
	p.head, p.table, p.form, p.rules, p.foot = newHeader(p), newTable(p), newForm(p), newRules(p), newFooter(p)
	side := func(o fyne.CanvasObject) fyne.CanvasObject {
		scroll := container.NewVScroll(kit.NewPad(4, 14, 8, 12, o))
		return container.NewStack(kit.NewFill(look.Surface), kit.NewBorder(nil, nil, kit.NewFixed(1, 0, kit.NewRule()), nil, scroll))
	}
	p.body = container.New(body{}, p.table.object, side(p.form.object), side(p.rules.object))
	p.all = kit.NewBorder(p.head.object, p.foot.object, nil, nil, p.body)
	p.Object = container.NewStack(kit.NewFill(look.Surface), kit.NewBorder(kit.NewRule(), nil, nil, nil, p.all))
	m.Watch(state.Network, func() {
		if p.Open() {
			p.look()
		}
	})
	return p
}

// How wide the settings and the rules are, and from which width on they stand
// beside one another, in pixels.
const (
	sideWidth = 366
	wide      = 1200
)

// body lays the table beside settings and rules; where the window is narrow the
// rules stand below the settings, and both scroll.
type body struct{}

func (body) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place := func(i int, x, y, w, h float32) {
		objects[i].Move(fyne.NewPos(x, y))
		objects[i].Resize(fyne.NewSize(max(w, 0), max(h, 0)))
	}
	if size.Width >= wide {
		place(0, 0, 0, size.Width-2*sideWidth, size.Height)
		place(1, size.Width-2*sideWidth, 0, sideWidth, size.Height)
		place(2, size.Width-sideWidth, 0, sideWidth, size.Height)
		return
	}
	left := size.Width - sideWidth
	place(0, 0, 0, left, size.Height)
	place(1, left, 0, sideWidth, size.Height/2)
	place(2, left, size.Height/2, sideWidth, size.Height/2)
}

func (body) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Open reports whether a drop is shown.
func (p *Panel) Open() bool { return p.in != nil }

// Show shows a drop; its choices change as the user corrects them.
func (p *Panel) Show(in *work.Intake) {
	p.in = in
	p.at = 0
	for i, g := range in.Groups {
		if g.Tabular() {
			p.at = i
			break
		}
	}
	p.rules.fill(in.Cleaning)
	p.turn(0)
}

// Focus is what takes the keys first: Enter reads.
func (p *Panel) Focus() fyne.Focusable { return p.foot.read }

// group is the group that is shown.
func (p *Panel) group() *work.Group { return p.in.Groups[p.at] }

// turn goes to another group.
func (p *Panel) turn(by int) {
	p.at = min(max(p.at+by, 0), len(p.in.Groups)-1)
	p.glance = nil
	p.body.Hide() // until there is something to show
	p.head.fill()
	p.look()
}

// choose changes how the group is read and looks again.
func (p *Panel) choose(change func(*work.Choice)) {
	if p.in == nil {
		return
	}
	g := p.group()
	change(&g.Choice)
	g.Remembered = false
	p.look()
}

// look reads the beginning of the file once more, beside the window.
func (p *Panel) look() {
	p.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.looks++
	look, g, net := p.looks, p.group(), p.acts.Network()
	path, choice, cleaning := g.Paths[0], g.Choice, copyOf(p.in.Cleaning)
	p.foot.wait()
	go func() {
		glance, err := work.Look(ctx, path, choice, cleaning, net)
		cancel()
		p.acts.Do(func() {
			if look == p.looks && p.in != nil {
				p.shown(glance, err)
			}
		})
	}()
}

func copyOf(c work.Cleaning) work.Cleaning {
	same := work.Cleaning{}
	for rule, s := range c {
		same[rule] = s
	}
	return same
}

// shown shows what a look has found.
func (p *Panel) shown(g *work.Glance, err error) {
	if err != nil {
		p.foot.fail(err.Error())
		return
	}
	p.glance = g
	p.body.Show()
	p.head.fill()
	p.table.fill(g)
	p.form.fill(g, p.group().Choice)
	p.rules.count(g)
	p.foot.fill(g)
	p.acts.Show(g.Trips, g.Bounds)
}

// Decide ends the preview: the files are read, or left.
func (p *Panel) Decide(read bool) {
	if p.in == nil {
		return
	}
	p.cancel()
	p.in, p.glance = nil, nil
	p.acts.Done(read)
}

// Busy reports whether a look is under way.
func (p *Panel) Busy() bool { return p.foot.waiting }
