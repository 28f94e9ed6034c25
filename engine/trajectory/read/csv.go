package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"retrace/engine/trajectory"
	"retrace/internal/sheet"
)

// readCSV reads a table with a row for each sample.
func readCSV(in *input) error {
	d, err := in.dialect()
	if err != nil {
		return err
	}
	rows := newRowScanner(in.text, in.head, d.Separator[0], in.opt.Limits.Row)
	if d.Header {
		if _, _, err := rows.next(); err != nil {
			return ignoreEOF(err)
		}
	}
	if at := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Role == Geometry }); at >= 0 {
		t := flatten(in, columnNames(d.Columns), rows, at)
		t.asked, t.rows.(*flattener).latFirst = d, d.LatFirst && !in.opt.Swap
		return readTable(in, t)
	}
	return in.rows(*d, rows)
}

// dialect is how a table is written: as was asked for, or guessed.
func (in *input) dialect() (*Dialect, error) {
	d := in.opt.Dialect
	if d == nil {
		guess, err := guessDialect(in.head, in.opt.Separator, in.projection != nil)
		if guess != nil && len(in.opt.Columns) > 0 {
			err = guess.take(in.opt.Columns)
		}
		in.tell(guess)
		if err != nil {
			return nil, err
		}
		return guess.dialect, nil
	}
	if len(d.Separator) != 1 {
		return nil, fmt.Errorf("the separator %q is not one character", d.Separator)
	}
	if in.guessed != nil {
		rows, _ := headRows(in.head, d.Separator[0])
		in.tell(&guess{dialect: d, rows: rows[:min(len(rows), shownRows)]})
	}
	return d, nil
}

