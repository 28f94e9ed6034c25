package dock

import (
	"fmt"
	"path/filepath"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// problemRows is the table PROBLEMS: what import and reading left out, mended
// or found odd.
type problemRows struct {
	m    *state.Model
	acts Acts
	last int // row that was picked last
}

func newProblems(m *state.Model, acts Acts) *problemRows {
	return &problemRows{m: m, acts: acts, last: -1}
}

// The columns of PROBLEMS.
const (
	problemSource = iota
	problemWhat
	problemCount
	problemKept
	problemFile
	problemLine
	problemObject
)

func (s *problemRows) title() string { return lang.L("Problems") }
func (s *problemRows) columns() []kit.Column {
	right := fyne.TextAlignTrailing
	return []kit.Column{
		{Title: lang.L("Found by"), Width: 90, Min: 70},
		{Title: lang.L("What"), Width: 330, Min: 140, Grow: 1.4},
		{Title: lang.L("Count"), Width: 80, Min: 60, Align: right},
		{Title: lang.L("Outcome"), Width: 100, Min: 70},
		{Title: lang.L("File"), Width: 190, Min: 90, Grow: 0.6},
		{Title: lang.L("Line"), Width: 80, Min: 50, Align: right},
		{Title: lang.L("Objects"), Width: 240, Min: 90, Grow: 1},
	}
}

func (s *problemRows) load()                    {}
func (s *problemRows) count() int               { return len(s.m.Problems()) }
func (s *problemRows) at(row int) state.Problem { return s.m.Problems()[row] }

func (s *problemRows) field(row, column int) state.Field {
	p := s.at(row)
	switch column {
	case problemSource:
		return text(sourceWord(p.Source))
	case problemWhat:
		return text(p.What)
	case problemCount:
		return number(float64(p.Count), words.Count(int(p.Count)))
	case problemKept:
		if p.Kept {
			return text(lang.L("kept"))
		}
		return text(lang.L("left out"))
	case problemFile:
		if p.File != "" {
			return text(filepath.Base(p.File))
		}
	case problemLine:
		if p.Line > 0 {
			return number(float64(p.Line), words.Count(p.Line))
		}
	case problemObject:
		return text(p.Object)
	}
	return text("")
}

func sourceWord(s string) string {
	switch s {
	case "import":
		return lang.L("import")
	case "reading":
		return lang.L("reading")
	case "workspace":
		return lang.L("workspace")
	}
	return s
}

func (s *problemRows) cell(row, column int) kit.Cell {
	c := kit.Cell{Text: s.field(row, column).Text}
	if column == problemSource {
		c.Icon, c.Colour = "warning", look.Warning
		if s.at(row).Kept {
			c.Colour = look.Muted
		}
	}
	return c
}

func (s *problemRows) selected(row int) bool { return row == s.last }
func (s *problemRows) chosen() int           { return s.last }
func (s *problemRows) item(int) render.Item  { return render.Item{} }

// pick looks at a problem on the map: at its place, at the way that it names,
// or at the trip.
func (s *problemRows) pick(k kit.Picked, at func(int) int) {
	s.last = at(k.Index)
	p := s.at(s.last)
	switch id, ok := wayOf(p.Object); {
	case p.At != nil:
		s.m.Select(render.Item{Kind: render.PlaceItem, At: *p.At})
		s.acts.GoTo(*p.At)
	case ok:
		s.showWay(id)
	case s.m.Trip(p.Object) != nil:
		s.m.SelectTrip(p.Object)
	default:
		s.m.Touch(state.Selection)
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

func (s *problemRows) showWay(id int64) {
	seg, ok := SegmentOfWay(s.m.Network(), id)
	if !ok {
		s.m.Touch(state.Selection)
		return
	}
	at := middle(s.m.Network(), seg)
	s.m.Select(render.Item{Kind: render.RoadItem, Segment: seg, At: at})
	s.acts.GoTo(at)
}

// SegmentOfWay is a segment of an OSM way; false where the network has none.
func SegmentOfWay(net *roadnet.Network, way int64) (roadnet.SegmentID, bool) {
	if net == nil {
		return 0, false
	}
	for l := range net.NumLines() {
		if net.LineWay(roadnet.LineID(l)) != way {
			continue
		}
		f, b, hasF, _ := net.LineSegments(roadnet.LineID(l))
		if hasF {
			return f, true
		}
		return b, true
	}
	return 0, false
}

// middle is the place half way along a segment.
func middle(net *roadnet.Network, s roadnet.SegmentID) roadnet.Point {
	return net.At(roadnet.Position{Segment: s, Ratio: 0.5})
}

func (s *problemRows) empty() string { return lang.L("Import and reading found nothing wrong.") }

func (s *problemRows) sortedBy() int { return -1 }
