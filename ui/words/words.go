// Package words turns values into the window's words: lengths, times, speeds,
// names of roads and states, in the user's language.
package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/ui/state"
)

// Model is the model of a recovery, given as name@hash: porto 573a30845e40.
func Model(model string) string {
	name, hash, _ := strings.Cut(model, "@")
	return strings.TrimSpace(name + " " + hash[:min(len(hash), 12)])
}

// Duration is a time span: 12:45, 1:02:03.
func Duration(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Left is an estimate of the time left: 20 s left, 3 min left.
func Left(d time.Duration) string {
	if d < 90*time.Second {
		return lang.L("{{.N}} s left", map[string]any{"N": max(int(d.Seconds()), 1)})
	}
	return lang.L("{{.N}} min left", map[string]any{"N": int(math.Round(d.Minutes()))})
}

// Place is a position in degrees: 41.15307, -8.58191. It has a point in every
// language, as programs read it that it is copied to.
func Place(p roadnet.Point) string { return degrees(p.Lat) + ", " + degrees(p.Lon) }

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 5, 64) }

// Percent is a probability in whole percent: 54 %.
func Percent(p float64) string { return fmt.Sprintf("%.0f %%", p*100) }

// Zone is the place's own time zone, or UTC where it is not known or not
// wanted.
func Zone(m *state.Model) *time.Location { return m.Zone() }

// UTC is an instant as date and time in UTC: 2013-09-26 16:00:57 UTC.
func UTC(ms int64) string { return At(ms, time.UTC) + " UTC" }

// Clock is the time of day of an instant.
func Clock(ms int64, zone *time.Location) string {
	return time.UnixMilli(ms).In(zone).Format("15:04:05")
}

// Day is the date of an instant: 26 Sep 2013.
func Day(ms int64, zone *time.Location) string {
	t := time.UnixMilli(ms).In(zone)
	months := [...]string{lang.L("Jan"), lang.L("Feb"), lang.L("Mar"), lang.L("Apr"), lang.L("May"), lang.L("Jun"),
		lang.L("Jul"), lang.L("Aug"), lang.L("Sep"), lang.L("Oct"), lang.L("Nov"), lang.L("Dec")}
	return lang.L("{{.Day}} {{.Month}} {{.Year}}", map[string]any{"Day": t.Day(), "Month": months[t.Month()-1], "Year": t.Year()})
}

// Class is a road class in words.
func Class(c roadnet.Class) string {
	switch c {
	case roadnet.Motorway:
		return lang.L("motorway")
	case roadnet.Trunk:
		return lang.L("trunk road")
	case roadnet.Primary:
		return lang.L("primary road")
	case roadnet.Secondary:
		return lang.L("secondary road")
	case roadnet.Tertiary:
		return lang.L("tertiary road")
	case roadnet.Unclassified:
		return lang.L("minor road")
	case roadnet.Residential:
		return lang.L("residential street")
	case roadnet.Service:
		return lang.L("service road")
	}
	return lang.L("road")
}

// Road is what a segment is called: its name, else its number, else its class.
func Road(s roadnet.Segment) string {
	switch {
	case s.Name != "":
		return s.Name
	case s.Ref != "":
		return s.Ref
	case s.Flags.Has(roadnet.FlagLink):
		return lang.L("{{.Class}} ramp", map[string]any{"Class": Class(s.Class)})
	}
	return Class(s.Class)
}

// SpanRoad is what the road of a span is called: its name or number, or else its class
// in words.
func SpanRoad(road string) string {
	for c := range roadnet.Class(roadnet.NumClasses) {
		if road == c.String() {
			return Class(c)
		}
	}
	return road
}

// Kind is class and structure of a segment: motorway ramp, viaduct, layer 1.
func Kind(s roadnet.Segment) string {
	words := Class(s.Class)
	if s.Flags.Has(roadnet.FlagLink) {
		words = lang.L("{{.Class}} ramp", map[string]any{"Class": words})
	}
	return words + ", " + Layer(s)
}

