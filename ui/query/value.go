package query

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// units are the units of a kind, in the unit that its values have.
func (k Kind) units() map[string]float64 {
	switch k {
	case Length:
		return map[string]float64{"m": 1, "km": 1000, "mi": 1609.344, "ft": 0.3048}
	case Speed:
		return map[string]float64{"km/h": 1 / 3.6, "kmh": 1 / 3.6, "m/s": 1, "mph": 0.44704}
	case Duration:
		return map[string]float64{"s": 1, "sec": 1, "min": 60, "h": 3600, "d": 86400}
	case Share:
		return map[string]float64{"%": 0.01}
	}
	return nil
}

// plain is what a number without unit stands for.
func (k Kind) plain(miles bool) float64 {
	switch k {
	case Speed:
		if miles {
			return 0.44704
		}
		return 1 / 3.6
	case Length:
		if miles {
			return 0.3048
		}
	case Duration:
		return 60
	}
	return 1
}

// Units lists the units that a condition on a column of this kind may name.
func (k Kind) Units() []string {
	switch k {
	case Length:
		return []string{"m", "km", "mi", "ft"}
	case Speed:
		return []string{"km/h", "m/s", "mph"}
	case Duration:
		return []string{"s", "min", "h", "d"}
	case Share:
		return []string{"%"}
	}
	return nil
}

// measure reads the value of a condition on a column of numbers.
func (p *parser) measure(column int, op operator, t token) node {
	kind := p.g.Columns[column].Kind
	if kind == Instant {
		return p.instant(column, op, t)
	}
	if v, ok := clockSpan(t.text); ok && kind == Duration {
		return measures{column: column, op: op, from: v - 0.5, to: v + 0.5}.exact(op, v)
	}
	number, digits, unit, ok := splitNumber(t.text)
	if !ok {
		return p.fail(NotANumber, t, column)
	}
	factor := kind.plain(p.g.Miles)
	if unit == "" && len(p.tokens) > 0 && !p.tokens[0].quoted && kind.units()[strings.ToLower(p.tokens[0].text)] != 0 {
		unit = p.take().text // "5 km"
	}
	if unit != "" {
		if factor = kind.units()[strings.ToLower(unit)]; factor == 0 {
			return p.fail(WrongUnit, token{text: unit, from: t.from, length: t.length}, column)
		}
	}
	half := 0.5 * math.Pow(10, -float64(digits)) // what is shown as 0.54 equals 0.54
	return measures{column: column, op: op, from: (number - half) * factor, to: (number + half) * factor}.exact(op, number*factor)
}

// exact keeps the span of values only where an operator asks for what is equal.
func (n measures) exact(op operator, v float64) measures {
	if op != equal && op != unequal {
		n.from, n.to = v, v
	}
	return n
}

// splitNumber parts 5.5km into number and unit; digits are those behind the
// point, which may be a comma.
func splitNumber(text string) (number float64, digits int, unit string, ok bool) {
	end := strings.IndexFunc(text, func(r rune) bool {
		return !unicode.IsDigit(r) && r != '.' && r != ',' && r != '-' && r != '+' && r != '−'
	})
	if end < 0 {
		end = len(text)
	}
	figure := strings.ReplaceAll(strings.ReplaceAll(text[:end], ",", "."), "−", "-")
	if i := strings.IndexByte(figure, '.'); i >= 0 {
		digits = len(figure) - i - 1
	}
	number, err := strconv.ParseFloat(figure, 64)
	return number, digits, text[end:], err == nil && !math.IsInf(number, 0)
}

// clockSpan reads a duration as tables show it: 12:45, 1:02:03; in seconds.
func clockSpan(text string) (float64, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	total := 0
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, false
		}
		total = total*60 + int(n)
	}
	return float64(total), true
}

// instant reads a date, a date and a time, or a time of day.
func (p *parser) instant(column int, op operator, t token) node {
	n := measures{column: column, op: op}
	if from, length, ok := ofDay(t.text); ok {
		n.ofDay = p.g.OfDay
		n.from, n.to = float64(from), float64(from+length-1)
		return n
	}
	year, month, day, ok := date(t.text)
	if !ok {
		return p.fail(NotANumber, t, column)
	}
	from, length := int64(0), int64(86_400_000)
	if len(p.tokens) > 0 && !p.tokens[0].sign {
		if f, l, ok := ofDay(p.tokens[0].text); ok {
			from, length = f, l
			p.take()
		}
	}
	begin := p.g.Instant(year, month, day, from)
	n.from, n.to = float64(begin), float64(begin+length-1)
	return n
}

// date reads 2013-09-26, 26.09.2013 and 26/09/2013.
func date(text string) (year, month, day int, ok bool) {
	sign := "-"
	for _, other := range []string{".", "/"} {
		if strings.Contains(text, other) {
			sign = other
		}
	}
	parts := strings.Split(text, sign)
	if len(parts) == 3 && sign != "-" {
		parts[0], parts[2] = parts[2], parts[0]
	}
	if len(parts) != 3 || len(parts[0]) != 4 {
		return 0, 0, 0, false
	}
	var n [3]int
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, 0, 0, false
		}
		n[i] = int(v)
	}
	return n[0], n[1], n[2], n[1] >= 1 && n[1] <= 12 && n[2] >= 1 && n[2] <= 31
}

// ofDay reads 17:00 or 17:00:30; from and length are milliseconds.
func ofDay(text string) (from, length int64, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, 0, false
	}
	unit := int64(3_600_000)
	for i, part := range parts {
		v, err := strconv.ParseUint(part, 10, 8)
		if err != nil || len(part) > 2 || i == 0 && v > 24 || i > 0 && v > 59 {
			return 0, 0, false
		}
		from += int64(v) * unit
		length, unit = unit, unit/60
	}
	return from, length, true
}
