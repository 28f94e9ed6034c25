package find

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"retrace/engine/roadnet"
)

// number is one angle of a position as it is typed: degrees, minutes, seconds,
// and a letter before or behind it.
type number struct {
	degrees float64
	letter  byte // N, S, E, W; 0: none
	signed  bool
}

// angle matches one angle: 41.15307, 41°09'11", 41 09 11 N, N 41° 9.18'.
func angle() *regexp.Regexp {
	return regexp.MustCompile(`^\s*([NSEWO]?)\s*([-+−]?\d{1,3}(?:[.,]\d+)?)\s*(?:(?:[°º:d]|deg)\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:['′’:m]\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”s]|''|′′)?)?)?)?)?\s*([NSEWO]?)(?:[\s,;/]+|$)`)
}

// Places reads a position: decimal degrees, or degrees with minutes and seconds,
// latitude first unless letters say otherwise. Where either order is possible
// both are given, the usual one first. It gives none for what is no position.
func Places(text string) []roadnet.Point {
	text = strings.ToUpper(strings.TrimPrefix(strings.TrimSpace(text), "geo:"))
	text = strings.NewReplacer("(", " ", ")", " ", "LAT", " ", "LON", " ", "LNG", " ", "=", " ").Replace(text)
	pattern := angle()
	var angles []number
	for rest := text; strings.TrimSpace(rest) != ""; {
		m := pattern.FindStringSubmatch(rest)
		if m == nil || len(angles) == 2 {
			return nil
		}
		a, ok := readAngle(m)
		if !ok {
			return nil
		}
		angles = append(angles, a)
		rest = rest[len(m[0]):]
	}
	if len(angles) != 2 {
		return nil
	}
	return pair(angles[0], angles[1])
}

func readAngle(m []string) (number, bool) {
	a := number{signed: strings.ContainsAny(m[2], "-+−")}
	factor := 1.0
	parts := [...]string{m[2], m[3], m[4]}
	for i, text := range parts {
		if text == "" {
			continue
		}
		text = strings.ReplaceAll(strings.ReplaceAll(text, "−", "-"), ",", ".")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || i > 0 && v >= 60 {
			return a, false
		}
		if i == 0 && strings.HasPrefix(text, "-") {
			factor = -1
		}
		a.degrees += math.Abs(v) / math.Pow(60, float64(i))
	}
	a.degrees *= factor
	if m[1] != "" && m[5] != "" {
		return a, false
	}
	if letter := m[1] + m[5]; letter != "" {
		a.letter = letter[0]
		if a.letter == 'O' {
			a.letter = 'W' // oeste, ouest
		}
		if a.letter == 'S' || a.letter == 'W' {
			a.degrees = -a.degrees
		}
	}
	return a, !(a.signed && a.letter != 0)
}

// pair makes positions of two angles.
func pair(a, b number) []roadnet.Point {
	north := func(n number) bool { return n.letter == 'N' || n.letter == 'S' }
	east := func(n number) bool { return n.letter == 'E' || n.letter == 'W' }
	var all []roadnet.Point
	if !east(a) && !north(b) {
		all = appendPlace(all, a.degrees, b.degrees)
	}
	if !north(a) && !east(b) && (a.letter != 0 || b.letter != 0 || a.degrees != b.degrees) {
		all = appendPlace(all, b.degrees, a.degrees)
	}
	return all
}

func appendPlace(all []roadnet.Point, lat, lon float64) []roadnet.Point {
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return all
	}
	return append(all, roadnet.Point{Lon: lon, Lat: lat})
}
