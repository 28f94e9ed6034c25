package read

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// timeParser reads the times of one file.
type timeParser struct {
	format TimeFormat
	layout string // of time.Parse; empty for numbers
	zone   *time.Location
	half   bool // the day has two halves: AM and PM
}

func newTimeParser(f TimeFormat, zone *time.Location) timeParser {
	if zone == nil {
		zone = time.UTC
	}
	p := timeParser{format: f, zone: zone, half: strings.Contains(string(f), "AM")}
	if f.unit() == 0 {
		p.layout = layoutOf(string(f))
	}
	return p
}

// parse reads a time as Unix milliseconds, UTC.
func (p timeParser) parse(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	if unit := p.format.unit(); unit > 0 {
		return parseEpoch(s, unit)
	}
	return p.written(cutTimeOf(s))
}

// cutTime is a written time without its zone.
type cutTime struct {
	text   string
	offset int64 // of its zone, seconds east of UTC
	zoned  bool
}

func cutTimeOf(s string) (c cutTime) {
	c.text, c.offset, c.zoned = cutZone(s)
	return c
}

// written reads a time of a pattern as Unix milliseconds, UTC.
func (p timeParser) written(c cutTime) (int64, bool) {
	if p.half {
		c.text = strings.ToUpper(c.text)
	}
	zone := p.zone
	if c.zoned {
		zone = time.UTC
	}
	t, err := time.ParseInLocation(p.layout, c.text, zone)
	if err != nil {
		return 0, false
	}
	return t.UnixMilli() - c.offset*1000, true
}

// signs are the signs of a written time that are neither letters nor digits, in a
// row. Those of a time are those of its pattern, perhaps with the point before the
// parts of a second: without that no pattern need be tried.
func signs(s string) string {
	var b [16]byte
	out := b[:0]
	for i := range len(s) {
		c := s[i]
		if isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 || c == ' ' && len(out) > 0 && out[len(out)-1] == ' ' && s[i-1] == ' ' {
			continue
		}
		out = append(out, c)
	}
	return string(out)
}

// maySigns reports whether the signs of a time fit those of a pattern.
func maySigns(time, pattern string) bool {
	rest, ok := strings.CutPrefix(time, pattern)
	if ok {
		return rest == "" || rest == "." || rest == ","
	}
	// The point of the seconds may stand before the half of the day.
	return strings.HasSuffix(pattern, " ") && strings.HasPrefix(time, pattern[:len(pattern)-1])
}

// unit is how many of a number of the format make a second; 0 for patterns.
func (f TimeFormat) unit() float64 {
	switch f {
	case EpochSeconds:
		return 1
	case EpochMillis:
		return 1e3
	case EpochMicros:
		return 1e6
	case EpochNanos:
		return 1e9
	}
	return 0
}

// isClock reports whether a pattern has no date.
func (f TimeFormat) isClock() bool { return !strings.Contains(string(f), "YY") && f.unit() == 0 }

func parseEpoch(s string, unit float64) (int64, bool) {
	v, ok := number(s, false)
	ms := math.Round(v / unit * 1000)
	if !ok || math.Abs(ms) > 1e15 || math.IsNaN(ms) {
		return 0, false
	}
	return int64(ms), true
}

// epochUnit tells the unit of a number by its size.
func epochUnit(v float64) (TimeFormat, bool) {
	switch v = math.Abs(v); {
	case v >= 1e8 && v < 1e10:
		return EpochSeconds, true
	case v >= 3e11 && v < 1e13: // less may be a date, written YYYYMMDDhhmm
		return EpochMillis, true
	case v >= 1e14 && v < 1e16:
		return EpochMicros, true
	case v >= 1e17 && v < 1e19:
		return EpochNanos, true
	}
	return "", false
}

// layoutOf turns a pattern into a layout of package time. Numbers may lack
// their leading zero unless they touch.
func layoutOf(pattern string) string {
	return patternWords.Replace(pattern)
}

// patternWords turns the words of patterns into those of package time.
var patternWords = strings.NewReplacer(
	"YYYYMMDD", "20060102", "hhmmss", "150405", "hhmm", "1504",
	"hh:mm:ss AM", "3:4:5 PM", "hh:mm AM", "3:4 PM",
	"YYYY", "2006", "YY", "06", "Mon", "Jan", "MM", "1", "DD", "2",
	"hh", "15", "mm", "4", "ss", "5",
)

