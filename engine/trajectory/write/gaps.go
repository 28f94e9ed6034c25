package write

import (
	"math"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// gaps calls f with a row for every gap of which it is known how far it can be trusted.
// Where no way is told the line is straight, and has no length.
func (w *rows) gaps(r *trajectory.Recovery, f func(row) error) error {
	ticks := map[uint32]*trajectory.Tick{}
	for i := range r.Ticks {
		if k := &r.Ticks[i]; k.Observed {
			ticks[k.Sample] = k
		}
	}
	why := whys(r)
	for _, d := range r.Doubts {
		a, b := ticks[d.FromSample], ticks[d.ToSample]
		if a == nil || b == nil {
			continue
		}
		length := math.NaN()
		w.line = append(w.line[:0], roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat})
		if a.Part == b.Part && int(a.Part) < len(r.Parts) {
			length = b.Along - a.Along
			w.line = asLine(clip(w.walk.path(r.Parts[a.Part]), a.Along, b.Along, w.line[:0]))
		}
		if len(w.line) == 0 { // the vehicle stands
			w.line = append(w.line, roadnet.Point{Lon: a.Lon, Lat: a.Lat}, roadnet.Point{Lon: b.Lon, Lat: b.Lat})
		}
		values := []any{r.Trajectory, a.Time, b.Time, length, float64(d.Probability), float64(d.Risk), float64(d.Error), float64(d.Along),
			strings.TrimSpace(why[d.FromSample] + " " + oddities(d.Odd)), float64(r.Risk.Wrong), float64(r.Risk.Error)}
		if err := f(row{values, w.line}); err != nil {
			return err
		}
	}
	return nil
}

// whys are the words for why gaps are not simply drives on the network, by the sample
// that they begin with.
func whys(r *trajectory.Recovery) map[uint32]string {
	all := map[uint32]string{}
	for _, g := range r.Gaps {
		all[g.FromSample] = g.Why.String()
	}
	return all
}

// oddities are the words for what no vehicle does.
func oddities(o trajectory.Oddity) string {
	var all []string
	for _, one := range []struct {
		odd  trajectory.Oddity
		word string
	}{{trajectory.Speeds, "speeds"}, {trajectory.Loops, "loops"}, {trajectory.Reverses, "reverses"}} {
		if o.Has(one.odd) {
			all = append(all, one.word)
		}
	}
	return strings.Join(all, " ")
}
