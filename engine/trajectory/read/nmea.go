package read

import (
	"bufio"
	"bytes"
	"errors"
	"math"
	"time"

	nmealib "github.com/adrianmo/go-nmea"

	"retrace/engine/trajectory"
)

// isNMEA tells the sentences of a receiver by the first lines.
func isNMEA(head []byte) bool {
	found, lines := 0, 0
	for line := range bytes.Lines(head[:min(len(head), 4096)]) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		lines++
		if i := bytes.IndexByte(line, '$'); i >= 0 && len(line) > i+6 && line[i+6] == ',' && (i == 0 || line[0] == '\\') {
			found++
		}
	}
	return found > 0 && found*2 > lines
}

// nmeaReader reads the positions of one receiver: RMC sentences, which say the
// date, else GGA with the day that ZDA says.
type nmeaReader struct {
	in    *input
	track trajectory.Trajectory
	day   time.Time // that ZDA said last
	rmc   bool      // the file has RMC sentences
	full  bool
}

func readNMEA(in *input) error {
	r := &nmeaReader{in: in, rmc: bytes.Contains(in.head, []byte("RMC,"))}
	r.track.ID = in.stem()
	lines := lineReader{r: bufio.NewReaderSize(in.text, headSize), end: '\n', limit: in.opt.Limits.Row}
	for {
		line := lines.next()
		if bad, ok := errors.AsType[*rowError](line.err); ok {
			in.problem(Problem{Line: line.n, Reason: bad.reason, Value: bad.value})
			continue
		}
		if ignoreEOF(line.err) != nil && !in.opt.Partial {
			return line.err
		}
		if line.err != nil {
			break
		}
		if err := r.line(line); err != nil {
			break
		}
	}
	if len(r.track.Samples) == 0 {
		return nil
	}
	return in.emit(&r.track, 1)
}

// line reads one sentence; those that say no position are passed over.
func (r *nmeaReader) line(line textLine) error {
	raw := bytes.TrimSpace(line.text)
	if len(raw) == 0 {
		return nil
	}
	sentence, err := nmealib.Parse(string(raw))
	if _, unknown := errors.AsType[*nmealib.NotSupportedError](err); unknown {
		return nil
	}
	if err != nil {
		r.in.problem(Problem{Line: line.n, Reason: "not a sentence that can be read", Value: text(raw)})
		return nil
	}
	switch m := sentence.(type) {
	case nmealib.ZDA:
		r.day = time.Date(int(m.Year), time.Month(m.Month), int(m.Day), 0, 0, 0, 0, time.UTC)
	case nmealib.RMC:
		if m.Validity != nmealib.ValidRMC || !m.Date.Valid || !m.Time.Valid {
			r.in.problem(Problem{Line: line.n, Reason: noFix, Value: text(raw)})
			return nil
		}
		day := time.Date(2000+m.Date.YY, time.Month(m.Date.MM), m.Date.DD, 0, 0, 0, 0, time.UTC)
		return r.add(line.n, day, m.Time, m.Longitude, m.Latitude)
	case nmealib.GGA:
		switch {
		case r.rmc:
		case m.FixQuality == nmealib.Invalid:
			r.in.problem(Problem{Line: line.n, Reason: noFix, Value: text(raw)})
		case r.day.IsZero() || !m.Time.Valid:
			r.in.problem(Problem{Line: line.n, Reason: "no sentence said the date before", Value: text(raw)})
		default:
			return r.add(line.n, r.day, m.Time, m.Longitude, m.Latitude)
		}
	}
	return nil
}

func (r *nmeaReader) add(line int, day time.Time, clock nmealib.Time, x, y float64) error {
	if r.full {
		return nil
	}
	round := func(v float64) float64 { return math.Round(v*1e9) / 1e9 } // of the minutes that the sentence has
	lon, lat := r.in.place(round(x), round(y))
	at := time.Duration(clock.Hour)*time.Hour + time.Duration(clock.Minute)*time.Minute + time.Duration(clock.Second)*time.Second
	s := trajectory.Sample{Time: day.Add(at).UnixMilli() + int64(clock.Millisecond), Lon: lon, Lat: lat}
	reason := checkSample(s)
	if reason == "" && len(r.track.Samples) == r.in.opt.Limits.Samples {
		reason, r.full = tooMany, true
	}
	if reason != "" {
		r.in.problem(Problem{Line: line, Trajectory: r.track.ID, Reason: reason, Value: describeSample(s)})
		return nil
	}
	r.track.Samples = append(r.track.Samples, s)
	return r.in.spend()
}
