package read

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	guessRows = 200 // rows that a guess looks at
	shownRows = 20  // rows that an inspection shows
	maxWidth  = 200 // columns of a table

	knownSeparators = ",;\t|" // that are tried, and then blanks
)

// guess is what a table's first rows say about it.
type guess struct {
	dialect *Dialect
	notes   []string   // what was assumed
	rows    [][]string // the first, the header among them
	lines   bool       // each row is a trajectory, as a line
}

// guessDialect tells how a table is written from its beginning; its separator may
// be known. The error says what was not found. Planar says that its coordinates need not be degrees.
func guessDialect(head []byte, separator string, planar bool) (*guess, error) {
	head = wholeRows(head)
	var best *guess
	var bestErr error
	bestScore := -1
	if separator == "" {
		separator = knownSeparators
	}
	for _, sep := range []byte(separator) {
		rows, width := headRows(head, sep)
		if !mayBeTable(rows, width) {
			continue
		}
		g, found, err := guessTable(rows, width, sep, hasHeader(rows), planar)
		regular := 0 // rows of the width
		for _, row := range rows {
			if len(row) == width {
				regular++
			}
		}
		if score := found*1_000_000 + regular*1000/len(rows)*1000 + width; score > bestScore {
			best, bestErr, bestScore = g, err, score
		}
	}
	if bestErr != nil || best == nil {
		if g, err := guessBlanks(head, separator, planar); err == nil {
			return g, nil
		}
	}
	if best == nil {
		return nil, errors.New("this is no table: no separator (comma, semicolon, tab, |, blanks) cuts its first rows into columns")
	}
	return best, bestErr
}

// guessBlanks guesses a table whose columns are parted by blanks. Any text is cut
// by them: it is a table only where all that is needed is found.
func guessBlanks(head []byte, separator string, planar bool) (*guess, error) {
	errNone := errors.New("blanks do not cut it into columns")
	if separator != knownSeparators {
		return nil, errNone
	}
	rows, width := headRows(head, ' ')
	if width < 3 || width > maxWidth {
		return nil, errNone
	}
	regular := 0
	for _, row := range rows {
		if len(row) == width {
			regular++
		}
	}
	if regular*10 < len(rows)*9 {
		return nil, errNone
	}
	g, _, err := guessTable(rows, width, ' ', hasHeader(rows), planar)
	return g, err
}

// isTable reports whether some separator cuts the beginning of a file into
// columns.
func isTable(head []byte) bool {
	head = wholeRows(head)
	for _, sep := range []byte(knownSeparators) {
		if rows, width := headRows(head, sep); mayBeTable(rows, width) {
			return true
		}
	}
	if _, err := guessBlanks(head, knownSeparators, false); err == nil {
		return true
	}
	_, err := guessBlanks(head, knownSeparators, true)
	return err == nil
}

// wholeRows leaves out the last row of a head, which may be cut, unless it is the
// first with data.
func wholeRows(head []byte) []byte {
	if len(head) == headSize {
		if i := bytes.LastIndexAny(head, "\r\n"); i > bytes.IndexAny(head, "\r\n")+1 {
			return head[:i]
		}
	}
	return head
}

// mayBeTable reports whether rows of a width may be a table: of one column only
// where that holds geometries.
func mayBeTable(rows [][]string, width int) bool {
	if width == 1 {
		return strings.HasPrefix(rows[len(rows)-1][0], "[") || geometryColumn(rows, 1) >= 0
	}
	return width > 1 && width <= maxWidth
}

// headRows splits the first rows and gives their most common width.
func headRows(head []byte, sep byte) ([][]string, int) {
	s := newRowScanner(bufio.NewReader(bytes.NewReader(head)), head, sep, headSize)
	var rows [][]string
	counts := map[int]int{}
	width := 0
	for len(rows) < guessRows {
		fields, _, err := s.next()
		if _, ok := errors.AsType[*rowError](err); ok {
			continue
		}
		if err != nil {
			break
		}
		row := make([]string, len(fields))
		for i, f := range fields {
			row[i] = text(f)
		}
		rows = append(rows, row)
		if counts[len(row)]++; counts[len(row)] > counts[width] {
			width = len(row)
		}
	}
	return rows, width
}

