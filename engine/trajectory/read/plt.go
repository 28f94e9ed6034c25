package read

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"retrace/engine/trajectory"
)

func isPLT(head []byte) bool {
	return bytes.HasPrefix(head, []byte("Geolife trajectory")) || bytes.HasPrefix(head, []byte("OziExplorer Track Point File"))
}

// pltHeader is how many lines stand before the points.
const pltHeader = 6

// readPLT reads the track of a file of GeoLife or OziExplorer. Its points are
// latitude, longitude, a mark, feet, days since 1899-12-30, date and time.
func readPLT(in *input) error {
	rows := newRowScanner(in.text, in.head, ',', in.opt.Limits.Row)
	t := &trajectory.Trajectory{}
	t.ID, t.Vehicle = pltNames(in)
	full := false
	for {
		row, line, err := rows.next()
		if bad, ok := errors.AsType[*rowError](err); ok {
			in.problem(Problem{Line: line, Reason: bad.reason, Value: bad.value})
			continue
		}
		if ignoreEOF(err) != nil && !in.opt.Partial {
			return err
		}
		if err != nil {
			break
		}
		if line <= pltHeader || full {
			continue
		}
		s, reason := in.pltPoint(row)
		if reason == "" && len(t.Samples) == in.opt.Limits.Samples {
			reason, full = tooMany, true
		}
		if reason != "" {
			in.problem(Problem{Line: line, Trajectory: t.ID, Reason: reason, Value: text(bytes.Join(row, []byte(",")))})
			continue
		}
		t.Samples = append(t.Samples, s)
		if err := in.spend(); err != nil {
			break
		}
	}
	if len(t.Samples) == 0 {
		return nil
	}
	return in.emit(t, pltHeader+1)
}

// pltNames are the names of the trajectory and the vehicle: GeoLife keeps them as
// 000/Trajectory/20081023025304.plt.
func pltNames(in *input) (id, vehicle string) {
	parts := strings.FieldsFunc(in.name, func(r rune) bool { return r == '/' || r == '\\' || r == '!' })
	if n := len(parts); n >= 3 && strings.EqualFold(parts[n-2], "Trajectory") {
		return parts[n-3] + "/" + strings.TrimSuffix(parts[n-1], filepath.Ext(parts[n-1])), parts[n-3]
	}
	return in.stem(), ""
}

func (in *input) pltPoint(row [][]byte) (s trajectory.Sample, reason string) {
	if len(row) < 5 {
		return s, "too few columns"
	}
	var ok bool
	if s.Lat, ok = number(string(row[0]), false); !ok {
		return s, badLatNumber
	}
	if s.Lon, ok = number(string(row[1]), false); !ok {
		return s, badLonNumber
	}
	s.Lon, s.Lat = in.place(s.Lon, s.Lat)
	if s.Time, ok = pltTime(row); !ok {
		return s, badTime
	}
	return s, checkSample(s)
}

// pltTime reads the date and time, which GeoLife writes as ISO 8601, else the
// days since 1899-12-30.
func pltTime(row [][]byte) (int64, bool) {
	if len(row) > 6 {
		if t, err := time.Parse("2006-01-02 15:04:05", string(row[5])+" "+string(row[6])); err == nil {
			return t.UnixMilli(), true
		}
	}
	days, err := strconv.ParseFloat(string(row[4]), 64)
	const epoch = 25569 // days from 1899-12-30 to 1970-01-01
	ms := math.Round((days - epoch) * 86_400_000)
	return int64(ms), err == nil && math.Abs(ms) < 1e15
}
