// Package inspector is the panel that says all that is known of what is
// selected: a trip, one of its points, a segment of road, or an elevated span.
package inspector

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// Acts is what the inspector's buttons and rows do.
type Acts struct {
	Recover func(*state.Trip)
	Solo    func()
	Hide    func()
	Export  func()
	Rename  func(*state.Trip)
	Pin     func(t *state.Trip, sample int, segment roadnet.SegmentID, forbid bool)
	Unpin   func(t *state.Trip, sample int)
	TakeWay func(t *state.Trip, from, to int, way []roadnet.SegmentID)
	Check   func(item render.Item, checked bool)
	Next    func() // place in doubt

	CompareEarlier func(*state.Trip, state.Version)
	CompareMethod  func(t *state.Trip, method string)
	CompareTruth   func(*state.Trip)
	Measure        func(*state.Trip) (state.Measure, bool) // against the truth; false: it is not known
	OtherMethods   func(*state.Trip) []string              // that can be compared with

	// Driven asks how a road was driven, of the trips and times that are counted.
	Driven func(segment roadnet.SegmentID, answer func(Driven))
}

// Driven is how a road was driven.
type Driven struct {
	Hours [24]flow.Hour
	Trips []string // ids
}

// Panel is the inspector.
type Panel struct {
	Object fyne.CanvasObject

	m      *state.Model
	acts   Acts
	body   *fyne.Container
	scroll *container.Scroll
	shown  subject
	flows  int // counts changes of what is known of who drove where
}

// subject is what the inspector's content depends on.
type subject struct {
	item     render.Item
	trip     *state.Trip
	recovery *trajectory.Recovery
	truth    *trajectory.Recovery
	net      *roadnet.Network
	status   state.Status
	visible  bool
	solo     string
	pins     *engine.Pin // the first
	numPins  int
	checked  int
	name     string
	options  state.Options
	compared *trajectory.Recovery // with the one shown; nil: nothing
	at       int                  // the difference that is looked at
	trips    int                  // revision of the trips, where a road is selected
	flows    int                  // what is known of who drove where, where a road is selected
	doubts   int                  // left to check, where a place is selected
}

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, acts: acts, body: container.NewStack()}
	header := kit.NewHeader(lang.L("Inspector"), "fold-right", lang.L("Fold the inspector (I)"),
		func() { m.TogglePanel(state.InspectorPanel) })
	p.scroll = container.NewVScroll(container.New(narrow{}, kit.NewPad(7, 14, 6, 14, p.body)))
	p.Object = kit.NewBorder(header.Container, nil, nil, nil, p.scroll)
	m.Watch(state.Selection|state.Trips|state.Network|state.Settings|state.Comparing|state.History, p.refresh)
	m.Watch(state.Flows, func() {
		p.flows++
		p.refresh()
	})
	p.build()
	return p
}

// narrow gives content the panel's width, also where it would like more.
type narrow struct{}

func (narrow) Layout(objects []fyne.CanvasObject, size fyne.Size) { objects[0].Resize(size) }
func (narrow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height)
}

func (p *Panel) subject() subject {
	s := subject{item: p.m.Selected(), trip: p.m.Current(), net: p.m.Network(), solo: p.m.Solo(), options: p.m.Options()}
	if s.trip != nil {
		s.truth = p.m.TruthOf(s.trip)
		s.recovery, s.status, s.visible = s.trip.Shown(), s.trip.Status, p.m.Visible(s.trip)
		s.numPins, s.checked, s.name = len(s.trip.Pins), len(s.trip.Checked), s.trip.Title()
		if s.numPins > 0 {
			s.pins = &s.trip.Pins[0]
		}
	}
	if c, ok := p.m.Comparison(); ok && s.trip != nil && c.Trip == s.trip.ID() {
		s.compared, s.at = c.Other, c.At
	}
	if s.item.Kind == render.SpanItem || s.item.Kind == render.TickItem {
		s.doubts, _ = p.m.DoubtsLeft()
	}
	if s.item.Kind == render.RoadItem {
		s.trips, s.flows = p.m.Revision(), p.flows
	}
	return s
}

func (p *Panel) refresh() {
	if next := p.subject(); next != p.shown {
		if next.item != p.shown.item {
			p.scroll.Offset = fyne.NewPos(0, 0)
		}
		p.shown = next
		p.build()
	}
}

// build lays the content anew.
func (p *Panel) build() {
	p.shown = p.subject()
	p.body.Objects = []fyne.CanvasObject{kit.NewColumn(0, p.content()...)}
	p.body.Refresh()
	p.scroll.Refresh()
}

// Beyond is how much of the content lies below the panel's edge, in pixels.
func (p *Panel) Beyond() float32 {
	return max(p.scroll.Content.MinSize().Height-p.scroll.Size().Height, 0)
}

func (p *Panel) content() []fyne.CanvasObject {
	s := p.shown
	switch {
	case s.item.Kind == render.RoadItem && s.net != nil:
		return p.segment(s.item.Segment)
	case s.trip == nil:
		return []fyne.CanvasObject{kit.NewPad(18, 0, 0, 0, kit.NewEmpty("search", lang.L("Nothing selected"),
			lang.L("Click a trip, a point or a road on the map, or a row of a table.")))}
	case s.item.Kind == render.SampleItem && s.item.Index < len(s.trip.Trajectory().Samples):
		return p.sample(s.trip, s.item.Index)
	case s.item.Kind == render.TickItem && s.recovery != nil && s.item.Index < len(s.recovery.Ticks):
		return p.tick(s.trip, s.recovery, s.item.Index)
	case s.item.Kind == render.SpanItem && s.recovery != nil && s.item.Index < len(s.recovery.Spans):
		return p.span(s.trip, s.recovery.Spans[s.item.Index])
	case s.compared != nil:
		return p.comparison(s.trip)
	}
	return p.trip(s.trip)
}

// heading is the top of the content: what it belongs to, its title, and a note
// at the title's right.
func heading(over, title, note string) fyne.CanvasObject {
	parts := []fyne.CanvasObject{}
	if over != "" {
		parts = append(parts, kit.NewCutText(over, kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 60))
	}
	line := kit.NewLine(8, 0,
		kit.NewCutText(title, kit.Style{Size: look.SizeTitle, Bold: true}, 60),
		kit.NewText(note, kit.Style{Colour: look.Muted, Size: look.SizeSmall}))
	return kit.NewColumn(1, append(parts, line)...)
}

// part is a part of the content under a line and a small title.
func part(title string, objects ...fyne.CanvasObject) fyne.CanvasObject {
	return under(append([]fyne.CanvasObject{kit.NewTitle(title)}, objects...)...)
}

// under lays objects below one another under a line.
func under(objects ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewPad(6, 0, 0, 0, kit.NewColumn(0, kit.NewRule(), kit.NewPad(5, 0, 0, 0, kit.NewParts(4, objects...))))
}

// gap is free height above an object.
func gap(height float32, o fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewPad(height, 0, 0, 0, o)
}

// chips are warnings below each other.
func chips(texts ...string) []fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for _, t := range texts {
		if t != "" {
			objects = append(objects, gap(7, kit.NewChip(t)))
		}
	}
	return objects
}

// buttons lays two buttons a line, both half as wide.
func buttons(all ...fyne.CanvasObject) fyne.CanvasObject {
	grid := container.NewGridWithColumns(2, all...)
	return gap(5, grid)
}
