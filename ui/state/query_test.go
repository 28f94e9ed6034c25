package state

import (
	"testing"

	"retrace/engine/trajectory"
)

func recoveriesOf(m *Model) []*trajectory.Recovery {
	var rs []*trajectory.Recovery
	for _, t := range m.Trips() {
		if r := t.Shown(); r != nil {
			rs = append(rs, r)
		}
	}
	return rs
}

func TestQuery(t *testing.T) {
	columns := []string{"Name", "Lowest probability", "Length"}
	row := []Field{{Text: "Taxi 640"}, {Text: "0.54", Number: 0.54, Numeric: true}, {Text: "5.46 km", Number: 5460, Numeric: true}}
	for text, want := range map[string]bool{
		"":                           true,
		"taxi":                       true,
		"bus":                        false,
		"lowest < 0.6":               true,
		"lowest<0.5":                 false,
		"prob >= 0.54":               true,
		"length > 5000 lowest<0,6":   true,
		"length > 5000 bus":          false,
		"name = 640":                 true,
		"name < 640":                 false,
		"640 length < 6000":          true,
		"unknown < 3":                false, // no such column: words that do not occur
		"lowest = 0.54 taxi length>": false,
	} {
		if got := ParseQuery(text, columns).Match(row); got != want {
			t.Errorf("%q gives %v", text, got)
		}
	}
}

func TestOrder(t *testing.T) {
	text := func(s string) Field { return Field{Text: s} }
	if !text("taxi 9").Less(text("taxi 10")) || text("taxi 10").Less(text("taxi 9")) {
		t.Error("numbers in texts count by value")
	}
	if !text("z").Less(text("")) {
		t.Error("what is empty comes last")
	}
	if !(Field{Number: 2, Numeric: true}).Less(Field{Number: 10, Numeric: true}) {
		t.Error("2 before 10")
	}
	if !text("007").Less(text("8")) {
		t.Error("zeros in front do not count")
	}
}
