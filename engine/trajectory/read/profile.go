package read

import (
	"math"
	"strings"
)

// profile is what a table's first rows show of one column.
type profile struct {
	name     string
	values   []string // those that are not empty
	numbers  int      // of the values
	decimals bool     // more than half of the values have two decimals or more
	comma    bool     // numbers have a comma for the point

	time, date, clock TimeFormat // the way of writing that fits; empty: none
	dayFirst          bool       // some date fits only with the day before the month

	cuts  []cutTime // the values as written times
	signs []string  // of those
}

// profiles looks at every column. Commas may be decimal ones where the
// separator is another.
func profiles(rows [][]string, columns []Column, comma bool) []profile {
	all := make([]profile, len(columns))
	for i := range all {
		p := &all[i]
		p.name = columns[i].Name
		for _, row := range rows {
			if i < len(row) && row[i] != "" && len(row[i]) <= 64 {
				p.values = append(p.values, row[i])
			}
		}
		p.count(comma)
		p.times()
	}
	return all
}

// count fills what is known of the numbers.
func (p *profile) count(comma bool) {
	fine := 0
	for _, v := range p.values {
		_, ok := number(v, false)
		if !ok && comma {
			_, ok = number(v, true)
			p.comma = p.comma || ok
		}
		if !ok {
			continue
		}
		p.numbers++
		if i := strings.LastIndexAny(v, ".,"); i >= 0 && len(v)-i > 2 {
			fine++
		}
	}
	p.decimals = 2*fine > len(p.values)
}

// times finds how times are written, if the column holds times.
func (p *profile) times() {
	if len(p.values) == 0 {
		return
	}
	if p.time = p.epoch(); p.time == "" {
		p.cutTimes()
		p.time = p.pattern(timePatterns())
	}
	if p.time != "" {
		p.dayFirst = p.fits(p.time, guessRows) > p.fits(TimeFormat(strings.Replace(string(p.time), "DD/MM", "MM/DD", 1)), guessRows)
		return
	}
	p.clock = p.pattern(clockPatterns())
	p.date = p.pattern(datePatterns())
}

// cutTimes cuts the zones off the values, once for all patterns.
func (p *profile) cutTimes() {
	p.cuts, p.signs = make([]cutTime, len(p.values)), make([]string, len(p.values))
	for i, v := range p.values {
		p.cuts[i] = cutTimeOf(strings.TrimSpace(v))
		p.signs[i] = signs(p.cuts[i].text)
	}
}

// enough is how many values must fit for a column to be one of times: nearly
// all, or a third where its name speaks for it.
func (p *profile) enough() int {
	if rank(p.name, Time) >= 0 {
		return len(p.values) / 3
	}
	return len(p.values) * 4 / 5
}

// epoch is the unit of numbers that are times.
func (p *profile) epoch() TimeFormat {
	best, most := TimeFormat(""), p.enough()
	counts := map[TimeFormat]int{}
	for _, v := range p.values {
		n, _ := number(v, p.comma)
		unit, ok := epochUnit(n)
		if !ok {
			continue
		}
		if counts[unit]++; counts[unit] > most {
			best, most = unit, counts[unit]
		}
	}
	return best
}

// pattern is the first pattern that fits the most values, if that is most of
// them.
func (p *profile) pattern(patterns []string) TimeFormat {
	best, most := TimeFormat(""), p.enough()
	for _, f := range patterns {
		if p.fits(TimeFormat(f), 20)*40 < min(20, len(p.values)) {
			continue // not one in forty of the first: spare the rest
		}
		if n := p.fits(TimeFormat(f), guessRows); n > most {
			best, most = TimeFormat(f), n
		}
	}
	return best
}

// fits counts those of the first values that a format reads.
func (p *profile) fits(f TimeFormat, first int) int {
	parser, n := newTimeParser(f, nil), 0
	pattern := signs(string(f))
	for i := range min(first, len(p.cuts)) {
		if !maySigns(p.signs[i], pattern) {
			continue
		}
		if ms, ok := parser.written(p.cuts[i]); ok && (f.isClock() || ms >= 0 && ms < maxTime) {
			n++
		}
	}
	return n
}

// numeric reports whether nearly all values are numbers.
func (p profile) numeric() bool { return len(p.values) > 0 && p.numbers*5 >= len(p.values)*4 }

// degrees reports whether the values may be degrees, by themselves.
func (p profile) degrees() bool { return p.numeric() && p.decimals && p.outside(180)*5 <= p.numbers }

// metres reports whether the values may be coordinates on a plane, by
// themselves.
func (p profile) metres() bool { return p.numeric() && p.outside(1000)*2 > p.numbers && p.time == "" }

// mayBeDegrees reports whether the values may be degrees in a column whose name
// speaks for it.
func (p profile) mayBeDegrees() bool {
	return p.numbers > 0 && p.numbers*3 > len(p.values) && p.outside(180)*2 <= p.numbers
}

// outside counts the numbers that leave plus and minus a limit.
func (p profile) outside(limit float64) int {
	n := 0
	for _, v := range p.values {
		if v, ok := number(v, p.comma); ok && math.Abs(v) > limit {
			n++
		}
	}
	return n
}

// distinct reports whether no value comes twice, in a column long enough to
// tell.
func (p profile) distinct() bool {
	if len(p.values) < 3 {
		return false
	}
	seen := make(map[string]bool, len(p.values))
	for _, v := range p.values {
		if seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}

// named is the column whose name has the surest claim to a role among those
// that fit; -1: none.
func named(cols []profile, r Role, fits func(profile) bool) int {
	best, at := math.MaxInt, -1
	for i, c := range cols {
		if n := rank(c.name, r); n >= 0 && n < best && fits(c) {
			best, at = n, i
		}
	}
	return at
}

// looseNumber reads a number with either decimal sign.
func looseNumber(s string) (float64, bool) {
	if v, ok := number(s, false); ok {
		return v, true
	}
	return number(s, true)
}