// TimeFormats are the ways of writing times that are known, the likeliest first.
func TimeFormats() []TimeFormat {
	all := []TimeFormat{EpochSeconds, EpochMillis, EpochMicros, EpochNanos}
	for _, p := range timePatterns() {
		all = append(all, TimeFormat(p))
	}
	return all
}

// GuessTime tells how the times in the first rows of a table of a dialect are
// written, the header left out; empty where that cannot be told.
func GuessTime(d Dialect, rows [][]string) TimeFormat {
	columns := slices.Clone(d.Columns)
	for i := range columns {
		columns[i].Name = string(Time) // its role speaks for it
	}
	cols := profiles(rows, columns, d.Separator != ",")
	var date, clock TimeFormat
	for i, c := range d.Columns {
		switch c.Role {
		case Time:
			return cols[i].time
		case Date:
			date = cols[i].date
		case Clock:
			clock = cols[i].clock
		}
	}
	if date == "" || clock == "" {
		return ""
	}
	return date + " " + clock
}

// datePatterns and clockPatterns are the ways of writing that are tried, the
// likeliest first: where a file fits several, the first is taken.
func datePatterns() []string {
	return []string{"YYYY-MM-DD", "YYYY/MM/DD", "YYYY.MM.DD", "YYYYMMDD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY",
		"DD-MM-YYYY", "MM-DD-YYYY", "DD-Mon-YYYY", "DD Mon YYYY", "DD.MM.YY", "DD/MM/YY", "MM/DD/YY"}
}

func clockPatterns() []string {
	return []string{"hh:mm:ss", "hh:mm", "hh:mm:ss AM", "hh:mm AM", "hhmmss", "hhmm"}
}

// timePatterns are the full times that are tried.
func timePatterns() []string {
	var all []string
	for _, d := range datePatterns() {
		for _, c := range clockPatterns() {
			all = append(all, d+" "+c)
		}
	}
	return append(all, "YYYYMMDDhhmmss", "YYYYMMDDhhmm")
}

// cutZone takes the zone off the end of a time, gives its offset in seconds
// east of UTC, and puts a blank for the T between date and clock.
func cutZone(s string) (rest string, offset int64, zoned bool) {
	if i := strings.IndexAny(s, "Tt"); i > 0 && i+1 < len(s) && isDigit(s[i-1]) && isDigit(s[i+1]) {
		s = s[:i] + " " + s[i+1:]
	}
	for _, suffix := range [...]string{"Z", "z", "UTC", "GMT"} {
		if r, ok := strings.CutSuffix(s, suffix); ok {
			return strings.TrimSpace(r), 0, true
		}
	}
	clock := strings.IndexByte(s, ':')
	if clock < 0 {
		clock = strings.IndexByte(s, ' ')
	}
	i := strings.LastIndexAny(s, "+-")
	if clock < 0 || i < clock {
		return s, 0, false
	}
	digits := strings.ReplaceAll(s[i+1:], ":", "")
	v, err := strconv.Atoi(digits)
	if err != nil || v < 0 || len(digits) != 2 && len(digits) != 4 {
		return s, 0, false
	}
	if len(digits) == 2 {
		v *= 100
	}
	offset = int64(v/100*3600 + v%100*60)
	if s[i] == '-' {
		offset = -offset
	}
	return strings.TrimSpace(s[:i]), offset, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// looseTimes reads times of formats whose way of writing is not the same all
// through a file, or not told beforehand: it tries what fitted last, then all.
type looseTimes struct {
	zone *time.Location
	last timeParser
}

func newLooseTimes(zone *time.Location) *looseTimes {
	return &looseTimes{zone: zone, last: newTimeParser("YYYY-MM-DD hh:mm:ss", zone)}
}

// parse reads a time as Unix milliseconds, UTC.
func (l *looseTimes) parse(s string) (int64, bool) {
	if ms, ok := l.last.parse(s); ok {
		return ms, true
	}
	s = strings.TrimSpace(s)
	if len(s) > 64 {
		return 0, false
	}
	if v, ok := number(s, false); ok {
		if unit, ok := epochUnit(v); ok {
			l.last = newTimeParser(unit, l.zone)
			return l.last.parse(s)
		}
	}
	for _, f := range timePatterns() {
		p := newTimeParser(TimeFormat(f), l.zone)
		if ms, ok := p.parse(s); ok && ms >= 0 {
			l.last = p
			return ms, true
		}
	}
	return 0, false
}