// Layer is how high a segment lies.
func Layer(s roadnet.Segment) string {
	switch {
	case s.Flags.Has(roadnet.FlagTunnel):
		return lang.L("tunnel, layer {{.N}}", map[string]any{"N": Signed(s.Layer)})
	case s.Flags.Has(roadnet.FlagBridge):
		return lang.L("bridge, layer {{.N}}", map[string]any{"N": Signed(s.Layer)})
	case s.Layer != 0:
		return lang.L("layer {{.N}}", map[string]any{"N": Signed(s.Layer)})
	}
	return lang.L("ground")
}

// Signed is a layer as a number.
func Signed(layer int8) string { return strconv.Itoa(int(layer)) }

// Limit is a speed limit given in km/h.
func Limit(l uint8) string {
	switch l {
	case roadnet.LimitUnknown:
		return lang.L("not known")
	case roadnet.LimitNone:
		return lang.L("none")
	}
	return Speed(float64(l) / 3.6)
}

// Deck is where on stacked roads a position lies.
func Deck(d trajectory.Deck) string {
	switch d {
	case trajectory.OnDeck:
		return lang.L("on the deck")
	case trajectory.Below:
		return lang.L("below the deck")
	case trajectory.Tunnel:
		return lang.L("in a tunnel")
	}
	return lang.L("ground")
}

// Measured is what recoveries are worth beside the truth, in a sentence.
func Measured(m state.Measure) string {
	return lang.L("{{.Alike}} of the way is as it was driven; the points between the inputs are {{.Off}} off in the mean.",
		map[string]any{"Alike": Percent(m.Alike), "Off": Length(m.Distance)})
}

// Status is a trip's state in a word.
func Status(s state.Status) string {
	switch s {
	case state.Queued:
		return lang.L("in the queue")
	case state.Recovered:
		return lang.L("recovered")
	case state.Outdated:
		return lang.L("recovered on another network")
	case state.Outside:
		return lang.L("outside the network")
	case state.Failed:
		return lang.L("failed")
	}
	return lang.L("not recovered")
}

// InDoubt says what is in doubt at a place.
func InDoubt(d facts.Doubt) string {
	switch {
	case d.Span:
		return lang.L("deck or ground")
	case d.Why != 0:
		return WhyNot(d.Why)
	case d.Odd.Has(trajectory.Speeds):
		return lang.L("faster than the roads allow")
	case d.Odd.Has(trajectory.Loops):
		return lang.L("drives in a loop")
	case d.Odd.Has(trajectory.Reverses):
		return lang.L("turns back again and again")
	}
	return lang.L("which way")
}

// WhyNot says why what is told of a gap is not simply a drive on the network.
func WhyNot(w trajectory.Why) string {
	switch w {
	case trajectory.NoWay:
		return lang.L("no way on the network")
	case trajectory.TooFar:
		return lang.L("too far for the time")
	case trajectory.TooFast:
		return lang.L("faster than the roads allow")
	case trajectory.CarPark:
		return lang.L("a car park or a yard")
	case trajectory.NewRoad:
		return lang.L("a road that the network lacks")
	case trajectory.Ferry:
		return lang.L("a ferry")
	case trajectory.Outside:
		return lang.L("beyond the network")
	case trajectory.Turned:
		return lang.L("turns where the network has no place to")
	}
	return ""
}

// Warnings is what a person should look at in a trip; empty where nothing.
func Warnings(t *state.Trip) string {
	if t.Status == state.Failed && t.Fault != nil {
		return t.Fault.Error()
	}
	if t.Status == state.Outside {
		return lang.L("no point lies within the network")
	}
	f := t.Facts
	n := func(n int) map[string]any { return map[string]any{"N": Count(n)} }
	var parts []string
	if f.Breaks > 0 {
		parts = append(parts, lang.N("{{.N}} breaks in the path", f.Breaks, n(f.Breaks)))
	}
	if f.OffRoad > 0 {
		parts = append(parts, lang.N("{{.N}} points far from any road", f.OffRoad, n(f.OffRoad)))
	}
	if f.Outliers > 0 {
		parts = append(parts, lang.N("{{.N}} points out of reach", f.Outliers, n(f.Outliers)))
	}
	if f.Unsure > 0 {
		parts = append(parts, lang.N("{{.N}} spans: deck or ground unsure", f.Unsure, n(f.Unsure)))
	}
	if f.Wild > 0 {
		parts = append(parts, lang.N("{{.N}} gaps that no vehicle drives so", f.Wild, n(f.Wild)))
	}
	return strings.Join(parts, "; ")
}
