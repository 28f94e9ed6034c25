package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"retrace/engine/roadnet"
)

// quantity is one thing that is compared.
type quantity struct {
	name, unit, file string
	real, model      []float64
}

func quantities(r, m *sights) []quantity {
	out := []quantity{
		{"trip length", "km", "length", r.lengths, m.lengths},
		{"trip duration", "minutes", "duration", r.durations, m.durations},
		{"straight distance", "km", "direct", r.direct, m.direct},
		{"path over shortest path", "times", "detour", r.detours, m.detours},
		{"path over straight distance", "times", "directness", r.directness, m.directness},
		{"turn angles where there is a choice", "degrees", "turns", r.turns, m.turns},
		{"turns over 45 degrees", "per km", "sharp", r.sharp, m.sharp},
		{"signals passed", "per km", "signals", r.signals, m.signals},
		{"share of the trip spent standing", "share", "standing", r.standing, m.standing},
		{"length of a stop", "seconds", "stops", r.stops, m.stops},
		{"distance of points from the road", "m", "gps", r.gps, m.gps},
		{"uniform interpolation at 1/8", "m", "uniform8", r.uniform[0], m.uniform[0]},
		{"uniform interpolation at 1/16", "m", "uniform16", r.uniform[1], m.uniform[1]},
	}
	for c := range roadnet.Class(roadnet.NumClasses) {
		if len(r.speeds[c]) > 200 {
			out = append(out, quantity{"speed on " + c.String() + " roads", "km/h", "speed-" + c.String(), r.speeds[c], m.speeds[c]})
		}
	}
	return out
}

