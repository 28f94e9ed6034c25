// Package query reads the filters of tables: words, conditions on columns, and
// and, or and not between them. It knows columns and values, no trips and no
// window; what it finds wrong it tells with the place in the text.
package query

import "strings"

// Kind is what the values of a column measure. It says which units a condition
// may name, and what a number without unit means.
type Kind uint8

// The kinds, with the unit that values are given in, and the one of a number
// without unit.
const (
	Text     Kind = iota // no number
	Number               // as it is
	Length               // metres; without unit metres
	Speed                // m/s; without unit km/h
	Duration             // seconds; without unit minutes
	Share                // 0 to 1; without unit 0 to 1
	Instant              // Unix milliseconds; a date, a date and time, or a time of day
)

// Column is a column of a table.
type Column struct {
	Names []string // its title, and what else it may be called
	Kind  Kind
}

// Grammar is what a filter may say of a table.
type Grammar struct {
	Columns      []Column
	And, Or, Not []string // what these words are, lower case

	// Instants turns a date and a time of day in the zone of the table into Unix
	// milliseconds, and an instant into the milliseconds since midnight.
	Instant func(year, month, day int, ofDay int64) int64
	OfDay   func(instant int64) int64

	Miles bool // numbers without unit are feet and miles an hour
}

// Row is what a filter asks of a row.
type Row interface {
	// Text is a field as it is shown.
	Text(column int) string
	// Value is a field's value in the unit of its column's kind; false where
	// there is none.
	Value(column int) (float64, bool)
}

// Filter says which rows pass. The zero value lets every row through.
type Filter struct {
	root node
}

// Empty reports whether every row passes.
func (f Filter) Empty() bool { return f.root == nil }

// Match reports whether a row passes.
func (f Filter) Match(r Row) bool { return f.root == nil || f.root.match(r) }

// node is a part of a filter.
type node interface{ match(r Row) bool }

type both struct{ a, b node }

func (n both) match(r Row) bool { return n.a.match(r) && n.b.match(r) }

type either struct{ a, b node }

func (n either) match(r Row) bool { return n.a.match(r) || n.b.match(r) }

type negated struct{ a node }

func (n negated) match(r Row) bool { return !n.a.match(r) }

// word is a text that some column must hold.
type word struct {
	text    string // lower case
	columns []int
}

func (n word) match(r Row) bool {
	for _, c := range n.columns {
		if holds(r.Text(c), n.text) {
			return true
		}
	}
	return false
}

// holds reports whether text holds part, which is in lower case.
func holds(text, part string) bool { return strings.Contains(strings.ToLower(text), part) }

// operator compares.
type operator uint8

const (
	less operator = iota
	atMost
	more
	atLeast
	equal
	unequal
)

// holds compares two values.
func (o operator) holds(a, b float64) bool {
	switch o {
	case less:
		return a < b
	case atMost:
		return a <= b
	case more:
		return a > b
	case atLeast:
		return a >= b
	case equal:
		return a == b
	}
	return a != b
}

// says is a condition on the text of a column.
type says struct {
	column int
	text   string // lower case
	not    bool
}

func (n says) match(r Row) bool { return holds(r.Text(n.column), n.text) != n.not }

// measures is a condition on the value of a column. A row without a value fails
// it, whatever the operator: nothing is known of it.
type measures struct {
	column   int
	op       operator
	from, to float64 // all that is equal: of a day each millisecond, of 0.54 what is shown so
	ofDay    func(int64) int64
}

func (n measures) match(r Row) bool {
	v, ok := r.Value(n.column)
	if !ok {
		return false
	}
	if n.ofDay != nil {
		v = float64(n.ofDay(int64(v)))
	}
	switch n.op {
	case less, atLeast:
		return n.op.holds(v, n.from)
	case atMost, more:
		return n.op.holds(v, n.to)
	}
	return (v >= n.from && v <= n.to) == (n.op == equal)
}
