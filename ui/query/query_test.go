package query

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// grammar is that of a table of trips, in UTC.
func grammar() Grammar {
	return Grammar{
		Columns: []Column{
			{Names: []string{"Name"}},
			{Names: []string{"Lowest probability", "Kleinste Wahrscheinlichkeit"}, Kind: Share},
			{Names: []string{"Length"}, Kind: Length},
			{Names: []string{"Duration"}, Kind: Duration},
			{Names: []string{"Start"}, Kind: Instant},
			{Names: []string{"Mean speed"}, Kind: Speed},
			{Names: []string{"Points"}, Kind: Number},
		},
		And: []string{"and", "und"}, Or: []string{"or", "oder"}, Not: []string{"not", "nicht"},
		Instant: func(y, m, d int, ofDay int64) int64 {
			return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).UnixMilli() + ofDay
		},
		OfDay: func(at int64) int64 { return ((at % 86_400_000) + 86_400_000) % 86_400_000 },
	}
}

// fields is a row with its texts and values by column; a nil value is none.
type fields struct {
	texts  []string
	values []any
}

func (f fields) Text(c int) string { return f.texts[c] }
func (f fields) Value(c int) (float64, bool) {
	v, ok := f.values[c].(float64)
	return v, ok
}

func taxi() fields {
	start := time.Date(2013, 9, 26, 16, 51, 12, 0, time.UTC)
	return fields{
		texts:  []string{"Taxi 640 (Aliados)", "0.54", "5.46 km", "12:45", start.Format("2006-01-02 15:04:05"), "26 km/h", "8"},
		values: []any{nil, 0.5374, 5460.0, 765.0, float64(start.UnixMilli()), 7.137, 8.0},
	}
}

func TestFilter(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  true,
		"   ":                               true,
		"taxi":                              true,
		"TAXI aliados":                      true,
		"bus":                               false,
		"not bus":                           true,
		"bus or taxi":                       true,
		"bus oder taxi":                     true,
		`"640 (ali"`:                        true,
		`"taxi (ali"`:                       false,
		"lowest < 0.6":                      true,
		"lowest<0.5":                        false,
		"lowest < 54 %":                     true,
		"lowest<53%":                        false,
		"lowest = 0.54":                     true, // as it is shown
		"lowest != 0.54":                    false,
		"lowest = 0.5374":                   true,
		"prob >= 0.53":                      true,
		"kleinste < 0,6":                    true,
		"length > 5 km and lowest < 0.5":    false,
		"length > 5 km and lowest < 0.6":    true,
		"length>5km":                        true,
		"length > 5000 lowest<0,6":          true,
		"length > 5000 bus":                 false,
		"length ≥ 5460":                     true,
		"length > 3 mi":                     true,
		"name = 640":                        true,
		"name != 640":                       false,
		"640 length < 6000":                 true,
		"duration > 12":                     true, // minutes
		"duration > 12:45":                  false,
		"duration >= 12:45":                 true,
		"duration = 765 s":                  true,
		"duration < 0.25 h":                 true,
		"mean > 25":                         true, // km/h
		"mean speed > 7.2 m/s":              false,
		"speed = 26":                        true,
		"start = 2013-09-26":                true,
		"start > 2013-09-26":                false, // after that day
		"start >= 2013-09-26":               true,
		"start < 2013-09-26 17:00":          true,
		"start = 16:51":                     true, // on any day
		"start > 16:51:12":                  false,
		"start < 08:00":                     false,
		"(bus or taxi) and not points > 10": true,
		"not (bus or taxi)":                 false,
		"bus or taxi and length > 9 km":     false, // and binds closer
		`name = "taxi 6"`:                   true,
		"2013-09":                           true, // in the text of the date
	} {
		f, err := grammar().Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := f.Match(taxi()); got != want {
			t.Errorf("%q gives %v", text, got)
		}
	}
}