// guessTable guesses the columns of a table of a known separator. Found is how
// many of longitude, latitude and time have a column.
func guessTable(rows [][]string, width int, sep byte, header, planar bool) (g *guess, found int, err error) {
	d := &Dialect{Separator: string(sep), Columns: make([]Column, width), Header: header}
	data := rows
	if d.Header {
		for i := range min(width, len(rows[0])) {
			d.Columns[i].Name = rows[0][i]
		}
		data = rows[1:]
	}
	cols := profiles(data, d.Columns, sep != ',')
	g = &guess{dialect: d, rows: rows[:min(len(rows), shownRows)]}
	g.position(cols, planar)
	if at := geometryColumn(data, width); at >= 0 && !g.has(Lon) {
		d.Columns[at].Role, cols[at].values, cols[at].name = Geometry, nil, ""
		g.lines = holdsLines(data, at)
		if d.LatFirst = !planar && latFirst(data, at); d.LatFirst {
			g.notes = append(g.notes, NoteLatFirst)
		}
		found += 2
	}
	g.time(cols)
	g.identity(cols)
	g.others(cols)
	at := map[Role]int{}
	for i, c := range d.Columns {
		at[c.Role] = i
		if c.Role == Lon || c.Role == Lat || c.Role == Time || c.Role == Clock {
			found++
		}
	}
	if err = missingRoles(at); err != nil {
		if lon, lat := planarColumns(cols); !planar && !g.has(Lon) && !g.has(Geometry) && lon != "" {
			err = fmt.Errorf("%w; %s and %s seem to be metres: say in which coordinate system", err, lon, lat)
		}
		err = fmt.Errorf("%w; its columns are %s", err, describe(cols))
	}
	return g, found, err
}

// planarColumns names the columns that may be coordinates in metres; empty: none.
func planarColumns(cols []profile) (lon, lat string) {
	g := &guess{dialect: &Dialect{Columns: make([]Column, len(cols))}}
	g.position(cols, true)
	for i, c := range g.dialect.Columns {
		name := fmt.Sprintf("column %d", i+1)
		if cols[i].name != "" {
			name = "column " + shorten(cols[i].name)
		}
		switch {
		case c.Role == Lon && cols[i].metres():
			lon = name
		case c.Role == Lat && cols[i].metres():
			lat = name
		}
	}
	if lat == "" {
		lon = ""
	}
	return lon, lat
}

// describe names the columns with their first value.
func describe(cols []profile) string {
	var parts []string
	for i, c := range cols {
		name := c.name
		if name == "" {
			name = fmt.Sprint(i + 1)
		}
		if len(c.values) > 0 {
			name += fmt.Sprintf(" (%s)", shorten(c.values[0]))
		}
		parts = append(parts, shorten(name))
	}
	return strings.Join(parts[:min(len(parts), 12)], ", ")
}

// hasHeader reports whether the first row names the columns.
func hasHeader(rows [][]string) bool {
	named := 0
	for _, name := range rows[0] {
		if _, ok := looseNumber(name); ok || looksLikeGeometry(name) {
			return false
		}
		for _, r := range []Role{TrajectoryID, VehicleID, Time, Lon, Lat} {
			if rank(name, r) >= 0 {
				named++
				break
			}
		}
	}
	if named >= 2 {
		return true
	}
	for _, row := range rows[1:] {
		for _, v := range row {
			if _, ok := looseNumber(v); ok || looksLikeGeometry(v) {
				return true
			}
		}
	}
	return false
}

// position finds longitude and latitude: by name, else as the first two
// neighbours that hold degrees with decimals.
func (g *guess) position(cols []profile, planar bool) {
	may, are := profile.mayBeDegrees, profile.degrees
	if planar {
		may, are = profile.numeric, profile.metres
	}
	lon, lat := named(cols, Lon, may), named(cols, Lat, may)
	if lon < 0 || lat < 0 {
		lon, lat = -1, -1
		for i := 0; i+1 < len(cols) && lon < 0; i++ {
			if are(cols[i]) && are(cols[i+1]) {
				lon, lat = g.order(cols, i)
			}
		}
	}
	if lon < 0 {
		return
	}
	g.dialect.Columns[lon].Role, g.dialect.Columns[lat].Role = Lon, Lat
	g.dialect.DecimalComma = cols[lon].comma || cols[lat].comma
}

