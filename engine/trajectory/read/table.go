package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// table is a table whose columns have names and whose values come as text.
type table struct {
	names    []string
	rows     rowSource
	asked    *Dialect // what the columns hold, of a table that was flattened at a column of geometries; nil: not known
	geometry int      // that column
	row      int      // the column that tells the rows apart where no id does; -1: all are one trajectory
}

// readTable guesses from the first rows which columns hold what, and reads all.
func readTable(in *input, t table) error {
	begin, err := peekRows(t.rows)
	if err != nil {
		return err
	}
	g, err := t.guess(begin, in.projection != nil)
	if t.asked == nil && len(in.opt.Columns) > 0 {
		err = g.take(in.opt.Columns)
	}
	in.tell(g)
	if err != nil {
		return &notTripsError{err}
	}
	return in.rows(*g.dialect, &peeked{begin, t.rows})
}

// notTripsError says why a table is none of trajectories, which it need not be
// where it is one of several.
type notTripsError struct{ error }

func (e *notTripsError) Unwrap() error { return e.error }

// noteNotTrips is what a person is told of such a table.
const noteNotTrips = "a table that is no table of trajectories"

// guess guesses what the columns hold.
func (t table) guess(begin []peekedRow, planar bool) (*guess, error) {
	text := [][]string{t.names}
	for _, r := range begin {
		if r.err != nil {
			continue
		}
		row := make([]string, len(r.fields))
		for i, f := range r.fields {
			row[i] = string(f)
		}
		text = append(text, row)
	}
	if len(text) == 1 && len(begin) > 0 {
		return nil, fmt.Errorf("none of its first rows can be read; row %d: %w", begin[0].line, begin[0].err)
	}
	g, _, err := guessTable(text, len(t.names), ',', true, planar)
	g.dialect.Separator, g.dialect.Header = "", false
	if t.asked != nil {
		t.take(g)
		at := map[Role]int{}
		for i, c := range g.dialect.Columns {
			at[c.Role] = i
		}
		err = missingRoles(at)
	}
	if t.row >= 0 && !g.has(TrajectoryID) && !g.has(VehicleID) {
		g.dialect.Columns[t.row].Role = TrajectoryID
		g.notes = slices.DeleteFunc(g.notes, func(n string) bool { return n == NoteOneTrajectory })
	}
	return g, err
}

// take gives the columns beside the geometry the roles that they have in the
// table that was flattened.
func (t table) take(g *guess) {
	const before = rowColumn + 1 // columns of the position
	timed := false
	for i, c := range t.asked.Columns {
		at := before + i
		switch {
		case i == t.geometry:
			continue
		case i > t.geometry:
			at--
		}
		if c.Role == Lon || c.Role == Lat {
			c.Role = Ignore
		}
		g.dialect.Columns[at].Role = c.Role
		timed = timed || c.Role == Time || c.Role == Clock
	}
	if timed {
		g.dialect.Columns[2].Role, g.dialect.Time = Ignore, t.asked.Time
	}
	g.dialect.Columns[0].Role, g.dialect.Columns[1].Role = Lon, Lat
	g.notes = slices.DeleteFunc(g.notes, func(n string) bool { return n == NoteOneTrajectory && (g.has(TrajectoryID) || g.has(VehicleID)) })
}

// peekedRow is a row that was looked at.
type peekedRow struct {
	fields [][]byte
	line   int
	err    *rowError
}

// peekRows reads the first rows.
func peekRows(rows rowSource) ([]peekedRow, error) {
	var all []peekedRow
	for len(all) < guessRows {
		fields, line, err := rows.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		bad, ok := errors.AsType[*rowError](err)
		if err != nil && !ok {
			return all, err
		}
		row := peekedRow{line: line, err: bad, fields: make([][]byte, len(fields))}
		for i, f := range fields {
			row.fields[i] = bytes.Clone(f)
		}
		all = append(all, row)
	}
	return all, nil
}

// peeked gives the rows that were looked at, and then the others.
type peeked struct {
	begin []peekedRow
	rest  rowSource
}

func (p *peeked) next() ([][]byte, int, error) {
	if len(p.begin) == 0 {
		return p.rest.next()
	}
	r := p.begin[0]
	p.begin = p.begin[1:]
	if r.err != nil {
		return nil, r.line, r.err
	}
	return r.fields, r.line, nil
}
