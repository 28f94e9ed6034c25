package preview

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory/clean"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
	"retrace/ui/work"
)

// rules are the rules of cleaning, each with its switch, threshold and count.
type rules struct {
	p       *Panel
	object  *fyne.Container
	filling bool
	lines   map[clean.Rule]*rule
	note    *kit.Text
}

// rule is the line of one rule.
type rule struct {
	on    *kit.Check
	value *kit.Entry // nil: it has no threshold
	count *kit.Text
}

func newRules(p *Panel) *rules {
	r := &rules{p: p, lines: map[clean.Rule]*rule{}}
	r.note = kit.NewText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall})
	objects := []fyne.CanvasObject{kit.NewPad(6, 0, 4, 0, kit.NewLine(8, 0, kit.NewTitle(lang.L("Tidying and cutting")), r.note))}
	for _, name := range work.CleaningRules() {
		objects = append(objects, r.line(name))
	}
	r.object = kit.NewColumn(3, objects...)
	return r
}

// ruleText says what a rule does, and the unit of its threshold; empty: it has
// none.
func ruleText(name clean.Rule) (text, unit string) {
	switch name {
	case clean.Backwards:
		return lang.L("Leave out what goes back in time"), ""
	case clean.Duplicates:
		return lang.L("Of one instant keep the first"), ""
	case clean.Outside:
		return lang.L("Leave out off the roads by"), "m"
	case clean.Jumps:
		return lang.L("Leave out jumps above"), "km/h"
	case clean.Gaps:
		return lang.L("Cut at gaps above"), "min"
	case clean.Stops:
		return lang.L("Cut at stops above"), "min"
	case clean.Standing:
		return lang.L("Thin out standing within"), "m"
	}
	return string(name), ""
}

func (r *rules) line(name clean.Rule) fyne.CanvasObject {
	text, unit := ruleText(name)
	l := &rule{count: kit.NewText("", kit.Style{Align: fyne.TextAlignTrailing, Bold: true})}
	l.on = kit.NewCheck(text, nil, func(bool) { r.take(name) })
	parts := []fyne.CanvasObject{l.on}
	if unit != "" {
		l.value = kit.NewEntry()
		l.value.OnChanged = func(string) { r.take(name) }
		parts = append(parts, kit.NewFixed(48, 0, l.value), kit.NewFixed(34, 0, kit.NewText(unit, kit.Style{Colour: look.Muted})))
	}
	parts = append(parts, kit.NewFixed(36, 0, l.count))
	r.lines[name] = l
	return kit.NewLine(4, 0, parts...)
}

// fill shows the rules as they are set.
func (r *rules) fill(c work.Cleaning) {
	r.filling = true
	defer func() { r.filling = false }()
	for name, l := range r.lines {
		l.on.Set(c[name].On)
		if l.value != nil {
			l.value.SetText(strconv.FormatFloat(c[name].Value, 'f', -1, 64))
		}
	}
}

// take takes a rule as it stands; a threshold that is no number above zero is
// taken once it is one.
func (r *rules) take(name clean.Rule) {
	l := r.lines[name]
	if r.filling || r.p.in == nil {
		return
	}
	s := work.Switch{On: l.on.On()}
	if l.value != nil {
		v, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(l.value.Text), ",", ".", 1), 64)
		if err != nil || v <= 0 {
			return
		}
		s.Value = v
	}
	if r.p.in.Cleaning[name] != s {
		r.p.in.Cleaning[name] = s
		r.p.look()
	}
}

// count shows how often each rule did something.
func (r *rules) count(g *work.Glance) {
	for name, l := range r.lines {
		text := "–"
		if r.p.in.Cleaning[name].On {
			text = words.Count(g.Rules[name])
		}
		l.count.SetText(text)
	}
	r.note.SetText("")
	if !g.Complete {
		r.note.SetText(lang.L("in the first {{.N}} points", map[string]any{"N": words.Count(g.Samples)}))
	}
	r.object.Refresh()
}
