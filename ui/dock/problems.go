package dock

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/clean"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// problemRows is the table PROBLEMS: what import, reading and cleaning left out,
// mended or found odd. Above it stands how often each of them did something; a
// click there shows its rows alone.
type problemRows struct {
	m     *state.Model
	acts  Acts
	rows  []state.Problem
	kind  string // that is shown alone; empty: all
	last  int    // row that was picked last
	total int    // of what was found, of all kinds
	kinds *fyne.Container
	tool  fyne.CanvasObject
	again func() // shows the rows anew
}

func newProblems(m *state.Model, acts Acts) *problemRows {
	s := &problemRows{m: m, acts: acts, last: -1, kinds: kit.NewLine(4, -1)}
	s.tool = kit.NewBorder(nil, kit.NewRule(), nil, nil, container.NewStack(kit.NewFill(look.Surface),
		container.NewHScroll(kit.NewPad(3, 12, 3, 12, s.kinds))))
	return s
}

func (s *problemRows) title() string { return lang.L("Problems") }

func (s *problemRows) columns() []column {
	right := fyne.TextAlignTrailing
	return []column{
		{Column: kit.Column{Title: lang.L("Found by"), Width: 170, Min: 70}, name: "found by",
			text: func(row int) string { return kindWord(kindOf(s.rows[row])) }, cell: s.sign},
		{Column: kit.Column{Title: lang.L("What"), Width: 330, Min: 140, Grow: 1.4}, name: "what",
			text: func(row int) string { return s.rows[row].What }},
		{Column: kit.Column{Title: lang.L("Count"), Width: 80, Min: 60, Align: right}, name: "count", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.rows[row].Count) })},
		{Column: kit.Column{Title: lang.L("Outcome"), Width: 100, Min: 70}, name: "outcome",
			text: func(row int) string {
				if s.rows[row].Kept {
					return lang.L("kept")
				}
				return lang.L("left out")
			}},
		{Column: kit.Column{Title: lang.L("File"), Width: 190, Min: 90, Grow: 0.6}, name: "file", text: s.file,
			tip: func(row int) string { return s.rows[row].File }},
		{Column: kit.Column{Title: lang.L("Line"), Width: 80, Min: 50, Align: right}, name: "line", kind: query.Number,
			value: func(row int) (float64, bool) { return float64(s.rows[row].Line), s.rows[row].Line > 0 }},
		{Column: kit.Column{Title: lang.L("Objects"), Width: 220, Min: 90, Grow: 1}, name: "objects",
			text: func(row int) string { return s.rows[row].Object }},
		{Column: kit.Column{Title: lang.L("On the map"), Width: 110, Min: 70}, name: "on the map", text: s.onMap,
			cell: func(row int, c *kit.Cell) {
				if c.Text != "" {
					c.Icon, c.Colour = "pin", look.Accent
				}
			}},
	}
}

func (s *problemRows) file(row int) string {
	if f := s.rows[row].File; f != "" {
		return filepath.Base(f)
	}
	return ""
}

// onMap says that a row can be looked at on the map.
func (s *problemRows) onMap(row int) string {
	if _, ok := s.place(s.rows[row]); ok {
		return lang.L("show")
	}
	return ""
}

func (s *problemRows) sign(row int, c *kit.Cell) {
	c.Icon, c.Colour = "warning", look.Warning
	if s.rows[row].Kept {
		c.Colour = look.Muted
	}
}

// kindOf is what found a problem: a rule of cleaning, or import, reading...
func kindOf(p state.Problem) string {
	if p.Rule != "" {
		return p.Rule
	}
	return p.Source
}

func kindWord(kind string) string {
	switch kind {
	case "import":
		return lang.L("import")
	case "reading":
		return lang.L("reading")
	case "workspace":
		return lang.L("workspace")
	case string(clean.Backwards):
		return lang.L("rule: time order")
	case string(clean.Duplicates):
		return lang.L("rule: same instant")
	case string(clean.Outside):
		return lang.L("rule: far from the network")
	case string(clean.Jumps):
		return lang.L("rule: jumps")
	case string(clean.Standing):
		return lang.L("rule: standing still")
	case string(clean.Gaps):
		return lang.L("rule: cut at gaps")
	case string(clean.Stops):
		return lang.L("rule: cut at stops")
	}
	return kind
}

