package preview

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
	"retrace/ui/work"
)

// footer says what would be read, and reads it.
type footer struct {
	p           *Panel
	object      *fyne.Container
	facts, note *kit.Text
	read, leave *kit.Button
	waiting     bool
}

func newFooter(p *Panel) *footer {
	f := &footer{p: p, facts: kit.NewCutText("", kit.Style{Bold: true}, 60), note: kit.NewCutText("", kit.Style{Colour: look.Muted}, 60)}
	f.read = kit.NewButton(lang.L("Read the trips"), "check", kit.Primary, func() { p.Decide(true) })
	f.leave = kit.NewButton(lang.L("Leave them"), "", kit.Normal, func() { p.Decide(false) })
	line := kit.NewLine(8, 0, kit.NewColumn(1, f.facts, f.note), f.leave, f.read)
	f.object = container.NewStack(kit.NewFill(look.Second), kit.NewBorder(kit.NewRule(), nil, nil, nil, kit.NewPad(5, 12, 5, 12, line)))
	return f
}

// wait says that a look is under way.
func (f *footer) wait() {
	f.waiting = true
	if f.p.glance == nil {
		f.facts.Set(lang.L("Looking at the file…"), kit.Style{Colour: look.Muted})
		f.note.SetText("")
	}
}

// fail says why nothing can be read this way.
func (f *footer) fail(why string) {
	f.waiting = false
	f.facts.Set(lang.L("This cannot be read so."), kit.Style{Bold: true, Colour: look.Warning})
	f.note.SetText(why)
}

// fill says what would be read.
func (f *footer) fill(g *work.Glance) {
	f.waiting = false
	if g.Samples == 0 {
		f.fail(g.Failure)
		return
	}
	f.facts.Set(factsText(g), kit.Style{Bold: true})
	f.note.Set(f.noteText(g))
	f.object.Refresh()
}

func factsText(g *work.Glance) string {
	span := lang.L("{{.From}} to {{.To}} UTC", map[string]any{"From": day(g.First), "To": day(g.Last)})
	trips := lang.N("{{.N}} trips", g.Trajectories, map[string]any{"N": words.Count(g.Trajectories)})
	points := lang.N("{{.N}} points", g.Samples, map[string]any{"N": words.Count(g.Samples)})
	held := trips + ", " + points + ", " + span
	if g.Complete {
		return held
	}
	return lang.L("About {{.About}} points; in the beginning: {{.Held}}", map[string]any{"About": words.Count(int(g.Estimate)), "Held": held})
}

// day is an instant without its seconds.
func day(iso string) string {
	iso = strings.Replace(iso, "T", " ", 1)
	return iso[:min(len(iso), len("2006-01-02 15:04"))]
}

// noteText is what is most in need of a look: rows that cannot be read, points
// outside the network, what was assumed.
func (f *footer) noteText(g *work.Glance) (string, kit.Style) {
	for _, p := range g.Problems {
		if !p.Kept && p.Rule == "" {
			text := lang.L("{{.Reason}} (line {{.Line}}: {{.Value}})", map[string]any{"Reason": words.Refused()(p.Reason), "Line": p.Line, "Value": p.Value})
			return lang.N("{{.N}} rows cannot be read", unread(g), map[string]any{"N": words.Count(unread(g))}) + ": " + text, kit.Style{Colour: look.Warning}
		}
	}
	if n := f.outside(g); n > 0 {
		return lang.N("{{.N}} trips lie outside the network; they are kept and can be recovered on another one.", n, map[string]any{"N": words.Count(n)}), kit.Style{Colour: look.Warning}
	}
	var notes []string
	for _, n := range g.Notes {
		notes = append(notes, assumed(n))
	}
	return strings.Join(notes, " "), kit.Style{Colour: look.Muted}
}

// assumed is what the reader assumed, in the window's words.
func assumed(note string) string {
	switch note {
	case read.NoteOrder:
		return lang.L("The columns have no names: longitude is taken to stand first.")
	case read.NoteLatFirst:
		return lang.L("The latitude is taken to stand first: the other number can be none.")
	case read.NoteSmallTimes:
		return lang.L("The times are small numbers: taken as seconds since 1970.")
	case read.NoteNoZone:
		return lang.L("The times name no zone.")
	case read.NoteDayFirst:
		return lang.L("The day is taken to stand before the month.")
	case read.NoteOneTrajectory:
		return lang.L("No column names a trip or a vehicle: all rows are one trip.")
	}
	return note
}

// unread counts rows that cannot be read.
func unread(g *work.Glance) int {
	n := 0
	for _, count := range g.Reasons {
		n += count
	}
	for _, count := range g.Rules {
		n -= count
	}
	return n
}

// outside counts the trips of which no point lies inside the network.
func (f *footer) outside(g *work.Glance) int {
	net := f.p.acts.Network()
	if net == nil {
		return 0
	}
	n := 0
	for _, t := range g.Trips {
		inside := false
		for _, s := range t.Samples {
			inside = inside || net.Info().Bounds.Contains(roadnet.Point{Lon: s.Lon, Lat: s.Lat})
		}
		if !inside {
			n++
		}
	}
	return n
}
