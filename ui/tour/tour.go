// Package tour leads a new user around the window: a card that points at one
// panel after another, can be left at any time, and never stands in the way of
// the panels themselves.
package tour

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/kit"
	"retrace/ui/look"
)

// Step is one stop: what is said, and the panel that it is about.
type Step struct {
	Title, Text string
	At          func() fyne.CanvasObject
}

// Panel is the tour, to be laid over the window.
type Panel struct {
	Object *fyne.Container

	steps []Step
	at    int
	left  func() // called when the tour ends
	focus func(fyne.Focusable)

	frame             [4]*kit.Fill
	card              *fyne.Container
	title, place      *kit.Text
	text              *fyne.Container
	back, next, leave *kit.Button
}

// Size of the card and how thick the frame is, in pixels.
const (
	cardWidth = 330
	frame     = 3
	gap       = 12
)

// New makes the tour, which is not shown yet. Left is called when it ends; focus
// gives the keys to a button.
func New(steps []Step, left func(), focus func(fyne.Focusable)) *Panel {
	p := &Panel{steps: steps, left: left, focus: focus, title: kit.NewCutText("", kit.Style{Bold: true}, 60),
		place: kit.NewText("", kit.Style{Colour: look.Muted}), text: container.NewStack()}
	p.back = kit.NewButton(lang.L("Back"), "", kit.Normal, func() { p.turn(-1) })
	p.next = kit.NewButton("", "", kit.Primary, func() { p.turn(1) })
	p.leave = kit.NewButton(lang.L("Leave the tour"), "", kit.Quiet, p.Leave)
	buttons := kit.NewLine(6, 0, container.NewStack(), p.leave, p.back, p.next)
	content := kit.NewColumn(6, kit.NewLine(8, 0, p.title, p.place), p.text, buttons)
	p.card = kit.NewFixed(cardWidth, 0, container.NewStack(kit.NewCard(), kit.NewPad(10, 12, 10, 14, content)))
	objects := []fyne.CanvasObject{}
	for i := range p.frame {
		p.frame[i] = kit.NewFill(look.Chosen)
		objects = append(objects, p.frame[i])
	}
	p.Object = container.New(pointing{p}, append(objects, p.card)...)
	p.Object.Hide()
	return p
}

// Shown reports whether the tour is under way.
func (p *Panel) Shown() bool { return p.Object.Visible() }

// Start begins with the first step.
func (p *Panel) Start() {
	p.at = 0
	p.Object.Show()
	p.fill()
}

// Leave ends the tour.
func (p *Panel) Leave() {
	if p.Shown() {
		p.Object.Hide()
		p.left()
	}
}

func (p *Panel) turn(by int) {
	if p.at+by >= len(p.steps) {
		p.Leave()
		return
	}
	p.at = max(p.at+by, 0)
	p.fill()
}

func (p *Panel) fill() {
	s := p.steps[p.at]
	p.title.SetText(s.Title)
	p.place.SetText(lang.L("{{.N}} of {{.All}}", map[string]any{"N": p.at + 1, "All": len(p.steps)}))
	p.text.Objects = []fyne.CanvasObject{kit.NewParagraph(s.Text, look.Text, fyne.TextAlignLeading)}
	p.back.SetEnabled(p.at > 0)
	p.next.SetText(lang.L("Next"))
	if p.at == len(p.steps)-1 {
		p.next.SetText(lang.L("Done"))
	}
	p.Object.Refresh()
	p.focus(p.next)
}

// pointing lays a frame around the panel of the step and the card beside it.
type pointing struct{ p *Panel }

func (l pointing) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (l pointing) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.p
	if len(p.steps) == 0 {
		return
	}
	driver := fyne.CurrentApp().Driver()
	target := p.steps[p.at].At()
	at := driver.AbsolutePositionForObject(target).Subtract(driver.AbsolutePositionForObject(p.Object))
	of := target.Size()
	place := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	place(p.frame[0], at.X, at.Y, of.Width, frame)
	place(p.frame[1], at.X, at.Y+of.Height-frame, of.Width, frame)
	place(p.frame[2], at.X, at.Y, frame, of.Height)
	place(p.frame[3], at.X+of.Width-frame, at.Y, frame, of.Height)
	// The text wraps to the card's width only once it is laid out: so twice.
	p.card.Resize(fyne.NewSize(cardWidth, p.card.MinSize().Height))
	high := p.card.MinSize().Height
	pos := beside(at, of, fyne.NewSize(cardWidth, high), size)
	place(p.card, pos.X, pos.Y, cardWidth, high)
}

// beside is where a card goes: right of the panel, left of it, above it, or in
// its lower left corner, wherever there is room first.
func beside(at fyne.Position, of, card, window fyne.Size) fyne.Position {
	y := min(max(at.Y+gap, gap), max(window.Height-card.Height-gap, 0))
	switch {
	case at.X+of.Width+card.Width+2*gap <= window.Width:
		return fyne.NewPos(at.X+of.Width+gap, y)
	case at.X-card.Width-gap >= 0:
		return fyne.NewPos(at.X-card.Width-gap, y)
	case at.Y-card.Height-gap >= 0:
		return fyne.NewPos(min(max(at.X+gap, 0), window.Width-card.Width-gap), at.Y-card.Height-gap)
	}
	return fyne.NewPos(at.X+gap, at.Y+of.Height-card.Height-gap)
}
