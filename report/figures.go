package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Figures says how numbers, lengths, speeds and times are written. Lengths are metres,
// speeds m/s, probabilities 0 to 1, instants Unix milliseconds.
type Figures interface {
	Count(n int) string
	Length(metres float64) string
	Speed(metresPerSecond float64) string
	Fraction(v float64, digits int) string
	At(ms int64, zone *time.Location) string
}

// narrow is a space that no line breaks at.
const narrow = "\u202f"

// plain writes figures with a point, thousands apart, and dates as ISO 8601 does.
type plain struct{}

func (plain) Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + narrow + s[i:]
	}
	return s
}

func (p plain) Length(metres float64) string {
	switch {
	case metres < 1000:
		return fmt.Sprintf("%.0f m", metres)
	case metres < 100_000:
		return p.Fraction(metres/1000, 1) + " km"
	}
	return p.Count(int(math.Round(metres/1000))) + " km"
}

func (plain) Speed(metresPerSecond float64) string {
	return fmt.Sprintf("%.0f km/h", metresPerSecond*3.6)
}

func (plain) Fraction(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

func (plain) At(ms int64, zone *time.Location) string {
	return time.UnixMilli(ms).In(zone).Format("2006-01-02 15:04:05")
}

func (w words) count(n int) string { return w.figures.Count(n) }

// length and speed stand in one line with their units.
func (w words) length(metres float64) string { return oneLine(w.figures.Length(metres)) }

func (w words) speed(metresPerSecond float64) string {
	return oneLine(w.figures.Speed(metresPerSecond))
}

func oneLine(s string) string { return strings.ReplaceAll(s, " ", narrow) }

// share is a probability; a dash where there is none.
func (w words) share(v float64) string {
	if !(v >= 0) {
		return "–"
	}
	return w.figures.Fraction(v, 2)
}

func (w words) at(ms int64) string { return w.figures.At(ms, w.zone) }
