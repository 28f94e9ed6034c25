package read

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"retrace/engine/trajectory"
)

// portoTick is the time between two points of a polyline, milliseconds.
const portoTick = 15_000

// isPorto tells the header of the Porto taxi data.
func isPorto(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	line = bytes.ToUpper(line)
	return bytes.Contains(line, []byte("TRIP_ID")) && bytes.Contains(line, []byte("TIMESTAMP")) && bytes.Contains(line, []byte("POLYLINE"))
}

// portoColumns says where the columns stand; -1: missing.
type portoColumns struct{ trip, taxi, time, missing, line int }

// readPorto reads a row for each trip, with all its points in one column.
func readPorto(in *input) error {
	first, _, _ := bytes.Cut(in.head, []byte{'\n'})
	sep := byte(',')
	if bytes.Count(first, []byte{';'}) > bytes.Count(first, []byte{','}) {
		sep = ';'
	}
	rows := newRowScanner(in.text, in.head, sep, in.opt.Limits.Row)
	header, _, err := rows.next()
	if err != nil {
		return fmt.Errorf("the header cannot be read: %w", err)
	}
	at := portoHeader(header)
	if min(at.trip, at.time, at.line) < 0 {
		return errors.New("the header lacks TRIP_ID, TIMESTAMP or POLYLINE")
	}
	for {
		row, line, err := rows.next()
		if bad, ok := errors.AsType[*rowError](err); ok {
			in.problem(Problem{Line: line, Reason: bad.reason, Value: bad.value})
			continue
		}
		if err != nil {
			return ignoreEOF(err)
		}
		if err := in.portoRow(row, line, at); err != nil {
			return err
		}
	}
}

func portoHeader(header [][]byte) portoColumns {
	at := portoColumns{-1, -1, -1, -1, -1}
	for i, name := range header {
		switch strings.ToUpper(string(name)) {
		case "TRIP_ID":
			at.trip = i
		case "TAXI_ID":
			at.taxi = i
		case "TIMESTAMP":
			at.time = i
		case "MISSING_DATA":
			at.missing = i
		case "POLYLINE":
			at.line = i
		}
	}
	return at
}

// portoRow reads one trip. Some trip ids of the published files were rounded to
// scientific notation and name no trip any more: these get the trip's time
// stamp as well.
func (in *input) portoRow(row [][]byte, line int, at portoColumns) error {
	if len(row) <= max(at.trip, at.time, at.line) {
		in.problem(Problem{Line: line, Reason: "too few columns", Value: string(bytes.Join(row, []byte(",")))})
		return nil
	}
	id, stamp := text(row[at.trip]), string(row[at.time])
	start, ok := parseEpoch(stamp, 1)
	if !ok {
		in.problem(Problem{Line: line, Trajectory: id, Reason: badTime, Value: stamp})
		return nil
	}
	if id == "" || isScientific(id) {
		id += "@" + strconv.FormatInt(start/1000, 10)
	}
	t := &trajectory.Trajectory{ID: id}
	if at.taxi >= 0 && at.taxi < len(row) {
		t.Vehicle = text(row[at.taxi])
	}
	if t.Samples = in.polyline(row[at.line], start, line, id); len(t.Samples) == 0 {
		in.problem(Problem{Line: line, Trajectory: id, Reason: "the trip has no points"})
		return nil
	}
	if at.missing >= 0 && at.missing < len(row) && strings.EqualFold(string(row[at.missing]), "true") {
		in.problem(Problem{Line: line, Trajectory: id, Reason: "points are missing, so that the times behind them may be wrong", Kept: true})
	}
	return in.emit(t, line)
}

func isScientific(id string) bool {
	_, ok := number(id, false)
	return ok && strings.ContainsAny(id, "eE")
}

// polyline reads [[lon,lat],[lon,lat],...]. A point that cannot be leaves its
// instant empty.
func (in *input) polyline(b []byte, start int64, line int, id string) []trajectory.Sample {
	b = bytes.TrimSpace(b)
	if !bytes.HasPrefix(b, []byte("[")) {
		in.problem(Problem{Line: line, Trajectory: id, Reason: "the polyline cannot be read", Value: string(b[:min(len(b), 80)])})
		return nil
	}
	var samples []trajectory.Sample
	for i := int64(0); ; i++ {
		open := bytes.IndexByte(b[1:], '[')
		if open < 0 {
			break
		}
		b = b[1+open:]
		end := bytes.IndexByte(b, ']')
		if end < 0 {
			in.problem(Problem{Line: line, Trajectory: id, Reason: "the polyline is cut off", Kept: true})
			break
		}
		if len(samples) == in.opt.Limits.Samples {
			in.problem(Problem{Line: line, Trajectory: id, Reason: tooMany})
			break
		}
		s := trajectory.Sample{Time: start + i*portoTick}
		if reason := pair(b[1:end], &s); reason != "" {
			in.problem(Problem{Line: line, Trajectory: id, Reason: reason, Value: string(b[:end+1])})
		} else {
			samples = append(samples, s)
		}
		b = b[end:]
	}
	return samples
}

// pair reads "lon,lat" or says what is wrong with it.
func pair(b []byte, s *trajectory.Sample) string {
	lon, lat, _ := bytes.Cut(b, []byte{','})
	var ok bool
	if s.Lon, ok = number(string(bytes.TrimSpace(lon)), false); !ok {
		return badLonNumber
	}
	if s.Lat, ok = number(string(bytes.TrimSpace(lat)), false); !ok {
		return badLatNumber
	}
	return checkSample(*s)
}
