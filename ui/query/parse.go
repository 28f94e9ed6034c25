package query

import (
	"slices"
	"strings"
)

// Fault says what kind of thing is wrong with a filter.
type Fault uint8

// What may be wrong.
const (
	NoColumn   Fault = iota // Text names no column
	NoValue                 // an operator without a value behind it
	NotANumber              // Text is no number, and the column holds numbers
	WrongUnit               // Text is no unit of the column
	NotAnOrder              // < or > on a column of texts
	NoOpening               // a closing bracket too many
	NoClosing               // an opening bracket too many
	Incomplete              // and, or or not without something behind it
	TooDeep                 // brackets within brackets beyond reason
)

// Error is what is wrong with a filter, and where.
type Error struct {
	Fault  Fault
	Text   string // that is wrong
	Column int    // that it is about; -1: none
	At     int    // runes from the start of the filter
	Length int    // runes
}

// Error implements error, for those who write programs: the window says it in
// its own words.
func (e *Error) Error() string {
	return [...]string{"no such column", "no value", "no number", "no such unit", "texts have no order",
		"no opening bracket", "no closing bracket", "incomplete", "too many brackets"}[e.Fault] + ": " + e.Text
}

// deepest bounds how many brackets and nots stand within one another.
const deepest = 64

// Parse reads a filter. The error is an [*Error].
func (g Grammar) Parse(text string) (Filter, error) {
	p := parser{g: g, tokens: split(text), end: len([]rune(text))}
	if len(p.tokens) == 0 {
		return Filter{}, nil
	}
	root := p.or(0)
	if p.err == nil && len(p.tokens) > 0 {
		p.fail(NoOpening, p.tokens[0], -1)
	}
	if p.err != nil {
		return Filter{}, p.err
	}
	return Filter{root: root}, nil
}

type parser struct {
	g      Grammar
	tokens []token // that are left
	end    int     // runes in the text
	err    *Error  // the first
}

func (p *parser) fail(f Fault, t token, column int) node {
	if p.err == nil {
		p.err = &Error{Fault: f, Text: t.text, Column: column, At: t.from, Length: t.length}
	}
	p.tokens = nil
	return word{}
}

// ended fails where the text ends too soon.
func (p *parser) ended(f Fault, column int) node {
	return p.fail(f, token{from: p.end}, column)
}

// next reports whether the next token is one of some words.
func (p *parser) next(words []string) bool {
	return len(p.tokens) > 0 && !p.tokens[0].quoted && !p.tokens[0].sign &&
		slices.Contains(words, strings.ToLower(p.tokens[0].text))
}

func (p *parser) take() token {
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *parser) or(depth int) node {
	n := p.and(depth)
	for p.next(p.g.Or) {
		p.take()
		n = either{n, p.and(depth)}
	}
	return n
}

// and reads what must hold together; the word itself may be left out.
func (p *parser) and(depth int) node {
	n := p.one(depth)
	for len(p.tokens) > 0 && !p.tokens[0].is(")") && !p.next(p.g.Or) {
		if p.next(p.g.And) {
			p.take()
		}
		n = both{n, p.one(depth)}
	}
	return n
}

// one reads a condition, a word, or what stands in brackets.
func (p *parser) one(depth int) node {
	if len(p.tokens) == 0 {
		return p.ended(Incomplete, -1)
	}
	t := p.tokens[0]
	switch {
	case depth > deepest:
		return p.fail(TooDeep, t, -1)
	case p.next(p.g.Not):
		p.take()
		return negated{p.one(depth + 1)}
	case t.is("("):
		return p.brackets(depth)
	case t.is(")"):
		return p.fail(NoOpening, t, -1)
	case t.sign:
		return p.fail(NoColumn, t, -1)
	case p.next(p.g.And), p.next(p.g.Or):
		return p.fail(Incomplete, t, -1)
	}
	return p.plain()
}

func (p *parser) brackets(depth int) node {
	open := p.take()
	n := p.or(depth + 1)
	switch {
	case p.err != nil:
		return n
	case len(p.tokens) == 0:
		return p.fail(NoClosing, open, -1)
	}
	p.take()
	return n
}

// plain reads a condition where an operator follows, else one word.
func (p *parser) plain() node {
	run := p.run()
	if run == len(p.tokens) || !p.tokens[run].sign || p.tokens[run].is("(") || p.tokens[run].is(")") {
		return p.word(p.take())
	}
	for first := range run { // the longest name: "lowest probability" before "probability"
		name := p.joined(p.tokens[first:run])
		column := p.g.column(name)
		switch {
		case column >= 0 && first == 0:
			p.tokens = p.tokens[run:]
			return p.condition(column)
		case column >= 0:
			return p.word(p.take()) // the words before the name
		}
	}
	return p.fail(NoColumn, p.tokens[run-1], -1)
}

// run is how many words stand here one behind the other.
func (p *parser) run() int {
	for i, t := range p.tokens {
		if t.sign {
			return i
		}
	}
	return len(p.tokens)
}

func (p *parser) joined(tokens []token) string {
	var words []string
	for _, t := range tokens {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// word is looked for in the columns of texts; with a digit in it among numbers
// and times too. Measures are for conditions.
func (p *parser) word(t token) node {
	n := word{text: strings.ToLower(t.text)}
	digit := strings.ContainsAny(t.text, "0123456789")
	for i, c := range p.g.Columns {
		if c.Kind == Text || digit && (c.Kind == Number || c.Kind == Instant) {
			n.columns = append(n.columns, i)
		}
	}
	return n
}

// column is the column of a name: one that is called so, else one whose name,
// or a word in it, begins so; -1 where there is none.
func (g Grammar) column(name string) int {
	name = strings.ToLower(name)
	for _, fits := range [...]func(title string) bool{
		func(title string) bool { return title == name },
		func(title string) bool { return strings.HasPrefix(title, name) },
		func(title string) bool { return strings.Contains(title, " "+name) },
	} {
		for i, c := range g.Columns {
			for _, n := range c.Names {
				if name != "" && n != "" && fits(strings.ToLower(n)) {
					return i
				}
			}
		}
	}
	return -1
}

// condition reads the operator and the value behind a column's name.
func (p *parser) condition(column int) node {
	sign := p.take()
	if len(p.tokens) == 0 || p.tokens[0].sign {
		return p.fail(NoValue, sign, column)
	}
	op := map[string]operator{"<": less, "<=": atMost, ">": more, ">=": atLeast, "=": equal, "!=": unequal}[sign.text]
	value := p.take()
	if p.g.Columns[column].Kind == Text {
		if op != equal && op != unequal {
			return p.fail(NotAnOrder, sign, column)
		}
		return says{column, strings.ToLower(value.text), op == unequal}
	}
	return p.measure(column, op, value)
}
