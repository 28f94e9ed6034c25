// Package strip is the panel of time: a player, a clock, and speed or
// probability over the trip with its input instants. It can be scrubbed.
package strip

import (
	"time"

	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// Acts is what the player's buttons do.
type Acts struct {
	Back, Play, On func()
}

// Panel is the panel of time.
type Panel struct {
	Object fyne.CanvasObject

	m            *state.Model
	play, loop   *kit.Button
	clock, since *kit.Text
	speed, what  *kit.Select
	over         *kit.Select // what is played
	graph        *graph
	hint         *kit.Text
	buttons      []*kit.Button
}

// Height is how high the panel is, in pixels; it grows with the size of texts.
func Height() float32 { return 64 + 38*(theme.Size(theme.SizeNameText)/13-1) }

// New makes the panel.
func New(m *state.Model, acts Acts) *Panel {
	p := &Panel{m: m, graph: newGraph(m)}
	back := kit.NewIconButton("step-back", lang.L("One point back (Left)"), acts.Back)
	on := kit.NewIconButton("step-on", lang.L("One point on (Right)"), acts.On)
	p.play = kit.NewButton("", "play", kit.Primary, acts.Play)
	p.play.SetTip(lang.L("Play or pause (Space)"))
	p.loop = kit.NewIconButton("loop", lang.L("Begin anew at the end"), func() { m.SetLoop(!m.Clock().Loop) })
	p.buttons = []*kit.Button{back, p.play, on, p.loop}
	p.speed = kit.NewSelect(speedNames(), p.chooseSpeed)
	p.over = kit.NewSelect([]string{lang.L("this trip"), lang.L("all trips"), lang.L("all as one day"), lang.L("all at once")}, p.choosePlayback)
	p.what = kit.NewSelect([]string{lang.L("Speed"), lang.L("Probability")}, func(string) {
		p.graph.setProbability(p.what.SelectedIndex() == 1)
	})
	p.what.SetSelectedIndex(0)
	p.clock = kit.NewText("", kit.Style{Bold: true})
	p.since = kit.NewText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	clock := kit.NewHint(kit.NewColumn(0, p.clock, p.since), p.utc)
	left := kit.NewLine(5, -1, back, kit.NewFixed(34, 0, p.play), on, p.loop, kit.NewFixed(80, 0, p.speed),
		kit.NewFixed(112, 0, p.over), kit.NewPad(0, 0, 0, 8, kit.NewFixed(90, 0, clock)))
	p.hint = kit.NewText(lang.L("Select a trip to play it."), kit.Style{Colour: look.Muted})
	middle := container.NewStack(p.graph, container.NewCenter(p.hint))
	line := kit.NewBorder(nil, nil, kit.NewPad(0, 10, 0, 10, container.NewCenter(left)),
		kit.NewPad(0, 12, 0, 10, container.NewCenter(kit.NewFixed(112, 0, p.what))), middle)
	p.Object = container.NewStack(kit.NewFill(look.Second), line)
	m.Watch(state.Time, p.refresh)
	m.Watch(state.Selection|state.Trips|state.Settings, p.reload)
	p.reload()
	return p
}

// utc is the time in UTC, where the clock shows another zone's.
func (p *Panel) utc() string {
	if _, _, ok := p.m.TimeSpan(); !ok {
		return ""
	}
	return words.UTC(p.m.Clock().At)
}

func (p *Panel) choosePlayback(string) {
	if i := p.over.SelectedIndex(); i >= 0 {
		p.m.SetPlayback(state.Playback(i))
		p.reload()
	}
}

func speedNames() []string {
	var names []string
	for _, s := range state.Speeds() {
		names = append(names, strconv.FormatFloat(s, 'f', -1, 64)+"×")
	}
	return names
}

func (p *Panel) chooseSpeed(string) {
	if i := p.speed.SelectedIndex(); i >= 0 {
		p.m.SetSpeed(state.Speeds()[i])
	}
}

// reload shows another trip, or the same one recovered anew.
func (p *Panel) reload() {
	_, _, ok := p.m.TimeSpan()
	p.hint.Hidden = ok
	p.hint.Refresh()
	for _, b := range p.buttons {
		b.SetEnabled(ok)
	}
	if all := p.m.Clock().Over != state.PlayTrip; all != p.what.Disabled() {
		if all {
			p.what.Disable()
		} else {
			p.what.Enable()
		}
	}
	p.graph.reload()
	p.refresh()
}

// refresh shows the time.
func (p *Panel) refresh() {
	c := p.m.Clock()
	from, _, ok := p.m.TimeSpan()
	icon := "play"
	if c.Playing {
		icon = "pause"
	}
	p.play.SetIcon(icon)
	p.loop.SetOn(c.Loop)
	for i, s := range state.Speeds() {
		if s == c.Speed && p.speed.SelectedIndex() != i {
			p.speed.SetSelectedIndex(i)
		}
	}
	if p.over.SelectedIndex() != int(c.Over) {
		p.over.SetSelectedIndex(int(c.Over))
	}
	p.clock.SetText("––:––:––")
	p.since.SetText("")
	if ok {
		p.clock.SetText(words.Clock(shownAt(p.m, c.At)))
		p.since.SetText(p.sub(c, from))
	}
	p.graph.move()
}

// sub is what stands under the clock: the time since the trip's start, the date,
// or that all days are played as one.
func (p *Panel) sub(c state.Clock, from int64) string {
	switch c.Over {
	case state.PlayAll:
		return words.Day(c.At, p.m.Zone())
	case state.PlayDay:
		return lang.L("on any day")
	case state.PlayStart:
		return lang.L("after the start")
	}
	return since(c.At - from)
}

// shownAt is what a clock shows at an instant of the player's time, and in which
// zone: the time that has passed where all trips start at once.
func shownAt(m *state.Model, at int64) (int64, *time.Location) {
	if from, _, ok := m.TimeSpan(); ok && m.Clock().Over == state.PlayStart {
		return at - from, time.UTC
	}
	return at, m.Zone()
}

// since is the time from the start: +9 min 45 s.
func since(ms int64) string {
	s := ms / 1000
	if s < 60 {
		return lang.L("+{{.S}} s", map[string]any{"S": s})
	}
	if s < 3600 {
		return lang.L("+{{.M}} min {{.S}} s", map[string]any{"M": s / 60, "S": s % 60})
	}
	return lang.L("+{{.H}} h {{.M}} min", map[string]any{"H": s / 3600, "M": s / 60 % 60})
}