// writePage writes the page and its plots.
func writePage(out string, real, model *sights, speed []pace) error {
	folder := strings.TrimSuffix(out, filepath.Ext(out))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, introduction, real.trips, model.trips)
	b.WriteString("\n## How far apart\n\nMedians with quartiles. W is the Wasserstein distance in the unit of the quantity, KS the greatest difference of the shares below any value.\n\n" +
		"| quantity | unit | real | simulated | W | KS |\n|---|---|---|---|---|---|\n")
	list := quantities(real, model)
	for _, q := range list {
		w, ks := gapBetween(q.real, q.model)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.3g | %.3f |\n", q.name, q.unit, spread(q.real), spread(q.model), w, ks)
	}
	fmt.Fprintf(&b, "\nThe error of one point and that of the next, 15 s later, correlate by %.2f in the real trips and by %.2f in the simulated ones.\n", real.correlation(), model.correlation())
	fmt.Fprintf(&b, "Mean error of uniform interpolation along the true path: at 1/8 %.1f m real, %.1f m simulated; at 1/16 %.1f m and %.1f m.\n",
		mean(real.uniform[0]), mean(model.uniform[0]), mean(real.uniform[1]), mean(model.uniform[1]))
	places(&b, real, model)
	hourTable(&b, real, model)
	b.WriteString(dropTable(real, model))
	b.WriteString("\n## Speed of the simulator\n\nOver the network of Porto, preparing it included. Other programs slow down what is measured by the clock, not what is measured by the processor's time.\n\n" +
		"| tick | ticks a second of one core's time | cores that make 100,000 a second | ticks a second by the clock, all cores |\n|---|---|---|---|\n")
	for _, p := range speed {
		fmt.Fprintf(&b, "| %v | %.0f | %.2f | %.0f |\n", p.tick, p.core, 100_000/p.core, p.clock)
	}
	b.WriteString("\n## Plots\n\n")
	if err := plots(&b, folder, list, real, model); err != nil {
		return err
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

const introduction = `# The simulator beside real trips

Made by ` + "`go run ./tools/simreport`" + `; nothing on this page is written by hand.

Real are Porto taxi trips of the training split with a point every 15 seconds,
simulated are trips over the same network with ` + "`simulate.DefaultProfile`" + `. Both
are matched to the network by the same map matching and looked at through the
same filter, so both carry its errors. Speeds and stops are between consecutive
points: a vehicle counts as standing below 0.7 m/s. %d real and %d simulated
trips passed the filter.
`

// spread is the median and the quartiles of a sample.
func spread(sample []float64) string {
	s := slices.Sorted(slices.Values(sample))
	return fmt.Sprintf("%.3g (%.3g to %.3g)", quantile(s, 0.5), quantile(s, 0.25), quantile(s, 0.75))
}

// places tells where stops happen.
func places(b *strings.Builder, real, model *sights) {
	b.WriteString("\n## Where stops happen\n\n| place | real | simulated |\n|---|---|---|\n")
	var names []string
	for name := range real.places {
		names = append(names, name)
	}
	sort.Strings(names)
	total := func(s *sights) (sum float64) {
		for _, n := range s.places {
			sum += n
		}
		return sum
	}
	apart := 0.0
	for _, name := range names {
		r, m := real.places[name]/total(real), model.places[name]/total(model)
		apart += math.Abs(r-m) / 2
		fmt.Fprintf(b, "| %s | %.1f %% | %.1f %% |\n", name, 100*r, 100*m)
	}
	fmt.Fprintf(b, "\n%.1f %% of the simulated stops would have to happen elsewhere to be where the real ones are.\n", 100*apart)
	fmt.Fprintf(b, "\nStops for each kilometre: %.2f real, %.2f simulated. Share of all time spent standing: %.3f real, %.3f simulated.\n",
		perKm(real), perKm(model), mean(real.standing), mean(model.standing))
}

func perKm(s *sights) float64 {
	km := 0.0
	for _, l := range s.lengths {
		km += l
	}
	return float64(len(s.stops)) / km
}

func dropTable(real, model *sights) string {
	var b strings.Builder
	b.WriteString("\n## What the filter left out\n\n| reason | real | simulated |\n|---|---|---|\n")
	for i, c := range real.dropped {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", c.Reason, c.Trips, model.dropped[i].Trips)
	}
	fmt.Fprintf(&b, "\nOf %d real and %d simulated trips, which break, the longest stretch was kept.\n", real.cut, model.cut)
	return b.String()
}

// plots writes a picture for each quantity and for the speeds by hour.
func plots(b *strings.Builder, folder string, list []quantity, real, model *sights) error {
	save := func(name, svg string) error {
		fmt.Fprintf(b, "![%s](%s/%s.svg)\n", name, filepath.Base(folder), name)
		return os.WriteFile(filepath.Join(folder, name+".svg"), []byte(svg), 0o644)
	}
	for _, q := range list {
		if err := save(q.file, shares(q.name, q.unit, q.real, q.model)); err != nil {
			return err
		}
	}
	for week, title := range []string{"mean speed on weekdays, km/h", "mean speed on weekends, km/h"} {
		if err := save([]string{"hours-weekday", "hours-weekend"}[week], hourly(title, means(real.hours[week]), means(model.hours[week]))); err != nil {
			return err
		}
	}
	return save("starts", hourly("trips that start, in 100", real.shareOfStarts(), model.shareOfStarts()))
}

// means by hour; NaN where there is little to go by.
func means(hours [24][]float64) [24]float64 {
	var out [24]float64
	for h, list := range hours {
		out[h] = math.NaN()
		if len(list) >= 50 {
			out[h] = mean(list)
		}
	}
	return out
}

// hourTable tells the mean speed and the share of trips by hour.
func hourTable(b *strings.Builder, real, model *sights) {
	b.WriteString("\n## By hour\n\nMean speed in km/h, standing included, and share of the trips that start.\n\n" +
		"| hour | weekday, real | simulated | weekend, real | simulated | starts, real | simulated |\n|---|---|---|---|---|---|---|\n")
	cell := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return fmt.Sprintf("%.1f", x)
	}
	var columns [4][24]float64
	for week := range 2 {
		columns[2*week], columns[2*week+1] = means(real.hours[week]), means(model.hours[week])
	}
	starts := [2][24]float64{real.shareOfStarts(), model.shareOfStarts()}
	for h := range 24 {
		fmt.Fprintf(b, "| %d |", h)
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", cell(c[h]))
		}
		fmt.Fprintf(b, " %.1f %% | %.1f %% |\n", starts[0][h], starts[1][h])
	}
	fmt.Fprintf(b, "\nOn average over the hours the mean speeds differ by %.1f km/h on weekdays and %.1f at weekends. %.1f %% of the simulated trips would have to start in another hour.\n",
		meanGap(columns[0], columns[1]), meanGap(columns[2], columns[3]), 24*meanGap(starts[0], starts[1])/2)
}

// meanGap is the mean absolute difference over the hours of which both are known.
func meanGap(a, b [24]float64) float64 {
	var gaps []float64
	for h := range a {
		if d := math.Abs(a[h] - b[h]); !math.IsNaN(d) {
			gaps = append(gaps, d)
		}
	}
	return mean(gaps)
}