// load takes the problems of the kind shown, and counts those of each.
func (s *problemRows) load() {
	all := s.m.Problems()
	counts := map[string]int{}
	for _, p := range all {
		counts[kindOf(p)] += int(p.Count)
	}
	if counts[s.kind] == 0 {
		s.kind = ""
	}
	s.rows = all
	if s.kind != "" {
		s.rows = nil
		for _, p := range all {
			if kindOf(p) == s.kind {
				s.rows = append(s.rows, p)
			}
		}
	}
	s.showKinds(counts)
}

// showKinds lists what found problems, with how often each did.
func (s *problemRows) showKinds(counts map[string]int) {
	var kinds []string
	total := 0
	for k, n := range counts {
		kinds = append(kinds, k)
		total += n
	}
	slices.SortFunc(kinds, func(a, b string) int { return counts[b] - counts[a] })
	s.total = total
	buttons := []fyne.CanvasObject{s.kindButton("", lang.L("all"), total)}
	for _, k := range kinds {
		buttons = append(buttons, s.kindButton(k, kindWord(k), counts[k]))
	}
	s.tool.(*fyne.Container).Hidden = len(kinds) == 0
	s.kinds.Objects = buttons
	s.kinds.Refresh()
}

func (s *problemRows) kindButton(kind, name string, count int) fyne.CanvasObject {
	b := kit.NewButton(name+"  "+words.Count(count), "", kit.Quiet, func() {
		s.kind = kind
		s.again()
	})
	b.SetOn(s.kind == kind)
	return b
}

// tally counts what was found, of which a row may stand for many: as the button of all
// and the words of an import do.
func (s *problemRows) tally() int { return s.total }

func (s *problemRows) count() int            { return len(s.rows) }
func (s *problemRows) selected(row int) bool { return row == s.last }
func (s *problemRows) chosen() int           { return s.last }

func (s *problemRows) item(row int) render.Item {
	item, _ := s.place(s.rows[row])
	return item
}

// place is what a problem is about on the map: a place, the way that it names,
// or a trip; false where it is none.
func (s *problemRows) place(p state.Problem) (render.Item, bool) {
	if p.At != nil {
		return render.Item{Kind: render.PlaceItem, At: *p.At}, true
	}
	if id, ok := wayOf(p.Object); ok {
		if seg, ok := s.m.SegmentOfWay(id); ok {
			return render.Item{Kind: render.RoadItem, Segment: seg, At: middle(s.m.Network(), seg)}, true
		}
	}
	if s.m.Trip(p.Object) != nil {
		return render.Item{Kind: render.TripItem, Trip: p.Object}, true
	}
	return render.Item{}, false
}

// pick looks at a problem on the map.
func (s *problemRows) pick(row int) {
	s.last = row
	item, _ := s.place(s.rows[row])
	switch item.Kind {
	case render.NoItem:
		s.m.Touch(state.Selection)
	case render.TripItem:
		s.m.SelectTrip(item.Trip)
	default:
		s.m.Select(item)
		s.acts.GoTo(item.At)
	}
}

// wayOf is the first way that a list of objects names.
func wayOf(objects string) (int64, bool) {
	var id int64
	if n, _ := fmt.Sscanf(objects, "way %d", &id); n == 1 {
		return id, true
	}
	id, err := strconv.ParseInt(objects, 10, 64)
	return id, err == nil
}

// middle is the place half way along a segment.
func middle(net *roadnet.Network, s roadnet.SegmentID) roadnet.Point {
	return net.At(roadnet.Position{Segment: s, Ratio: 0.5})
}

func (s *problemRows) empty() string { return lang.L("Import and reading found nothing wrong.") }

func (s *problemRows) sortedBy() (int, bool)    { return -1, false }
func (s *problemRows) tools() fyne.CanvasObject { return s.tool }
