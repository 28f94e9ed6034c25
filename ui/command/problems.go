package command

import (
	"strings"

	"retrace/engine/mapcheck"
	"retrace/engine/trajectory/read"
)

// problemCounter counts what readers leave out and names the first few.
type problemCounter struct {
	session *session
	reasons map[string]int
	named   int
	table   *problemFile // of all; nil: none is wanted
	broken  error        // what is wrong with the table
}

// problems counts what readers leave out, and writes it to the table that is
// asked for.
func (f readFlags) problems(s *session) (*problemCounter, error) {
	c := newProblemCounter(s)
	var err error
	c.table, err = f.openProblems()
	return c, err
}

// close gives the table of problems its name.
func (c *problemCounter) close() error {
	if c.broken != nil {
		return c.broken
	}
	return c.table.close()
}

func newProblemCounter(s *session) *problemCounter {
	return &problemCounter{session: s, reasons: map[string]int{}}
}

// namedProblems is how many problems are named one by one.
const namedProblems = 10

func (c *problemCounter) add(p read.Problem) {
	c.reasons[p.Reason]++
	if err := c.table.add(p); err != nil && c.broken == nil {
		c.broken = err
	}
	if c.named++; c.named <= namedProblems {
		c.session.note("retrace: %s", p)
	}
}

// findings writes where the map seems to be wrong, and says how many such places there are.
func (c *problemCounter) findings(all []mapcheck.Finding) {
	for _, f := range all {
		if err := c.table.addFinding(f); err != nil && c.broken == nil {
			c.broken = err
		}
	}
	if len(all) > 0 {
		c.session.note("retrace: several trips say that the map is wrong at %s: see the table of problems", plural(len(all), "place", "places"))
	}
}

// report counts all by reason, where more came than were named.
func (c *problemCounter) report() {
	if c.named <= namedProblems {
		return
	}
	var b strings.Builder
	reasonsText(&b, c.reasons)
	c.session.note("left out or mended while reading:\n%s", strings.TrimSuffix(b.String(), "\n"))
}
