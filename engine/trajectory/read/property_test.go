package read

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrace/engine/trajectory"
)

// dialect is one way of writing the same table.
type dialect struct {
	sep     string
	comma   bool // for the decimal point
	header  bool
	quotes  bool
	windows bool // line ends
	order   []int
	names   []string // of trajectory, time, lon, lat, speed
	time    func(time.Time) string
}

func drawDialect(t *rapid.T) dialect {
	d := dialect{
		sep:     rapid.SampledFrom([]string{",", ";", "\t", "|"}).Draw(t, "separator"),
		header:  rapid.Bool().Draw(t, "header"),
		quotes:  rapid.Bool().Draw(t, "quotes"),
		windows: rapid.Bool().Draw(t, "windows"),
		names: []string{
			rapid.SampledFrom([]string{"trajectory", "Trip ID", "track_id", "fahrt", "id"}).Draw(t, "trip"),
			rapid.SampledFrom([]string{"time", "Timestamp", "GPS Time", "datetime", "ts"}).Draw(t, "time"),
			rapid.SampledFrom([]string{"lon", "Longitude", "x", "GPS lon (deg)", "lng"}).Draw(t, "lon"),
			rapid.SampledFrom([]string{"lat", "LATITUDE", "y", "GPS lat (deg)", "Breite"}).Draw(t, "lat"),
			"speed",
		},
	}
	d.comma = d.sep != "," && rapid.Bool().Draw(t, "decimal comma")
	layout := rapid.SampledFrom([]string{time.RFC3339, "2006-01-02 15:04:05", "02.01.2006 15:04:05", "2006/01/02 15:04:05",
		"20060102150405", "2 Jan 2006 3:04:05 PM", "2006-01-02T15:04:05-0700", "epoch"}).Draw(t, "format")
	d.time = func(at time.Time) string {
		if layout == "epoch" {
			return strconv.FormatInt(at.Unix(), 10)
		}
		return at.Format(layout)
	}
	// Without names the trajectory stands first and longitude before latitude.
	d.order = []int{0, 1, 2, 3, 4}
	if d.header {
		d.order = rapid.Permutation(d.order).Draw(t, "order")
	}
	return d
}

func (d dialect) row(values []string) string {
	fields := make([]string, len(values))
	for i, k := range d.order {
		fields[i] = values[k]
		if d.quotes || strings.Contains(fields[i], d.sep) {
			fields[i] = `"` + fields[i] + `"`
		}
	}
	end := "\n"
	if d.windows {
		end = "\r\n"
	}
	return strings.Join(fields, d.sep) + end
}

func (d dialect) number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 6, 64)
	if d.comma {
		s = strings.Replace(s, ".", ",", 1)
	}
	return s
}

// Whatever the dialect and the order of the rows, the same trajectories come
// out, and nothing is complained about but their order.
func TestAnyDialectIsRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawDialect(rt)
		type point struct {
			trip   int
			sample trajectory.Sample
		}
		var points []point
		trips := rapid.IntRange(1, 4).Draw(rt, "trips")
		for trip := range trips {
			at := time.Date(2024, 1, rapid.IntRange(13, 28).Draw(rt, "day"), 8, 0, 0, 0, time.UTC)
			for range rapid.IntRange(3, 6).Draw(rt, "points") {
				at = at.Add(time.Duration(rapid.IntRange(1, 3000).Draw(rt, "gap")) * time.Second)
				points = append(points, point{trip, trajectory.Sample{Time: at.UnixMilli(),
					Lon: 100 + float64(rapid.IntRange(1, 99_999_999).Draw(rt, "lon"))/1e6/2, Lat: 30 + float64(rapid.IntRange(1, 999_999).Draw(rt, "lat"))/1e6}})
			}
		}
		points = rapid.Permutation(points).Draw(rt, "rows")
		var b strings.Builder
		if d.header {
			b.WriteString(d.row(d.names))
		}
		want := map[string][]trajectory.Sample{}
		for i := range points {
			p := &points[i]
			lon, lat := d.number(p.sample.Lon), d.number(p.sample.Lat)
			p.sample.Lon, _ = number(lon, d.comma)
			p.sample.Lat, _ = number(lat, d.comma)
			id := fmt.Sprintf("trip %c", 'a'+p.trip)
			want[id] = append(want[id], p.sample)
			b.WriteString(d.row([]string{id, d.time(time.UnixMilli(p.sample.Time).UTC()), lon, lat, "17"}))
		}
		got := 0
		r := readText(t, "table.csv", b.String(), Options{Limits: Limits{Held: rapid.IntRange(1, 30).Draw(rt, "held")}})
		for _, err := range r.errs {
			rt.Fatalf("%v\n%s", err, b.String())
		}
		for _, p := range r.problems {
			if !p.Kept {
				rt.Fatalf("%v\n%s", p, b.String())
			}
		}
		for _, tr := range r.all {
			slices.SortStableFunc(want[tr.ID], func(a, b trajectory.Sample) int { return cmp.Compare(a.Time, b.Time) })
			if !slices.Equal(tr.Samples, want[tr.ID]) {
				rt.Fatalf("%q: got %v, want %v\n%s", tr.ID, tr.Samples, want[tr.ID], b.String())
			}
			got++
		}
		if got != trips {
			rt.Fatalf("%d trajectories, want %d\n%s", got, trips, b.String())
		}
	})
}
