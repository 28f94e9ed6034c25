package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wroge/wgs84"
)

// Flags name the separator and the columns of a table, and what is made of its
// occupancy.
func TestFlagsThatSayHowATableIsWritten(t *testing.T) {
	b := newBench(t)
	in := b.put("in.txt", "A~03.01.2024 08:00~52.5~13.5~0\nA~03.01.2024 08:01~52.6~13.6~1\nA~03.01.2024 08:02~52.7~13.7~1\n")
	flags := []string{"--separator", "~", "--columns", "vehicle=1,time=2,lat=3,lon=4,occupancy=5"}
	out, _ := b.run(OK, append([]string{"inspect", in}, flags...)...)
	says(t, out, `separated by "~"`, "column 4: lon", "column 5: occupancy", "1 trajectory with 3 points")
	_, errs := b.run(OK, append([]string{"convert", in, "-o", b.file("out.csv"), "--occupancy", "occupied"}, flags...)...)
	says(t, errs, "1 trajectory with 2 points")
	if rows := b.rows(b.file("out.csv")); rows[0]["trajectory"] != "A/2" || rows[0]["lon"] != "13.6000000" {
		t.Errorf("written %v", rows[0])
	}
	_, errs = b.run(WrongUsage, "convert", in, "-o", b.file("x.csv"), "--columns", "wheel=3")
	says(t, errs, "--columns wheel=3")
	_, errs = b.run(WrongUsage, "convert", in, "-o", b.file("x.csv"), "--separator", "ab")
	says(t, errs, `--separator "ab"`)
	_, errs = b.run(NothingRead, "convert", in, "-o", b.file("x.csv"), "--separator", "~", "--columns", "lon=lng")
	says(t, errs, `there is no column "lng"`)
}

// Points that lie outside of every network are told how they would lie inside one.
func TestCommandsTellHowPointsWouldLieInside(t *testing.T) {
	b := newBench(t)
	b.run(OK, "import", b.extract(), "--name", "town")
	zone := 0
	table := func(place func(lon, lat float64) (x, y float64)) string {
		s := "trip,time,x,y\n"
		for _, r := range b.rows(b.trips()) {
			var lon, lat float64
			if _, err := fmt.Sscan(r["lon"]+" "+r["lat"], &lon, &lat); err != nil {
				t.Fatalf("%v: %v", r, err)
			}
			zone = 32601 + int((lon+180)/6)
			x, y := place(lon, lat)
			s += fmt.Sprintf("%s,%s,%.7f,%.7f\n", r["trajectory"], r["time"], x, y)
		}
		return s
	}
	metres := table(func(lon, lat float64) (float64, float64) {
		x, y, _ := wgs84.Transform(wgs84.LonLat(), wgs84.EPSG().Code(32601+int((lon+180)/6)))(lon, lat, 0)
		return x, y
	})
	plane, swapped := b.put("metres.csv", metres), b.put("swapped.csv", table(func(lon, lat float64) (float64, float64) { return lat, lon }))
	right, wrong := fmt.Sprintf("EPSG:%d", zone), fmt.Sprintf("EPSG:%d", zone+2)
	for want, args := range map[string][]string{
		"read with --crs " + right:        {"inspect", plane},
		"lie inside of town":              {"inspect", plane, "--crs", wrong},
		"with --crs " + right + ",":       {"recover", plane, "--network", "town", "--method", "hmm", "-o", b.file("out.csv"), "--crs", wrong},
		"read with --swap":                {"recover", swapped, "--network", "town", "--method", "hmm", "-o", b.file("out.csv")},
		"seem to be metres: say in which": {"convert", plane, "-o", b.file("out.csv")},
	} {
		status := NothingRead
		if args[0] == "inspect" && len(args) > 2 {
			status = OK
		}
		_, errs := b.run(status, args...)
		says(t, errs, want)
	}
	_, errs := b.run(OK, "inspect", plane, "--crs", right)
	if strings.Contains(errs, "outside") {
		t.Errorf("told though all is well: %s", errs)
	}
}