func TestARowWithoutAValueFailsEveryCondition(t *testing.T) {
	row := taxi()
	row.values[1], row.texts[1] = nil, ""
	for _, op := range []string{"<", "<=", ">", ">=", "=", "!="} {
		f, err := grammar().Parse("lowest " + op + " 0.5")
		if err != nil || f.Match(row) {
			t.Errorf("%s: %v, passes", op, err)
		}
	}
}

func TestWhatIsWrongIsToldWithItsPlace(t *testing.T) {
	for text, want := range map[string]Error{
		"speeed < 3":            {NoColumn, "speeed", -1, 0, 6},
		"taxi größe < 3":        {NoColumn, "größe", -1, 5, 5},
		"length >":              {NoValue, ">", 2, 7, 1},
		"length > and":          {NotANumber, "and", 2, 9, 3},
		"length > long":         {NotANumber, "long", 2, 9, 4},
		"length > 5 and (taxi":  {NoClosing, "(", -1, 15, 1},
		"taxi)":                 {NoOpening, ")", -1, 4, 1},
		"length > 5min":         {WrongUnit, "min", 2, 9, 4},
		"lowest < 5 km/h":       {}, // "km/h" is a word that is looked for
		"name < b":              {NotAnOrder, "<", 0, 5, 1},
		"taxi and":              {Incomplete, "", -1, 8, 0},
		"not":                   {Incomplete, "", -1, 3, 0},
		"or taxi":               {Incomplete, "or", -1, 0, 2},
		"< 5":                   {NoColumn, "<", -1, 0, 1},
		"start > 2013-13-01":    {NotANumber, "2013-13-01", 4, 8, 10},
		strings.Repeat("(", 99): {TooDeep, "(", -1, 65, 1},
	} {
		_, err := grammar().Parse(text)
		var got *Error
		if want == (Error{}) && err == nil {
			continue
		}
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// expression is a filter that a test made, with what it must give.
type expression struct {
	text string
	want bool
}

// drawExpression makes a filter over the taxi whose outcome is known.
func drawExpression(t *rapid.T, depth int) expression {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		word := rapid.SampledFrom([]string{"taxi", "bus", "Aliados", "tram", "640"}).Draw(t, "word")
		return expression{word, word == "taxi" || word == "Aliados" || word == "640"}
	case 1:
		metres := rapid.IntRange(0, 10000).Draw(t, "metres")
		if rapid.Bool().Draw(t, "km") {
			return expression{fmt.Sprintf("length < %.3f km", float64(metres)/1000), 5460 < metres}
		}
		return expression{fmt.Sprintf("length>=%d", metres), 5460 >= metres}
	case 2:
		points := rapid.IntRange(5, 11).Draw(t, "points")
		return expression{fmt.Sprintf("points != %d", points), points != 8}
	case 3:
		a := drawExpression(t, depth-1)
		return expression{"not (" + a.text + ")", !a.want}
	}
	a, b := drawExpression(t, depth-1), drawExpression(t, depth-1)
	if kind == 4 {
		return expression{"(" + a.text + ") or (" + b.text + ")", a.want || b.want}
	}
	return expression{"(" + a.text + ") " + rapid.SampledFrom([]string{"", "and "}).Draw(t, "and") + "(" + b.text + ")", a.want && b.want}
}

func TestAnyExpressionGivesWhatItSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := drawExpression(rt, 4)
		f, err := grammar().Parse(e.text)
		if err != nil {
			rt.Fatalf("%q: %v", e.text, err)
		}
		if got := f.Match(taxi()); got != e.want {
			rt.Fatalf("%q gives %v", e.text, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"length > 5 km and lowest < 0.5", `"a b`, "not (a or b)", "start = 2013-09-26 16:51", "名前 ≤ 5", "((("} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := grammar().Parse(text)
		var e *Error
		if err == nil {
			filter.Match(taxi())
		} else if !errors.As(err, &e) || e.At < 0 || e.Length < 0 || e.At+e.Length > utf8.RuneCountInString(text) {
			t.Errorf("%q: the place of %+v is not in it", text, err)
		}
	})
}
