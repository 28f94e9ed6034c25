package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// ParseHours reads hours of the day such as "7-9,17": from seven to nine o'clock, and
// from five to six. Empty: all.
func ParseHours(text string) (uint32, error) {
	var hours uint32
	for _, word := range strings.Split(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		first, last, ranged := strings.Cut(word, "-")
		from, err := strconv.Atoi(strings.TrimSpace(first))
		to := from + 1
		if ranged && err == nil {
			to, err = strconv.Atoi(strings.TrimSpace(last))
		}
		if err != nil || from < 0 || from > 23 || to < 1 || to > 24 || from == to {
			return 0, fmt.Errorf("%q are no hours of the day: give some such as 7-9,17, from 0 to 24", word)
		}
		for h := range (to-from+23)%24 + 1 {
			hours |= 1 << ((from + h) % 24)
		}
	}
	return hours, nil
}

// weekdays are the short names of the days, from Sunday on.
var weekdays = [...]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// ParseDays reads days of the week such as "mon-fri,sun". Empty: all.
func ParseDays(text string) (uint8, error) {
	var days uint8
	for _, word := range strings.Split(strings.ToLower(text), ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		first, last, ranged := strings.Cut(word, "-")
		if !ranged {
			last = first
		}
		from, to := slices.Index(weekdays[:], strings.TrimSpace(first)), slices.Index(weekdays[:], strings.TrimSpace(last))
		if from < 0 || to < 0 {
			return 0, fmt.Errorf("%q are no days of the week: give some such as mon-fri,sun", word)
		}
		for d := from; ; d = (d + 1) % 7 {
			days |= 1 << d
			if d == to {
				break
			}
		}
	}
	return days, nil
}
