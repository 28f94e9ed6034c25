package report

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// words puts values into the words of the report.
type words struct {
	say  func(string) string
	zone *time.Location
}

// newWords says times in the zone of the network, where that is known.
func newWords(info roadnet.Info, say func(string) string) words {
	w := words{say: say, zone: time.UTC}
	if say == nil {
		w.say = func(s string) string { return s }
	}
	if zone, err := time.LoadLocation(info.TimeZone); err == nil && info.TimeZone != "" {
		w.zone = zone
	}
	return w
}

// narrow is a space that no line breaks at.
const narrow = "\u202f"

// count is a whole number with its thousands apart.
func count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + narrow + s[i:]
	}
	return s
}

func length(metres float64) string {
	switch {
	case metres < 1000:
		return fmt.Sprintf("%.0f%sm", metres, narrow)
	case metres < 100_000:
		return fmt.Sprintf("%.1f%skm", metres/1000, narrow)
	}
	return count(int(math.Round(metres/1000))) + narrow + "km"
}

func speed(metresPerSecond float64) string {
	return fmt.Sprintf("%.0f%skm/h", metresPerSecond*3.6, narrow)
}

// share is a probability; a dash where there is none.
func share(v float64) string {
	if !(v >= 0) {
		return "–"
	}
	return fmt.Sprintf("%.2f", v)
}

func duration(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	return fmt.Sprintf("%d:%02d:%02d", h, m, s)
}

func (w words) instant(ms int64, layout string) string {
	return time.UnixMilli(ms).In(w.zone).Format(layout)
}

func (w words) at(ms int64) string    { return w.instant(ms, "2006-01-02 15:04:05") }
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
	return tripRow{Number: number, Trip: t.Recovery.Trajectory, Begin: w.at(f.Start), Duration: duration(f.Duration()), Points: count(f.Points),
		Reported: reported(f), Driven: length(f.Length), Elevated: length(f.Elevated), Risk: risk(f), Error: expected(f),
		Breaks: count(f.Breaks), LeftOut: count(f.OffRoad + f.Outliers), Warning: strings.Join(t.Recovery.Warnings, "; "), Doubts: doubts}
}

// risk is that of a trip; a dash where it is not known.
func risk(f facts.Facts) string {
	if !f.Judged {
		return "–"
	}
	return share(float64(f.Risk))
}

// expected is the error expected of a trip; a dash where it is not known.
func expected(f facts.Facts) string {
	if !f.Judged {
		return "–"
	}
	return length(float64(f.Error))
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
func reported(f facts.Facts) string {
	if f.Straight == 0 {
		return "–"
	}
	return length(f.Straight)
}

// fact is a name and its value.
type fact struct{ Name, Value string }

// tripFacts are what is known of a trip.
func (w words) tripFacts(t Trip, f facts.Facts) []fact {
	list := []fact{
		{w.say("Begin"), w.at(f.Start)}, {w.say("End"), w.at(f.End)}, {w.say("Duration"), duration(f.Duration())},
		{w.say("Reported points"), count(f.Points)}, {w.say("Recovered points"), count(f.Ticks)},
		{w.say("Length of the reported line"), reported(f)}, {w.say("Length driven"), length(f.Length)},
		{w.say("Mean speed"), speed(f.MeanSpeed())}, {w.say("On elevated roads"), length(f.Elevated)},
		{w.say("Risk"), risk(f)}, {w.say("Expected error"), expected(f)},
		{w.say("Breaks in the path"), count(f.Breaks)}, {w.say("Reported points left out"), count(f.OffRoad + f.Outliers)},
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
		wrong, off = fmt.Sprintf("%.0f", s.wrong), length(s.off/float64(s.judged))
	}
	reported := "–"
	if s.reported > 0 {
		reported = length(s.reported)
	}
	return []fact{
		{w.say("Trips"), count(s.trips)}, {w.say("Trips with places in doubt"), count(s.doubtful)},
		{w.say("Begin"), w.at(s.first)}, {w.say("End"), w.at(s.last)},
		{w.say("Reported points"), count(s.points)}, {w.say("Recovered points"), count(s.ticks)},
		{w.say("Length of the reported lines"), reported}, {w.say("Length driven"), length(s.driven)},
		{w.say("On elevated roads"), length(s.elevated)}, {w.say("Spans on and below elevated roads"), count(s.spans)},
		{w.say("of which deck or ground is in doubt"), count(s.unsure)},
		{w.say("Trips expected to be wrong"), wrong}, {w.say("Expected error, mean over the trips"), off},
		{w.say("Gaps in doubt"), count(s.risky)},
		{w.say("Breaks in the paths"), count(s.breaks)}, {w.say("Reported points left out"), count(s.skipped)},
		{w.say("Places in doubt"), count(s.doubts)}, {w.say("Warnings"), count(s.warnings)},
	}
}
