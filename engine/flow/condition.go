package flow

import (
	"fmt"
	"strings"

	"retrace/engine/roadnet"
)

// Condition says which ways are selected: by roads joined by and, or, not and then.
type Condition struct {
	op   string // "road", "not", "and", "or", "then"
	road map[roadnet.SegmentID]bool
	a, b *Condition
}

// ParseCondition reads a condition such as "bridge then (ring or not tunnel)", whose
// words find names as segments. Then binds closest, after not; or binds least.
func ParseCondition(text string, find func(word string) ([]roadnet.SegmentID, error)) (*Condition, error) {
	p := &conditionParser{find: find}
	p.words = strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	c, err := p.level(0)
	if err == nil && len(p.words) > 0 {
		err = fmt.Errorf("%s stands where and, or, then or the end is wanted", p.words[0])
	}
	return c, err
}

type conditionParser struct {
	words []string
	find  func(string) ([]roadnet.SegmentID, error)
	depth int
}

// binding are the words that join conditions, those that bind least first.
var binding = [...]string{"or", "and", "then"}

func (p *conditionParser) level(n int) (*Condition, error) {
	if n == len(binding) {
		return p.one()
	}
	c, err := p.level(n + 1)
	for err == nil && len(p.words) > 0 && p.words[0] == binding[n] {
		p.words = p.words[1:]
		var right *Condition
		right, err = p.level(n + 1)
		c = &Condition{op: binding[n], a: c, b: right}
	}
	return c, err
}

// mostDeep bounds how deep brackets stand within one another.
const mostDeep = 100

func (p *conditionParser) one() (*Condition, error) {
	if len(p.words) == 0 {
		return nil, fmt.Errorf("a road is missing at the end")
	}
	if p.depth++; p.depth > mostDeep {
		return nil, fmt.Errorf("brackets and nots stand more than %d deep", mostDeep)
	}
	defer func() { p.depth-- }()
	word := p.words[0]
	p.words = p.words[1:]
	switch word {
	case "not":
		c, err := p.one()
		return &Condition{op: "not", a: c}, err
	case "(":
		c, err := p.level(0)
		if err == nil && (len(p.words) == 0 || p.words[0] != ")") {
			err = fmt.Errorf("a bracket is not closed")
		}
		if err == nil {
			p.words = p.words[1:]
		}
		return c, err
	case ")", "and", "or", "then":
		return nil, fmt.Errorf("%s stands where a road is wanted", word)
	}
	segments, err := p.find(word)
	if err != nil {
		return nil, err
	}
	c := &Condition{op: "road", road: map[roadnet.SegmentID]bool{}}
	for _, s := range segments {
		c.road[s] = true
	}
	return c, nil
}

// Holds reports whether a way of segments, in driving order, is selected.
func (c *Condition) Holds(way []roadnet.SegmentID) bool { return c.from(way, 0) >= 0 }

// from is where the condition is fulfilled first, from a place of the way on; -1: it is
// not.
func (c *Condition) from(way []roadnet.SegmentID, at int) int {
	switch c.op {
	case "road":
		for i := at; i < len(way); i++ {
			if c.road[way[i]] {
				return i + 1
			}
		}
		return -1
	case "not":
		if c.a.from(way, at) >= 0 {
			return -1
		}
		return at
	case "then":
		if next := c.a.from(way, at); next >= 0 {
			return c.b.from(way, next)
		}
		return -1
	}
	a, b := c.a.from(way, at), c.b.from(way, at)
	switch {
	case c.op == "and" && (a < 0 || b < 0):
		return -1
	case c.op == "and":
		return max(a, b)
	case a < 0 || b >= 0 && b < a:
		return b
	}
	return a
}
