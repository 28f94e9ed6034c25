package flow

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Unit is what times are told apart by.
type Unit string

// The units. A period is one of those that [Calendar] names.
const (
	ByHour    Unit = "hour"    // 0 to 23
	ByQuarter Unit = "quarter" // of an hour, "07:15"
	ByWeekday Unit = "weekday" // 1, Monday, to 7, Sunday
	ByDate    Unit = "date"    // "2024-05-06"
	ByMonth   Unit = "month"   // "2024-05"
	ByPeriod  Unit = "period"
)

// Units are all of them.
func Units() []Unit { return []Unit{ByHour, ByQuarter, ByWeekday, ByDate, ByMonth, ByPeriod} }

// mostUnits is how many units times can be told apart by at once.
const mostUnits = 3

// ParseUnits reads units between commas, such as "hour,weekday".
func ParseUnits(text string) ([]Unit, error) {
	var all []Unit
	for _, word := range strings.Split(text, ",") {
		u := Unit(strings.TrimSpace(word))
		switch {
		case u == "":
			continue
		case !slices.Contains(Units(), u):
			return nil, fmt.Errorf("%q is no unit of time: give some of hour, quarter, weekday, date, month, period", word)
		case slices.Contains(all, u):
			return nil, fmt.Errorf("%q stands there twice", word)
		}
		all = append(all, u)
	}
	if len(all) > mostUnits {
		return nil, fmt.Errorf("%d units of time, at most %d can be told apart at once", len(all), mostUnits)
	}
	return all, nil
}

// Span is a named period of the day, in minutes from midnight. One that ends before
// it begins lasts over midnight.
type Span struct {
	Name     string
	From, To int
}

// ParseSpan reads a period such as "am=7-9" or "evening=16:30-19".
func ParseSpan(text string) (Span, error) {
	name, times, ok := strings.Cut(text, "=")
	from, to, ends := strings.Cut(times, "-")
	s := Span{Name: strings.TrimSpace(name)}
	var err, err2 error
	s.From, err = minutes(from)
	s.To, err2 = minutes(to)
	if !ok || !ends || s.Name == "" || err != nil || err2 != nil || s.From == s.To {
		return s, fmt.Errorf("%q is no period: give a name and two times, such as am=7-9 or evening=16:30-19", text)
	}
	return s, nil
}

// minutes reads a time of day, "7" or "16:30".
func minutes(text string) (int, error) {
	layout := "15"
	if strings.Contains(text, ":") {
		layout = "15:04"
	}
	text = strings.TrimSpace(text)
	if text == "24" || text == "24:00" {
		return 24 * 60, nil
	}
	t, err := time.Parse(layout, text)
	return t.Hour()*60 + t.Minute(), err
}

func (s Span) holds(minute int) bool {
	if s.From < s.To {
		return minute >= s.From && minute < s.To
	}
	return minute >= s.From || minute < s.To
}

// Calendar tells times apart by units, in a zone. It is for one goroutine.
type Calendar struct {
	units []Unit
	spans []Span
	dial  *dial
}

// NewCalendar makes a calendar. Periods are asked for by the unit ByPeriod alone.
func NewCalendar(zone *time.Location, units []Unit, periods []Span) (*Calendar, error) {
	wanted := slices.Contains(units, ByPeriod)
	if wanted != (len(periods) > 0) {
		return nil, fmt.Errorf("periods are named and the unit period is asked for, or neither")
	}
	return &Calendar{units: units, spans: periods, dial: newDial(When{Zone: zone})}, nil
}

// Slot is a time by the units of a calendar.
type Slot [mostUnits]int32

// Units are those of the calendar.
func (c *Calendar) Units() []Unit { return c.units }

// slot is the slot of an instant in Unix seconds; false where it belongs to none: it
// is not known, or in no period.
func (c *Calendar) slot(at float64) (Slot, bool) {
	var s Slot
	if len(c.units) == 0 {
		return s, true
	}
	if math.IsNaN(at) {
		return s, false
	}
	local := c.dial.local(int64(math.Floor(at)))
	second := mod(local, secondsADay)
	day := (local - second) / secondsADay
	for i, u := range c.units {
		switch u {
		case ByHour:
			s[i] = int32(second / 3600)
		case ByQuarter:
			s[i] = int32(second / 900)
		case ByWeekday:
			s[i] = int32(mod(day+3, 7)) + 1 // 1 January 1970 was a Thursday
		case ByDate:
			s[i] = int32(day)
		case ByMonth:
			t := time.Unix(day*secondsADay, 0).UTC()
			s[i] = int32(t.Year()*12 + int(t.Month()) - 1)
		case ByPeriod:
			k := slices.IndexFunc(c.spans, func(p Span) bool { return p.holds(int(second / 60)) })
			if k < 0 {
				return s, false
			}
			s[i] = int32(k)
		}
	}
	return s, true
}

// Label is what a slot is called by unit number i.
func (c *Calendar) Label(s Slot, i int) string {
	v := s[i]
	switch c.units[i] {
	case ByQuarter:
		return fmt.Sprintf("%02d:%02d", v/4, v%4*15)
	case ByDate:
		return time.Unix(int64(v)*secondsADay, 0).UTC().Format(time.DateOnly)
	case ByMonth:
		return fmt.Sprintf("%04d-%02d", v/12, v%12+1)
	case ByPeriod:
		return c.spans[v].Name
	}
	return fmt.Sprint(v)
}

// compareSlots orders slots by time.
func compareSlots(a, b Slot) int { return slices.Compare(a[:], b[:]) }