// order tells which of two neighbouring columns without names is the
// longitude: the one that leaves -90 to 90, else the first.
func (g *guess) order(cols []profile, i int) (lon, lat int) {
	first, second := cols[i].outside(90)*2 > cols[i].numbers, cols[i+1].outside(90)*2 > cols[i+1].numbers
	switch {
	case second && !first:
		return i + 1, i
	case !first:
		g.notes = append(g.notes, NoteOrder)
	}
	return i, i + 1
}

// time finds the column of times, or those of date and clock.
func (g *guess) time(cols []profile) {
	if i := g.timeColumn(cols); i >= 0 {
		g.dialect.Columns[i].Role = Time
		g.dialect.Time = cols[i].time
		g.zoneNote(cols[i])
		return
	}
	date := g.pick(cols, Time, func(p profile) bool { return p.date != "" })
	clock := g.pick(cols, Time, func(p profile) bool { return p.clock != "" && p.date == "" })
	if date >= 0 && clock >= 0 {
		g.dialect.Columns[date].Role, g.dialect.Columns[clock].Role = Date, Clock
		g.dialect.Time = cols[date].date + " " + cols[clock].clock
		g.zoneNote(cols[clock])
		return
	}
	// A column that is called time and counts from some start of its own.
	if i := named(cols, Time, profile.numeric); i >= 0 && g.free(i) {
		g.dialect.Columns[i].Role, g.dialect.Time = Time, EpochSeconds
		g.notes = append(g.notes, NoteSmallTimes)
	}
}

// timeColumn is the column of full times: by name, else written dates before
// numbers, and coarse numbers before fine ones, which may be ids.
func (g *guess) timeColumn(cols []profile) int {
	if i := named(cols, Time, func(p profile) bool { return p.time != "" }); i >= 0 && g.free(i) {
		return i
	}
	for _, unit := range []float64{0, 1, 1e3, 1e6, 1e9} {
		for i, c := range cols {
			if g.free(i) && c.time != "" && c.time.unit() == unit {
				return i
			}
		}
	}
	return -1
}

// pick is a column without a role that fits: one whose name claims the role,
// else the first.
func (g *guess) pick(cols []profile, r Role, fits func(profile) bool) int {
	if i := named(cols, r, fits); i >= 0 && g.free(i) {
		return i
	}
	for i := range cols {
		if g.free(i) && fits(cols[i]) {
			return i
		}
	}
	return -1
}

// free reports whether a column has no role yet.
func (g *guess) free(i int) bool { return g.dialect.Columns[i].Role == Ignore }

// has reports whether some column has a role.
func (g *guess) has(r Role) bool {
	return slices.ContainsFunc(g.dialect.Columns, func(c Column) bool { return c.Role == r })
}

func (g *guess) zoneNote(p profile) {
	if len(p.values) == 0 || g.dialect.Time.unit() > 0 {
		return
	}
	if _, _, zoned := cutZone(p.values[0]); !zoned {
		g.notes = append(g.notes, NoteNoZone)
	}
	if strings.HasPrefix(string(g.dialect.Time), "DD/MM") && !p.dayFirst {
		g.notes = append(g.notes, NoteDayFirst)
	}
}

// identity finds the columns that tell trajectories and vehicles apart.
func (g *guess) identity(cols []profile) {
	fits := func(p profile) bool { return !weakID(p.name) || !p.distinct() || g.lines }
	vehicle := named(cols, VehicleID, fits)
	if vehicle >= 0 && g.free(vehicle) {
		g.dialect.Columns[vehicle].Role = VehicleID
	}
	trip := named(cols, TrajectoryID, fits)
	if trip < 0 && vehicle < 0 && g.free(0) && !cols[0].decimals && (!cols[0].distinct() || g.lines) {
		trip = 0
	}
	switch {
	case trip >= 0 && g.free(trip):
		g.dialect.Columns[trip].Role = TrajectoryID
	case vehicle < 0:
		g.notes = append(g.notes, NoteOneTrajectory)
	}
}

// others finds the columns that are known but not read.
func (g *guess) others(cols []profile) {
	for _, r := range []Role{Altitude, Speed, Heading, Occupied} {
		fits := profile.numeric
		if r == Occupied { // it may be a word
			fits = func(profile) bool { return true }
		}
		if i := named(cols, r, fits); i >= 0 && g.free(i) {
			g.dialect.Columns[i].Role = r
		}
	}
}
