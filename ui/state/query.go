package state

import (
	"strconv"
	"strings"
)

// Field is one value of a table's row, as filters and sorting see it.
type Field struct {
	Text    string
	Number  float64
	Numeric bool
}

// Query is a filter over the rows of a table: every word must occur in some
// field, and every condition (a column's name, < <= > >= or =, a value) hold.
type Query struct {
	words      []string
	conditions []condition
}

type condition struct {
	column int
	op     string
	value  string
	number float64
	ok     bool // value is a number
}

// ParseQuery reads a filter text over columns by their titles. A condition
// names a column by the beginning of its title or of a word in it; what is no
// condition is words.
func ParseQuery(text string, columns []string) Query {
	var q Query
	tokens := strings.Fields(spaced(text))
	for i := 0; i < len(tokens); {
		if i+2 < len(tokens) && isOperator(tokens[i+1]) {
			if c := columnNamed(tokens[i], columns); c >= 0 {
				q.conditions = append(q.conditions, newCondition(c, tokens[i+1], tokens[i+2]))
				i += 3
				continue
			}
		}
		q.words = append(q.words, strings.ToLower(tokens[i]))
		i++
	}
	return q
}

func newCondition(column int, op, value string) condition {
	number, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64)
	return condition{column: column, op: op, value: strings.ToLower(value), number: number, ok: err == nil}
}

// spaced sets operators apart: "lowest<0.6" reads "lowest < 0.6".
func spaced(text string) string {
	r := strings.NewReplacer("<=", " <= ", ">=", " >= ", "<", " < ", ">", " > ", "=", " = ")
	return r.Replace(text)
}

func isOperator(s string) bool {
	switch s {
	case "<", "<=", ">", ">=", "=":
		return true
	}
	return false
}

func columnNamed(name string, columns []string) int {
	name = strings.ToLower(name)
	for i, c := range columns {
		if strings.HasPrefix(strings.ToLower(c), name) {
			return i
		}
	}
	for i, c := range columns {
		for _, word := range strings.Fields(strings.ToLower(c)) {
			if strings.HasPrefix(word, name) {
				return i
			}
		}
	}
	return -1
}

// Empty reports whether the filter lets every row through.
func (q Query) Empty() bool { return len(q.words)+len(q.conditions) == 0 }

// Match reports whether a row passes; row gives its fields by column.
func (q Query) Match(row []Field) bool {
	for _, c := range q.conditions {
		if !c.holds(row[c.column]) {
			return false
		}
	}
	for _, w := range q.words {
		if !occurs(w, row) {
			return false
		}
	}
	return true
}

func occurs(word string, row []Field) bool {
	for _, f := range row {
		if strings.Contains(strings.ToLower(f.Text), word) {
			return true
		}
	}
	return false
}

func (c condition) holds(f Field) bool {
	if !f.Numeric || !c.ok {
		return c.op == "=" && strings.Contains(strings.ToLower(f.Text), c.value)
	}
	switch c.op {
	case "<":
		return f.Number < c.number
	case "<=":
		return f.Number <= c.number
	case ">":
		return f.Number > c.number
	case ">=":
		return f.Number >= c.number
	}
	return f.Number == c.number
}

// Less orders two fields: numbers by size, texts by letters with the digits in
// them by value, and what is empty last.
func (f Field) Less(g Field) bool {
	if f.Numeric != g.Numeric {
		return f.Numeric
	}
	if f.Numeric {
		return f.Number < g.Number
	}
	if (f.Text == "") != (g.Text == "") {
		return g.Text == ""
	}
	return natural(f.Text, g.Text)
}

// natural compares texts so that "taxi 9" comes before "taxi 10".
func natural(a, b string) bool {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if len(x) != len(y) {
				return len(x) < len(y)
			}
			if x != y {
				return x < y
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return len(a) < len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
