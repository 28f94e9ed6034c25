package feature

import (
	"math"
	"time"

	"github.com/rickar/cal/v2"
)

// environmentColumns are f_t: the hour of the day one-hot and whether it is a
// holiday, in the place's own time.
func environmentColumns() []Column {
	cols := make([]Column, 0, 28)
	for h := range 24 {
		cols = append(cols, flag("hour_"+string([]byte{'0' + byte(h/10), '0' + byte(h%10)}), Calendar))
	}
	return append(cols,
		Column{Name: "hour_unknown", Unit: "0 or 1", Group: Calendar, Max: 1, Unknown: 1},
		flag("weekend", Calendar),
		flag("holiday", Calendar),
		Column{Name: "holiday_unknown", Unit: "0 or 1", Group: Calendar, Max: 1, Unknown: 1},
	)
}

// Environment makes f_t for one place.
type Environment struct {
	zone     *time.Location // nil: not known
	holidays *cal.Calendar  // nil: not known
}

// NewEnvironment is the environment of a place by its IANA time zone, such as
// "Europe/Lisbon". An empty name or one that the system does not know leaves
// the hour unknown; a country whose holidays are not known leaves those so.
func NewEnvironment(zone string) Environment {
	if zone == "" {
		return Environment{}
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return Environment{}
	}
	return Environment{loc, holidaysOf(zone)}
}

// Fill writes f_t of an instant (Unix milliseconds) into values.
func (e Environment) Fill(values []float32, unixMilli int64) {
	r := row{values}
	if e.zone == nil {
		r.hot(24, 25)
		r.put(0, 0, 1)
		return
	}
	t := time.UnixMilli(unixMilli).In(e.zone)
	r.hot(t.Hour(), 25)
	r.put(bit(t.Weekday() == time.Saturday || t.Weekday() == time.Sunday))
	if e.holidays == nil {
		r.put(0, 1)
		return
	}
	r.put(bit(e.holiday(t)), 0)
}

func (e Environment) holiday(t time.Time) bool {
	if e.holidays == nil {
		return false
	}
	actual, observed, _ := e.holidays.IsHoliday(t)
	return actual || observed
}

// hourOf is the hour of the day as an angle and whether it is a day off, zeros
// where the place's time is not known.
func (e Environment) hourOf(unixMilli int64) [3]float32 {
	if e.zone == nil {
		return [3]float32{}
	}
	t := time.UnixMilli(unixMilli).In(e.zone)
	sine, cosine := math.Sincos(2 * math.Pi * (float64(t.Hour()) + float64(t.Minute())/60) / 24)
	weekend := t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
	return [3]float32{float32(sine), float32(cosine), bit(weekend || e.holiday(t))}
}
