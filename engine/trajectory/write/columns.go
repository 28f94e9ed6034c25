package write

import (
	"math"
	"strconv"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// column is one column of a layer. Lon and lat are columns in CSV only; the
// geographic formats have a geometry instead.
type column struct {
	name string
	kind kind

	means string // in words, with the unit; empty: the name says it
	sums  bool   // a sum over rows means something
}

// kind is what a column's values are and how they are written.
type kind uint8

const (
	words   kind = iota // string
	whole               // int64; noValue: empty
	instant             // int64, Unix milliseconds
	degrees             // float64, 7 digits
	share               // float64 from 0 to 1, 6 digits; NaN: empty
	decimal             // float64, 1 digit; NaN: empty
	fine                // float64, 3 digits; NaN: empty
)

// noValue stands for an empty whole number.
const noValue = math.MinInt64

// row is one row of a layer: a value for each column, strings for words, int64
// for whole and instant, float64 for the others.
type row struct {
	values   []any
	geometry []roadnet.Point // one point, or a line
}

// columnsOf are the columns of a layer in the geographic formats.
func columnsOf(l Layer) []column {
	switch l {
	case Points:
		return []column{{name: "trajectory", kind: words}, {name: "time", kind: instant}, {name: "observed", kind: whole}, {name: "segment", kind: whole}, {name: "way", kind: whole},
			{name: "from_node", kind: whole}, {name: "to_node", kind: whole}, {name: "ratio", kind: share}, {name: "probability", kind: share}, {name: "layer", kind: whole}, {name: "deck", kind: words}}
	case Path:
		return []column{{name: "trajectory", kind: words}, {name: "part", kind: whole}, {name: "begin_time", kind: instant}, {name: "end_time", kind: instant}, {name: "length_m", kind: decimal}}
	case Spans:
		return []column{{name: "trajectory", kind: words}, {name: "enter_time", kind: instant}, {name: "exit_time", kind: instant}, {name: "length_m", kind: decimal}, {name: "road", kind: words},
			{name: "kind", kind: words}, {name: "probability", kind: share}, {name: "runner_up", kind: words}}
	case Samples:
		return []column{{name: "trajectory", kind: words}, {name: "vehicle", kind: words}, {name: "time", kind: instant}}
	case Gaps:
		return []column{{name: "trajectory", kind: words}, {name: "from_time", kind: instant}, {name: "to_time", kind: instant}, {name: "length_m", kind: decimal}, {name: "probability", kind: share}, {name: "risk", kind: share},
			{name: "error_m", kind: decimal}, {name: "doubt_m", kind: decimal}, {name: "why", kind: words}, {name: "trip_risk", kind: share}, {name: "trip_err_m", kind: decimal}}
	case alternatives:
		return []column{{name: "trajectory", kind: words}, {name: "from_time", kind: instant}, {name: "to_time", kind: instant}, {name: "length_m", kind: decimal}, {name: "probability", kind: share}}
	}
	return []column{{name: "way", kind: whole}, {name: "from_node", kind: whole}, {name: "to_node", kind: whole}, {name: "segment", kind: whole}, {name: "trips", kind: whole},
		{name: "mean_speed_kmh", kind: decimal}, {name: "p15_speed_kmh", kind: decimal}, {name: "p85_speed_kmh", kind: decimal}}
}

// layers are the layers of the geographic formats, in the order in which they
// are to be seen.
func layers(a About) []Layer {
	all := []Layer{Points, Path, Spans, Links}
	if a.Gaps {
		all = append(all, Gaps)
	}
	if a.Alternatives {
		all = append(all, alternatives)
	}
	return all
}

// rows makes the rows of recoveries.
type rows struct {
	net  *roadnet.Network
	walk walker
	line []roadnet.Point
}

func newRows(net *roadnet.Network) *rows { return &rows{net: net, walk: walker{net: net}} }

// points calls f with a row for every recovered instant.
func (w *rows) points(r *trajectory.Recovery, f func(row) error) error {
	for _, t := range r.Ticks {
		piece := w.net.Piece(t.At)
		observed := int64(0)
		if t.Observed {
			observed = 1
		}
		values := []any{r.Trajectory, t.Time, observed, int64(t.At.Segment), piece.Way, piece.FromNode, piece.ToNode,
			t.At.Ratio, float64(t.Probability), int64(t.Layer), deckOf(t)}
		w.line = append(w.line[:0], roadnet.Point{Lon: t.Lon, Lat: t.Lat})
		if err := f(row{values, w.line}); err != nil {
			return err
		}
	}
	return nil
}

// deckOf is the word for a tick's deck, with ? where it is uncertain.
func deckOf(t trajectory.Tick) string {
	if t.Uncertain() {
		return t.Deck.String() + "?"
	}
	return t.Deck.String()
}

// paths calls f with a row for every part of the driven path.
func (w *rows) paths(r *trajectory.Recovery, f func(row) error) error {
	ticks := r.Ticks
	for i, p := range r.Parts {
		n := 0
		for n < len(ticks) && int(ticks[n].Part) == i {
			n++
		}
		begin, end := int64(0), int64(0)
		if n > 0 {
			begin, end = ticks[0].Time, ticks[n-1].Time
		}
		ticks = ticks[n:]
		path := w.walk.path(p)
		if len(path) == 0 {
			continue
		}
		length := path[len(path)-1].along
		w.line = asLine(clip(path, 0, length, w.line[:0]))
		if err := f(row{[]any{r.Trajectory, int64(i), begin, end, length}, w.line}); err != nil {
			return err
		}
	}
	return nil
}

// asLine makes a line of what may be a single point.
func asLine(points []roadnet.Point) []roadnet.Point {
	if len(points) == 1 {
		return append(points, points[0])
	}
	return points
}

// spans calls f with a row for every stretch on or below an elevated road.
func (w *rows) spans(r *trajectory.Recovery, f func(row) error) error {
	for _, s := range r.Spans {
		if int(s.Part) >= len(r.Parts) {
			continue
		}
		values := []any{r.Trajectory, s.Enter, s.Exit, s.To - s.From, s.Road, s.Kind.String(), float64(s.Probability), s.RunnerUp}
		w.line = asLine(clip(w.walk.path(r.Parts[s.Part]), s.From, s.To, w.line[:0]))
		if err := f(row{values, w.line}); err != nil {
			return err
		}
	}
	return nil
}

// alternatives calls f with a row for every other path of a gap.
func (w *rows) alternatives(r *trajectory.Recovery, f func(row) error) error {
	if len(r.Alternatives) == 0 {
		return nil
	}
	when := map[uint32]int64{}
	for _, t := range r.Ticks {
		if t.Observed {
			when[t.Sample] = t.Time
		}
	}
	for _, a := range r.Alternatives {
		path := w.walk.path(a.Part)
		if len(path) == 0 {
			continue
		}
		length := path[len(path)-1].along
		w.line = asLine(clip(path, 0, length, w.line[:0]))
		values := []any{r.Trajectory, when[a.FromSample], when[a.ToSample], length, float64(a.Probability)}
		if err := f(row{values, w.line}); err != nil {
			return err
		}
	}
	return nil
}

// links calls f with a row for every segment that was driven on.
func (w *rows) links(c *LinkCounter, f func(row) error) (err error) {
	c.Each(func(l Link) bool {
		line, _ := w.net.LineOf(l.Segment)
		from, to := w.net.Ends(l.Segment)
		mean, slow, top := l.Mean, l.Slow15, l.Top15
		if l.Speeds == 0 {
			mean, slow, top = math.NaN(), math.NaN(), math.NaN()
		}
		values := []any{w.net.LineWay(line), w.net.NodeOSM(from), w.net.NodeOSM(to), int64(l.Segment), int64(l.Trips), mean, slow, top}
		w.line = w.net.Geometry(l.Segment, w.line[:0])
		err = f(row{values, w.line})
		return err == nil
	})
	return err
}

// format appends a value as text; nothing for an empty one.
func (k kind) format(b []byte, v any) []byte {
	switch k {
	case words:
		return append(b, v.(string)...)
	case whole:
		if v.(int64) == noValue {
			return b
		}
		return strconv.AppendInt(b, v.(int64), 10)
	case instant:
		return appendTime(b, v.(int64))
	}
	if math.IsNaN(v.(float64)) {
		return b
	}
	return strconv.AppendFloat(b, v.(float64), 'f', k.digits(), 64)
}

// digits are those behind the point.
func (k kind) digits() int {
	switch k {
	case degrees:
		return 7
	case share:
		return 6
	case fine:
		return 3
	}
	return 1
}

// appendTime appends Unix milliseconds as ISO 8601 UTC, with milliseconds only
// where there are any.
func appendTime(b []byte, ms int64) []byte {
	return time.UnixMilli(ms).UTC().AppendFormat(b, "2006-01-02T15:04:05.999Z07:00")
}
