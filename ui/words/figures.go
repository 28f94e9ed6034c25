package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"
)

// Figures says how numbers, units and dates are written: with the signs of the
// window's language, in the units that the user chose. The functions of the package
// look that up each time; who writes thousands of numbers keeps Figures.
type Figures struct {
	decimal, group string
	date           string // layout
	miles          bool   // miles, feet and miles an hour
}

// InUse is how figures are written now. The translations hold a sample of it: a number,
// the unit of long ways, and the date of 2 January 2006.
func InUse() Figures {
	return figuresLike(lang.L("1,234.5 km 2006-01-02"))
}

// Sample is the sample of figures in English.
const Sample = "1,234.5 km 2006-01-02"

// figuresLike reads a sample; what is missing of it is as in English.
func figuresLike(sample string) Figures {
	f := Figures{decimal: ".", group: ",", date: "2006-01-02"}
	parts := strings.SplitN(sample, " ", 3)
	if len(parts) < 3 {
		return f
	}
	number := []rune(parts[0])
	if len(number) == len("1,234.5") {
		f.group, f.decimal = string(number[1]), string(number[5])
	}
	f.miles, f.date = parts[1] == mile, parts[2]
	return f
}

const (
	kilometre = "km"
	mile      = "mi"

	metresAFoot = 0.3048
	metresAMile = 1609.344
)

// InMiles is a sample of figures with the other unit of long ways.
func InMiles(sample string) string {
	return strings.Replace(sample, " "+kilometre+" ", " "+mile+" ", 1)
}

// Miles reports whether ways and speeds are in miles.
func (f Figures) Miles() bool { return f.miles }

// Decimal is the sign before the digits of a fraction.
func (f Figures) Decimal() string { return f.decimal }

// Fraction is a number with some digits behind the decimal sign.
func (f Figures) Fraction(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if f.decimal != "." {
		s = strings.Replace(s, ".", f.decimal, 1)
	}
	return s
}

// Count groups the digits of a number: 61,204.
func (f Figures) Count(n int) string {
	s := strconv.Itoa(n)
	neg := ""
	if n < 0 {
		neg, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + f.group + s[i:]
	}
	return neg + s
}

// Length is a length given in metres: 89 m, 5.46 km, 123 km, or 292 ft, 3.39 mi, 76 mi.
func (f Figures) Length(m float64) string { return f.length(m, 2) }

// ShortLength is a length for a list: 89 m, 5.5 km.
func (f Figures) ShortLength(m float64) string { return f.length(m, 1) }

func (f Figures) length(m float64, digits int) string {
	long, unit, short := m/1000, kilometre, m < 999.5
	if f.miles {
		long, unit, short = m/metresAMile, mile, m < 999.5*metresAFoot
	}
	switch {
	case short && f.miles:
		return fmt.Sprintf("%.0f ft", m/metresAFoot)
	case short:
		return fmt.Sprintf("%.0f m", m)
	case long < 100-0.5*math.Pow(10, -float64(digits)):
		return f.Fraction(long, digits) + " " + unit
	}
	return f.Count(int(math.Round(long))) + " " + unit
}

// Speed is a speed given in m/s: 56 km/h, 35 mph.
func (f Figures) Speed(mps float64) string {
	if f.miles {
		return fmt.Sprintf("%.0f mph", mps*3600/metresAMile)
	}
	return fmt.Sprintf("%.0f km/h", mps*3.6)
}

// Probability is a probability of 0 to 1 with two digits.
func (f Figures) Probability(p float64) string { return f.Fraction(p, 2) }

// At is an instant (Unix milliseconds) as date and time.
func (f Figures) At(ms int64, zone *time.Location) string {
	return time.UnixMilli(ms).In(zone).Format(f.date + " 15:04:05")
}

// Count groups the digits of a number: 61,204.
func Count(n int) string { return InUse().Count(n) }

// Length is a length given in metres: 89 m, 5.46 km, 123 km, or 292 ft, 3.39 mi, 76 mi.
func Length(m float64) string { return InUse().Length(m) }

// ShortLength is a length for a list: 89 m, 5.5 km.
func ShortLength(m float64) string { return InUse().ShortLength(m) }

// Speed is a speed given in m/s: 56 km/h, 35 mph.
func Speed(mps float64) string { return InUse().Speed(mps) }

// Probability is a probability of 0 to 1 with two digits.
func Probability(p float64) string { return InUse().Probability(p) }

// At is an instant (Unix milliseconds) as date and time.
func At(ms int64, zone *time.Location) string { return InUse().At(ms, zone) }

// ISO is an instant (Unix milliseconds) as date and time for other programs:
// 2013-09-26 16:51:12.
func ISO(ms int64, zone *time.Location) string {
	return time.UnixMilli(ms).In(zone).Format("2006-01-02 15:04:05")
}

// Size is a number of bytes: 3.2 MB.
func Size(bytes int64) string {
	f := InUse()
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1e6:
		return fmt.Sprintf("%.0f kB", float64(bytes)/1e3)
	case bytes < 1e9:
		return f.Fraction(float64(bytes)/1e6, 1) + " MB"
	}
	return f.Fraction(float64(bytes)/1e9, 2) + " GB"
}
