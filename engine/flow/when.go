package flow

import "time"

// When says which times count: hours of the day and days of the week in a zone.
// The zero value is any time, in UTC.
type When struct {
	Hours uint32 // bit h: the hour from h to h+1; 0: all
	Days  uint8  // bit d: the day, 0 is Sunday; 0: all
	Zone  *time.Location
}

// Always reports whether any time counts.
func (w When) Always() bool { return w.Hours == 0 && w.Days == 0 }

// dial tells hours and days of instants. Instants near one another share an
// offset from UTC, which is asked for once; a dial is for one goroutine.
type dial struct {
	when     When
	from, to int64 // Unix seconds for which offset holds
	offset   int64 // seconds
}

func newDial(w When) *dial {
	if w.Zone == nil {
		w.Zone = time.UTC
	}
	return &dial{when: w, from: 1}
}

// local is an instant as seconds of the zone's own clock.
func (d *dial) local(second int64) int64 {
	if second < d.from || second >= d.to {
		t := time.Unix(second, 0).In(d.when.Zone)
		_, offset := t.Zone()
		d.offset = int64(offset)
		start, end := t.ZoneBounds()
		d.from, d.to = start.Unix(), end.Unix()
		if start.IsZero() {
			d.from = -1 << 62
		}
		if end.IsZero() {
			d.to = 1 << 62
		}
	}
	return second + d.offset
}

const secondsADay = 86400

// hour is the hour of the day of an instant.
func (d *dial) hour(second int64) int { return int(mod(d.local(second), secondsADay) / 3600) }

// counts reports whether an instant counts.
func (d *dial) counts(second int64) bool {
	local := d.local(second)
	if d.when.Hours != 0 && d.when.Hours>>(mod(local, secondsADay)/3600)&1 == 0 {
		return false
	}
	const thursday = 4 // 1 January 1970
	day := mod(local-mod(local, secondsADay), 7*secondsADay)/secondsADay + thursday
	return d.when.Days == 0 || d.when.Days>>(day%7)&1 != 0
}

// mod is the remainder that is not negative.
func mod(a, b int64) int64 { return (a%b + b) % b }
