package read

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// take gives columns the roles that were asked for, by name or by number from 1,
// instead of those that were guessed.
func (g *guess) take(asked map[Role]string) error {
	if len(asked) == 0 {
		return nil
	}
	d := g.dialect
	for _, r := range Roles() {
		name, ok := asked[r]
		if !ok {
			continue
		}
		at, err := d.column(name)
		if err != nil {
			return err
		}
		d.clear(append(replaces(r), r)...)
		d.Columns[at].Role = r
	}
	data := g.rows
	if d.Header && len(data) > 0 {
		data = data[1:]
	}
	if asked[Time]+asked[Date]+asked[Clock] != "" {
		if d.Time = GuessTime(*d, data); d.Time == "" && !g.smallTimes(data) {
			return errors.New("the column that is named for times holds none that can be read")
		}
	}
	for i, c := range d.Columns {
		if c.Role == Lon || c.Role == Lat {
			d.DecimalComma = d.DecimalComma || hasDecimalComma(data, i)
		}
	}
	g.dropNotes(asked)
	at := map[Role]int{}
	for i, c := range d.Columns {
		at[c.Role] = i
	}
	return missingRoles(at)
}

// smallTimes takes the numbers of the column of times as seconds of a clock of their
// own; false where they are no numbers.
func (g *guess) smallTimes(rows [][]string) bool {
	at := slices.IndexFunc(g.dialect.Columns, func(c Column) bool { return c.Role == Time })
	if at < 0 {
		return false
	}
	for _, row := range rows {
		if at >= len(row) {
			continue
		}
		if _, ok := looseNumber(row[at]); !ok && row[at] != "" {
			return false
		}
	}
	g.dialect.Time = EpochSeconds
	g.notes = append(g.notes, NoteSmallTimes)
	return true
}

// replaces are the roles that another one does instead of.
func replaces(r Role) []Role {
	switch r {
	case Lon, Lat:
		return []Role{Geometry}
	case Geometry:
		return []Role{Lon, Lat}
	case Time:
		return []Role{Date, Clock}
	case Date, Clock:
		return []Role{Time}
	}
	return nil
}

// clear takes roles from the columns that have them.
func (d *Dialect) clear(roles ...Role) {
	for i, c := range d.Columns {
		if slices.Contains(roles, c.Role) {
			d.Columns[i].Role = Ignore
		}
	}
}

// column is the column of a name, or of a number from 1.
func (d *Dialect) column(name string) (int, error) {
	for i, c := range d.Columns {
		if c.Name != "" && strings.EqualFold(c.Name, name) {
			return i, nil
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(d.Columns) {
		return n - 1, nil
	}
	var names []string
	for i, c := range d.Columns {
		if c.Name == "" {
			c.Name = strconv.Itoa(i + 1)
		}
		names = append(names, shorten(c.Name))
	}
	return 0, fmt.Errorf("there is no column %q; its columns are %s", name, strings.Join(names[:min(len(names), 20)], ", "))
}

// hasDecimalComma reports whether the numbers of a column have a comma for the
// point.
func hasDecimalComma(rows [][]string, column int) bool {
	for _, row := range rows {
		if column < len(row) && row[column] != "" {
			_, point := number(row[column], false)
			_, comma := number(row[column], true)
			return comma && !point
		}
	}
	return false
}

// dropNotes leaves out the notes of what was not assumed but asked for.
func (g *guess) dropNotes(asked map[Role]string) {
	g.notes = slices.DeleteFunc(g.notes, func(note string) bool {
		switch note {
		case NoteOneTrajectory:
			return asked[TrajectoryID]+asked[VehicleID] != ""
		case NoteOrder:
			return asked[Lon] != "" && asked[Lat] != ""
		case NoteLatFirst:
			return asked[Lon] != ""
		}
		return false
	})
}
