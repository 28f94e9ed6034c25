// Package notices shows what runs beside the window, with progress and a
// cancel button, and messages that need no answer, as cards above the map.
package notices

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// Panel is the stack of cards.
type Panel struct {
	Object *fyne.Container

	m       *state.Model
	tasks   *task.Manager
	details func(title, text string)
	cards   map[int]*card // by number of the task
	shown   []*fyne.Container
	column  *fyne.Container
	since   map[int]time.Time // when each message came up
}

// width is how wide a card is, in pixels.
const width = 340

// New makes the cards; details shows the long text of a message.
func New(m *state.Model, tasks *task.Manager, details func(title, text string)) *Panel {
	p := &Panel{m: m, tasks: tasks, details: details, cards: map[int]*card{}, since: map[int]time.Time{}, column: kit.NewColumn(8)}
	p.Object = container.New(corner{}, p.column)
	m.Watch(state.Tasks, p.refreshTasks)
	m.Watch(state.Notices, p.refreshNotices)
	return p
}

// card shows one task.
type card struct {
	box         *fyne.Container
	title, note *kit.Text
	bar         *kit.Bar
	cancel      *kit.Button
}

// grace is how long a task runs before its card comes up: short work does not
// flicker.
const grace = 250 * time.Millisecond

func (p *Panel) refreshTasks() {
	running := map[int]bool{}
	changed := false
	for _, t := range p.tasks.Running() {
		running[t.ID] = true
		c := p.cards[t.ID]
		if c == nil && time.Since(t.Started) < grace {
			continue
		}
		if c == nil {
			c = p.newCard(t)
			p.cards[t.ID] = c
			changed = true
		}
		c.show(t)
	}
	for id := range p.cards {
		if !running[id] {
			delete(p.cards, id)
			changed = true
		}
	}
	if changed {
		p.layout()
	}
}

// How long a message stands that is no warning, and one that offers to do
// something.
const (
	stay      = 9 * time.Second
	offerStay = 90 * time.Second
)

// stays is how long a message stands.
func stays(n state.Notice) time.Duration {
	if n.Offer != nil {
		return offerStay
	}
	return stay
}

// Tick looks after tasks that have not reported for a while, and takes messages
// away that have stood long enough.
func (p *Panel) Tick() {
	p.refreshTasks()
	for _, n := range p.m.Notices() {
		if n.Level == state.Info && time.Since(p.since[n.ID]) > stays(n) {
			p.m.Dismiss(n.ID)
			return
		}
	}
}

// Waiting reports whether a message stands that goes away by itself.
func (p *Panel) Waiting() bool {
	for _, n := range p.m.Notices() {
		if n.Level == state.Info {
			return true
		}
	}
	return false
}

func (p *Panel) newCard(t *task.Task) *card {
	c := &card{
		title: kit.NewCutText(t.Title, kit.Style{Bold: true}, 60),
		note:  kit.NewCutText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 60),
		bar:   kit.NewBar(),
	}
	c.cancel = kit.NewIconButton("cross", lang.L("Cancel"), func() { p.tasks.Cancel(t) })
	text := kit.NewColumn(4, c.title, kit.NewFixed(0, 5, c.bar), c.note)
	c.box = framed(kit.NewLine(8, 0, text, c.cancel))
	return c
}

func framed(o fyne.CanvasObject) *fyne.Container {
	return kit.NewFixed(width, 0, container.NewStack(kit.NewCard(), kit.NewPad(8, 8, 8, 12, o)))
}

func (c *card) show(t *task.Task) {
	fraction, known := t.Progress.Fraction()
	c.bar.Set(kit.Gauge{Value: float32(fraction)}, look.Accent)
	var parts []string
	if t.Progress.Phase != "" {
		parts = append(parts, t.Progress.Phase)
	}
	if known {
		parts = append(parts, words.Percent(fraction))
	} else if t.Progress.Done > 0 {
		parts = append(parts, words.Count(int(t.Progress.Done)))
	}
	if left, ok := t.Left(time.Now()); ok {
		parts = append(parts, words.Left(left))
	}
	if t.Ending() {
		parts = []string{lang.L("ending…")}
	}
	c.note.SetText(strings.Join(parts, ", "))
	c.cancel.SetEnabled(!t.Ending())
}

func (p *Panel) refreshNotices() {
	var cards []*fyne.Container
	since := map[int]time.Time{}
	for _, n := range p.m.Notices() {
		cards = append(cards, p.notice(n))
		since[n.ID] = time.Now()
		if before, ok := p.since[n.ID]; ok {
			since[n.ID] = before
		}
	}
	p.shown, p.since = cards, since
	p.layout()
}

// notice is the card of a message.
func (p *Panel) notice(n state.Notice) *fyne.Container {
	icon, colour := "check", look.Accent
	if n.Level != state.Info {
		icon, colour = "warning", look.Warning
	}
	label := widget.NewLabel(n.Text)
	label.Wrapping = fyne.TextWrapWord
	parts := []fyne.CanvasObject{kit.NewFixed(width-84, 0, label)}
	if buttons := p.buttons(n); len(buttons) > 0 {
		parts = append(parts, container.NewHBox(buttons...))
	}
	dismiss := kit.NewIconButton("cross", lang.L("Dismiss"), func() { p.m.Dismiss(n.ID) })
	sign := kit.NewPad(7, 0, 0, 0, kit.NewFixed(16, 16, kit.NewIcon(icon, colour)))
	line := kit.NewBorder(nil, nil, kit.NewBorder(sign, nil, nil, nil), kit.NewBorder(dismiss, nil, nil, nil), kit.NewColumn(2, parts...))
	return framed(line)
}

// buttons are what a message offers.
func (p *Panel) buttons(n state.Notice) []fyne.CanvasObject {
	var buttons []fyne.CanvasObject
	if n.Offer != nil {
		buttons = append(buttons, kit.NewButton(n.Offer.Name, "", kit.Primary, func() {
			p.m.Dismiss(n.ID)
			n.Offer.Run()
		}))
	}
	if n.Detail != "" {
		buttons = append(buttons, kit.NewButton(lang.L("Details"), "", kit.Normal, func() { p.details(n.Text, n.Detail) }))
	}
	return buttons
}

func (p *Panel) layout() {
	p.column.Objects = nil
	for _, t := range p.tasks.Running() {
		if c := p.cards[t.ID]; c != nil {
			p.column.Objects = append(p.column.Objects, c.box)
		}
	}
	for _, c := range p.shown {
		p.column.Objects = append(p.column.Objects, c)
	}
	p.Object.Refresh()
}

// corner lays the cards into the upper left corner.
type corner struct{}

func (corner) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		m := o.MinSize()
		o.Move(fyne.NewPos(12, 12))
		o.Resize(fyne.NewSize(min(m.Width, max(size.Width-24, 0)), m.Height))
	}
}

func (corner) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
