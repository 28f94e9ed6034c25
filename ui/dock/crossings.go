package dock

import (
	"context"
	"fmt"
	"math"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/flow"
	"retrace/mapview/render"
	"retrace/ui/keeper"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/query"
	"retrace/ui/state"
	"retrace/ui/words"
)

// crossingRows is the table CROSSINGS: who crossed a line, or went in and out of
// an area, by hour of the day and direction. It is counted beside the window.
type crossingRows struct {
	m       *state.Model
	acts    Acts
	loaded  func()
	got     flow.Crossed
	hours   [24][2]int
	rows    []int // hours, where something has been counted
	tool    fyne.CanvasObject
	side    *fyne.Container
	chart   *hourChart
	sum     *kit.Text
	buttons []*kit.Button
	relabel func(ways [2]string) // heads the columns of the directions
}

func newCrossings(m *state.Model, acts Acts) *crossingRows {
	s := &crossingRows{m: m, acts: acts, chart: newHourChart(), sum: kit.NewCutText("", kit.Style{Bold: true}, 60)}
	line := kit.NewButton(lang.L("Draw a line"), "route", kit.Normal, func() { acts.Draw(false) })
	area := kit.NewButton(lang.L("Draw an area"), "", kit.Normal, func() { acts.Draw(true) })
	s.tool = newTraffic(m, line, area).object
	trips := kit.NewButton(lang.L("Show these trips"), "route", kit.Normal, s.narrow)
	save := kit.NewIconButton("export", lang.L("Save the counts as CSV…"), func() { acts.Save() })
	clear := kit.NewIconButton("cross", lang.L("Take the line away"), func() { m.SetScreen(flow.Screen{}) })
	s.buttons = []*kit.Button{trips, save, clear}
	head := kit.NewLine(4, 0, s.sum, trips, save, clear)
	s.side = kit.NewFixed(430, 0, container.NewStack(kit.NewFill(look.Surface),
		kit.NewBorder(nil, nil, nil, kit.NewRule(), kit.NewPad(4, 8, 4, 12, kit.NewBorder(head, nil, nil, nil, s.chart)))))
	return s
}

func (s *crossingRows) title() string { return lang.L("Crossings") }

// The columns of the two directions.
const firstWay = 1

func (s *crossingRows) columns() []column {
	right := fyne.TextAlignTrailing
	way := func(way int) func(int) (float64, bool) {
		return known(func(row int) float64 { return float64(s.hours[s.rows[row]][way]) })
	}
	return []column{
		{Column: kit.Column{Title: lang.L("Hour"), Width: 120, Min: 80, Grow: 0.2}, name: "hour", kind: query.Number,
			value: known(func(row int) float64 { return float64(s.rows[row]) }),
			text:  func(row int) string { return hourText(s.rows[row]) }},
		{Column: kit.Column{Title: lang.L("One way"), Width: 130, Min: 80, Align: right}, name: "one way", kind: query.Number, value: way(0)},
		{Column: kit.Column{Title: lang.L("Other way"), Width: 130, Min: 80, Align: right}, name: "other way", kind: query.Number, value: way(1)},
		{Column: kit.Column{Title: lang.L("Both ways"), Width: 110, Min: 80, Align: right}, name: "both ways", kind: query.Number,
			value: known(func(row int) float64 { h := s.hours[s.rows[row]]; return float64(h[0] + h[1]) })},
	}
}

func hourText(h int) string { return fmt.Sprintf("%02d:00–%02d:00", h, (h+1)%24) }

func (s *crossingRows) load() {
	s.rows = s.rows[:0]
	if len(s.m.Screen().Line) == 0 {
		return
	}
	traffic := s.m.Traffic()
	for h := range 24 {
		if traffic.Hours == 0 || traffic.Hours>>h&1 != 0 {
			s.rows = append(s.rows, h)
		}
	}
}

// progressEvery is how often a count says how far it is.
const progressEvery = 100 * time.Millisecond

// ask counts anew beside the window.
func (s *crossingRows) ask() {
	screen, ask := s.m.Screen(), s.m.TrafficAsk()
	if len(screen.Line) == 0 {
		s.show(flow.Crossed{})
		return
	}
	s.sum.SetText(lang.L("Counting…"))
	var told time.Time
	keeper.Consult(s.acts.Flows, "crossings", func(ctx context.Context, x *flow.Index) (flow.Crossed, error) {
		return x.Cross(ctx, screen, ask, func(done, total int) {
			if time.Since(told) >= progressEvery {
				told = time.Now()
				s.acts.Do(func() {
					s.sum.SetText(lang.L("Counting: {{.P}}", map[string]any{"P": words.Percent(float64(done) / float64(total))}))
				})
			}
		})
	}, s.show)
}

func (s *crossingRows) show(got flow.Crossed) {
	s.got, s.hours = got, got.Hours(s.m.Zone())
	ways := waysOf(s.m.Screen())
	s.relabel(ways)
	s.chart.set(s.hours, ways)
	some := len(s.m.Screen().Line) > 0
	s.side.Hidden = !some
	for _, b := range s.buttons {
		b.SetEnabled(some)
	}
	n := func(n int) map[string]any { return map[string]any{"N": words.Count(n)} }
	s.sum.SetText(lang.N("{{.N}} trips", len(got.Trips), n(len(got.Trips))) + ", " +
		lang.N("{{.N}} crossings", len(got.Crossings), n(len(got.Crossings))))
	s.loaded()
}

// narrow shows the trips alone that crossed.
func (s *crossingRows) narrow() {
	what := lang.L("across the line")
	if s.m.Screen().Area {
		what = lang.L("in the area")
	}
	s.m.Narrow(what, s.got.Trips)
}

// waysOf are the two directions across a screen in words: first from left to
// right, or out of the area.
func waysOf(s flow.Screen) [2]string {
	if s.Area || len(s.Line) < 2 {
		return [2]string{lang.L("out"), lang.L("in")}
	}
	a, b := s.Line[0], s.Line[len(s.Line)-1]
	east := (b.Lon - a.Lon) * math.Cos(a.Lat*math.Pi/180)
	right := math.Atan2(b.Lat-a.Lat, -east) // eastwards and northwards of what lies to the right
	return [2]string{heading(right), heading(right + math.Pi)}
}

// heading is a direction in words; the angle is clockwise from north, in radians.
func heading(angle float64) string {
	names := [...]string{lang.L("northward"), lang.L("north-eastward"), lang.L("eastward"), lang.L("south-eastward"),
		lang.L("southward"), lang.L("south-westward"), lang.L("westward"), lang.L("north-westward")}
	return names[(int(math.Round(angle/(math.Pi/4)))%8+8)%8]
}

func (s *crossingRows) count() int                { return len(s.rows) }
func (s *crossingRows) selected(int) bool         { return false }
func (s *crossingRows) chosen() int               { return -1 }
func (s *crossingRows) pick(int)                  {}
func (s *crossingRows) item(int) render.Item      { return render.Item{} }
func (s *crossingRows) sortedBy() (int, bool)     { return -1, false }
func (s *crossingRows) tools() fyne.CanvasObject  { return s.tool }
func (s *crossingRows) beside() fyne.CanvasObject { return s.side }
func (s *crossingRows) empty() string {
	return lang.L("Draw a line or an area on the map to count who crosses it.")
}
