package dock

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
)

// traffic chooses what links and crossings are counted over: which trips, which
// hours of the day, which days of the week.
type traffic struct {
	object fyne.CanvasObject
	m      *state.Model
	scope  *kit.Select
	hours  *kit.Toggles
	days   *kit.Toggles
	line   *fyne.Container
}

// newTraffic is a chooser with more tools behind it.
func newTraffic(m *state.Model, more ...fyne.CanvasObject) *traffic {
	t := &traffic{m: m}
	t.scope = kit.NewSelect([]string{lang.L("all trips"), lang.L("trips shown"), lang.L("selected trips")}, func(string) {
		t.set(func(s *state.Traffic) { s.Scope = state.Scope(t.scope.SelectedIndex()) })
	})
	var hours []string
	for h := range 24 {
		hours = append(hours, strconv.Itoa(h))
	}
	t.hours = kit.NewToggles(hours, lang.L("Hours of the day that count; none chosen: all. Delete chooses all again."))
	t.hours.OnChange = func(on uint32) { t.set(func(s *state.Traffic) { s.Hours = on }) }
	t.days = kit.NewToggles([]string{lang.L("Mo"), lang.L("Tu"), lang.L("We"), lang.L("Th"), lang.L("Fr"), lang.L("Sa"), lang.L("Su")},
		lang.L("Days of the week that count; none chosen: all. Delete chooses all again."))
	t.days.OnChange = func(on uint32) { t.set(func(s *state.Traffic) { s.Days = fromMonday(on) }) }
	objects := append([]fyne.CanvasObject{kit.NewFixed(136, 0, t.scope), t.hours, t.days}, more...)
	t.line = kit.NewLine(12, -1, objects...)
	t.object = kit.NewBorder(nil, kit.NewRule(), nil, nil, container.NewStack(kit.NewFill(look.Surface),
		container.NewHScroll(kit.NewPad(3, 12, 3, 12, t.line))))
	m.Watch(state.Flows, t.show)
	t.show()
	return t
}

// fromMonday turns days counted from Monday into days counted from Sunday.
func fromMonday(on uint32) uint8 { return uint8(on<<1&0x7e | on>>6&1) }

// toMonday is the way back.
func toMonday(days uint8) uint32 { return uint32(days>>1&0x3f | days&1<<6) }

func (t *traffic) set(change func(*state.Traffic)) {
	s := t.m.Traffic()
	change(&s)
	t.m.SetTraffic(s)
}

func (t *traffic) show() {
	s := t.m.Traffic()
	if t.scope.SelectedIndex() != int(s.Scope) {
		t.scope.SetSelectedIndex(int(s.Scope))
	}
	t.hours.Set(s.Hours)
	t.days.Set(toMonday(s.Days))
}
