package command

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Three trips cross a river where the map has no bridge: the table of problems says
// where, and the report too; of two trips neither does.
func TestTripsSayWhereTheMapIsWrong(t *testing.T) {
	b := newBench(t)
	// Two banks 500 m apart, with the only bridge 2 km east.
	var osm strings.Builder
	osm.WriteString(`<osm version="0.6">`)
	for i, at := range [][2]float64{{-0.02, 0}, {0, 0}, {0.018, 0}, {0.018, 0.0045}, {0, 0.0045}, {-0.02, 0.0045}, {-0.02, -0.01}, {-0.02, 0.02}} {
		fmt.Fprintf(&osm, `<node id="%d" version="1" lon="%f" lat="%f"/>`, i+1, 9+at[0], 45+at[1])
	}
	for i, nodes := range []string{"1 2 3", "3 4", "4 5 6", "7 1", "6 8"} {
		fmt.Fprintf(&osm, `<way id="%d" version="1">`, i+1)
		for _, n := range strings.Fields(nodes) {
			fmt.Fprintf(&osm, `<nd ref="%s"/>`, n)
		}
		osm.WriteString(`<tag k="highway" v="secondary"/></way>`)
	}
	extract := b.put("river.osm", osm.String()+`</osm>`)
	for trips, found := range map[int]int{2: 0, 3: 1} {
		table, html := b.file("problems.csv"), b.file("report.html")
		b.run(OK, "recover", b.put("trips.csv", acrossTheRiver(trips)), "--network", extract, "--method", "hmm", "-o", b.file("out.csv"), "--problems", table, "--report", html)
		var rows []map[string]string
		for _, r := range b.rows(table) {
			if r["rule"] == "missing_road" {
				rows = append(rows, r)
			}
		}
		if len(rows) != found {
			t.Fatalf("%d trips: %d missing roads, want %d", trips, len(rows), found)
		}
		page, err := os.ReadFile(html)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(page), "a road that the map lacks"); got != (found == 1) {
			t.Errorf("%d trips: the report tells of a missing road: %v", trips, got)
		}
		if found == 1 {
			says(t, rows[0]["trajectory"], "trip0 trip1 trip2")
			says(t, rows[0]["line_wkt"], "LINESTRING (9.00")
			says(t, rows[0]["value"], "3 trips")
		}
	}
}

// acrossTheRiver is trips that drive east along the south bank, over the river and back
// west, at 10 m/s with a point every 5 s.
func acrossTheRiver(trips int) string {
	var b strings.Builder
	b.WriteString("id,time,lon,lat\n")
	for trip := range trips {
		now := time.Date(2026, 3, 1, 8+trip, 0, 0, 0, time.UTC)
		put := func(lon, lat float64) {
			fmt.Fprintf(&b, "trip%d,%s,%.6f,%.6f\n", trip, now.Format(time.RFC3339), 9+lon, 45+lat)
			now = now.Add(5 * time.Second)
		}
		for i := range 20 {
			put(-0.0127+float64(i)*0.000635, 0)
		}
		for i := range 11 {
			put(0, float64(i)*0.00045)
		}
		for i := range 20 {
			put(-float64(i)*0.000635, 0.0045)
		}
	}
	return b.String()
}