func columnNames(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// tell tells an inspection how a table is taken.
func (in *input) tell(g *guess) {
	if in.guessed != nil && g != nil {
		in.guessed(g)
	}
}

// rows reads all rows of a table of a known dialect.
func (in *input) rows(d Dialect, rows rowSource) error {
	p, err := newRowParser(d, in)
	if err != nil {
		return err
	}
	groups := newGrouper(in)
	defer groups.close()
	err = p.each(rows, groups)
	if in.ctx.Err() != nil {
		return err
	}
	if err != nil && !in.opt.Partial && !errors.Is(err, errBudget) {
		return err
	}
	if done := groups.emit(); done != nil {
		return done
	}
	return err
}

// rowParser turns rows into samples.
type rowParser struct {
	in      *input
	dialect Dialect
	times   timeParser
	at      map[Role]int
	marked  map[Role]bool // columns whose texts are marked where they could be taken for formulas, as Retrace writes them
	needed  int           // columns that a row must have
	load    int           // column of occupancy that trips are cut by
	runs    *stretches    // nil: they are not
	stem    []byte
	scratch []byte
}

// newRowParser checks that a dialect names what is needed.
func newRowParser(d Dialect, in *input) (*rowParser, error) {
	p := &rowParser{in: in, dialect: d, times: newTimeParser(d.Time, in.opt.Zone), at: map[Role]int{}, marked: map[Role]bool{}, stem: []byte(in.stem())}
	if in.opt.Occupancy != IgnoreOccupancy {
		p.load = slices.IndexFunc(d.Columns, func(c Column) bool { return c.Role == Occupied })
		if p.load < 0 {
			return nil, errors.New("no column tells whether somebody is on board: name it, or read the file without cutting by it")
		}
		p.runs, p.needed = newStretches(in.opt.Occupancy), p.load+1
	}
	for i, c := range d.Columns {
		if !c.Role.Used() {
			continue
		}
		if _, twice := p.at[c.Role]; twice {
			return nil, fmt.Errorf("two columns are the %s; one must be left out", c.Role)
		}
		p.at[c.Role], p.needed = i, max(p.needed, i+1)
		p.marked[c.Role] = c.Name == writtenName(c.Role)
	}
	return p, missingRoles(p.at)
}

// missingRoles says what a table lacks.
func missingRoles(at map[Role]int) error {
	has := func(r Role) bool { _, ok := at[r]; return ok }
	switch {
	case has(Geometry):
		return nil // which may hold the times as well
	case !has(Lon):
		return errors.New("no column holds longitudes in degrees")
	case !has(Lat):
		return errors.New("no column holds latitudes in degrees")
	case !has(Time) && !(has(Date) && has(Clock)):
		return errors.New("no column holds times")
	}
	return nil
}

// each reads every row into groups.
func (p *rowParser) each(rows rowSource, groups *grouper) error {
	for {
		row, line, err := rows.next()
		if bad, ok := errors.AsType[*rowError](err); ok {
			p.in.problem(Problem{Line: line, Reason: bad.reason, Value: bad.value})
			continue
		}
		if err != nil {
			return ignoreEOF(err)
		}
		s, reason, value := p.sample(row)
		if reason != "" {
			p.in.problem(Problem{Line: line, Reason: reason, Value: value})
			continue
		}
		id, vehicle := p.names(row)
		if len(id) == 0 {
			p.in.problem(Problem{Line: line, Reason: "no trajectory id"})
			continue
		}
		if p.runs != nil {
			var wanted bool
			if id, wanted = p.runs.of(id, vehicle, row[p.load]); !wanted {
				continue
			}
		}
		if err := groups.add(id, vehicle, s, line); err != nil {
			return err
		}
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// sample reads a row, or says what is wrong with it.
func (p *rowParser) sample(row [][]byte) (s trajectory.Sample, reason, value string) {
	if len(row) < p.needed {
		return s, "too few columns", string(bytes.Join(row, []byte(p.dialect.Separator)))
	}
	for _, extra := range row[min(len(row), len(p.dialect.Columns)):] {
		if len(extra) > 0 {
			return s, "too many columns", string(bytes.Join(row, []byte(p.dialect.Separator)))
		}
	}
	lon, lat := string(row[p.at[Lon]]), string(row[p.at[Lat]])
	var ok bool
	if s.Lon, ok = number(lon, p.dialect.DecimalComma); !ok {
		return s, badLonNumber, lon
	}
	if s.Lat, ok = number(lat, p.dialect.DecimalComma); !ok {
		return s, badLatNumber, lat
	}
	s.Lon, s.Lat = p.in.place(s.Lon, s.Lat)
	when := p.time(row)
	if s.Time, ok = p.times.parse(when); !ok {
		return s, badTime, when
	}
	if reason := checkSample(s); reason != "" {
		return s, reason, lon + " " + lat + " " + when
	}
	return s, "", ""
}

// time is the text of a row's time.
func (p *rowParser) time(row [][]byte) string {
	if i, ok := p.at[Time]; ok {
		if p.dialect.DecimalComma && p.times.layout == "" {
			return string(bytes.Replace(row[i], []byte{','}, []byte{'.'}, 1))
		}
		return string(row[i])
	}
	p.scratch = append(append(append(p.scratch[:0], row[p.at[Date]]...), ' '), row[p.at[Clock]]...)
	return string(p.scratch)
}

// names are the ids of a row's trajectory and vehicle. Without a column for the
// trajectory the vehicle tells them apart, without either all rows are one.
func (p *rowParser) names(row [][]byte) (id, vehicle []byte) {
	if i, ok := p.at[VehicleID]; ok {
		vehicle = p.name(row[i], VehicleID)
	}
	if i, ok := p.at[TrajectoryID]; ok {
		return p.name(row[i], TrajectoryID), vehicle
	}
	if vehicle != nil {
		return vehicle, vehicle
	}
	return p.stem, nil
}

// name is a name without its mark.
func (p *rowParser) name(field []byte, r Role) []byte {
	if p.marked[r] && bytes.HasPrefix(field, []byte{'\''}) {
		return []byte(sheet.Text(string(field)))
	}
	return field
}

// writtenName is the name of a column in tables that Retrace writes.
func writtenName(r Role) string {
	switch r {
	case TrajectoryID:
		return "trajectory"
	case VehicleID:
		return "vehicle"
	}
	return ""
}
