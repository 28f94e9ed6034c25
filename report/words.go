package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// words puts values into the words of the report.
type words struct {
	say     func(string) string
	zone    *time.Location
	figures Figures
}

// newWords says times in the zone of the network, where that is known.
func newWords(info roadnet.Info, say func(string) string, figures Figures) words {
	w := words{say: say, zone: time.UTC, figures: figures}
	if figures == nil {
		w.figures = plain{}
	}
	if say == nil {
		w.say = func(s string) string { return s }
	}
	if zone, err := time.LoadLocation(info.TimeZone); err == nil && info.TimeZone != "" {
		w.zone = zone
	}
	return w
}

func duration(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	return fmt.Sprintf("%d:%02d:%02d", h, m, s)
}

func (w words) instant(ms int64, layout string) string {
	return time.UnixMilli(ms).In(w.zone).Format(layout)
}

func (w words) clock(ms int64) string { return w.instant(ms, time.TimeOnly) }

// road is the name of a segment's road, else its number, else its class.
func (w words) road(s roadnet.Segment) string {
	for _, name := range []string{s.Name, s.Ref} {
		if name != "" {
			return name
		}
	}
	return w.say(s.Class.String())
}

// deck is where a stretch lies.
func (w words) deck(d trajectory.Deck) string {
	switch d {
	case trajectory.OnDeck:
		return w.say("on an elevated road")
	case trajectory.Below:
		return w.say("below an elevated road")
	case trajectory.Tunnel:
		return w.say("in a tunnel")
	}
	return w.say("beside an elevated road")
}

// spanRoad is the road of a span, and what else it may be.
func (w words) spanRoad(s trajectory.Span) string {
	if s.RunnerUp == "" {
		return w.say(s.Road)
	}
	return w.say(s.Road) + " / " + w.say(s.RunnerUp)
}

// place is a position with the digits that tell a lane.
func place(p roadnet.Point) string {
	if p == (roadnet.Point{}) {
		return ""
	}
	return fmt.Sprintf("%.5f, %.5f", p.Lat, p.Lon)
}

// tripRow is a trip in the table of all.
type tripRow struct {
	Number                                          int
	Trip, Begin, Duration, Points, Reported, Driven string
	Elevated, Risk, Error, Breaks, LeftOut, Warning string
	Doubts                                          int
}

func (w words) tripRow(number int, t Trip, f facts.Facts, doubts int) tripRow {
	return tripRow{Number: number, Trip: t.Recovery.Trajectory, Begin: w.at(f.Start), Duration: duration(f.Duration()), Points: w.count(f.Points),
		Reported: w.reported(f), Driven: w.length(f.Length), Elevated: w.length(f.Elevated), Risk: w.risk(f), Error: w.expected(f),
		Breaks: w.count(f.Breaks), LeftOut: w.count(f.OffRoad + f.Outliers), Warning: strings.Join(t.Recovery.Warnings, "; "), Doubts: doubts}
}

// risk is that of a trip; a dash where it is not known.
func (w words) risk(f facts.Facts) string {
	if !f.Judged {
		return "–"
	}
	return w.share(float64(f.Risk))
}

// expected is the error expected of a trip; a dash where it is not known.
func (w words) expected(f facts.Facts) string {
	if !f.Judged {
		return "–"
	}
	return w.length(float64(f.Error))
}

// inDoubt says what is in doubt at a gap.
func (w words) inDoubt(d facts.Doubt) string {
	switch {
	case d.Why == 0 && d.Odd.Has(trajectory.Speeds):
		return w.say("faster than the roads allow")
	case d.Why == 0 && d.Odd.Has(trajectory.Loops):
		return w.say("drives in a loop")
	case d.Why == 0 && d.Odd.Has(trajectory.Reverses):
		return w.say("turns back again and again")
	case d.Why == 0:
		return w.say("which way is in doubt")
	}
	switch d.Why {
	case trajectory.NoWay:
		return w.say("no way was found from here: the path is broken")
	case trajectory.TooFar:
		return w.say("too far for the time")
	case trajectory.TooFast:
		return w.say("faster than the roads allow")
	case trajectory.Turned:
		return w.say("turns where the network has no place to")
	}
	return w.say("the vehicle left the network")
}

// reported is the length of the lines between the reported points.
func (w words) reported(f facts.Facts) string {
	if f.Straight == 0 {
		return "–"
	}
	return w.length(f.Straight)
}

// fact is a name and its value.
type fact struct{ Name, Value string }

// tripFacts are what is known of a trip.
func (w words) tripFacts(t Trip, f facts.Facts) []fact {
	list := []fact{
		{w.say("Begin"), w.at(f.Start)}, {w.say("End"), w.at(f.End)}, {w.say("Duration"), duration(f.Duration())},
		{w.say("Reported points"), w.count(f.Points)}, {w.say("Recovered points"), w.count(f.Ticks)},
		{w.say("Length of the reported line"), w.reported(f)}, {w.say("Length driven"), w.length(f.Length)},
		{w.say("Mean speed"), w.speed(f.MeanSpeed())}, {w.say("On elevated roads"), w.length(f.Elevated)},
		{w.say("Risk"), w.risk(f)}, {w.say("Expected error"), w.expected(f)},
		{w.say("Breaks in the path"), w.count(f.Breaks)}, {w.say("Reported points left out"), w.count(f.OffRoad + f.Outliers)},
	}
	if v := t.Trajectory.Vehicle; v != "" && v != t.Trajectory.ID {
		list = append(list, fact{w.say("Vehicle"), v})
	}
	if s := t.Trajectory.Source; s != "" {
		list = append(list, fact{w.say("File"), filepath.Base(s)})
	}
	return list
}

// setFacts are what is known of all trips together.
func (w words) setFacts(s *sums) []fact {
	wrong, off := "–", "–"
	if s.judged > 0 {
		wrong, off = w.figures.Fraction(s.wrong, 0), w.length(s.off/float64(s.judged))
	}
	reported := "–"
	if s.reported > 0 {
		reported = w.length(s.reported)
	}
	return []fact{
		{w.say("Trips"), w.count(s.trips)}, {w.say("Trips with places in doubt"), w.count(s.doubtful)},
		{w.say("Begin"), w.at(s.first)}, {w.say("End"), w.at(s.last)},
		{w.say("Reported points"), w.count(s.points)}, {w.say("Recovered points"), w.count(s.ticks)},
		{w.say("Length of the reported lines"), reported}, {w.say("Length driven"), w.length(s.driven)},
		{w.say("On elevated roads"), w.length(s.elevated)}, {w.say("Spans on and below elevated roads"), w.count(s.spans)},
		{w.say("of which deck or ground is in doubt"), w.count(s.unsure)},
		{w.say("Trips expected to be wrong"), wrong}, {w.say("Expected error, mean over the trips"), off},
		{w.say("Gaps in doubt"), w.count(s.risky)},
		{w.say("Breaks in the paths"), w.count(s.breaks)}, {w.say("Reported points left out"), w.count(s.skipped)},
		{w.say("Places in doubt"), w.count(s.doubts)}, {w.say("Warnings"), w.count(s.warnings)},
	}
}
