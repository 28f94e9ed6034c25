package command

import (
	"fmt"
	"strconv"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

type flowCorridorCommand struct {
	flowFlags
	Via         []string  `sep:"none" required:"" placeholder:"LON,LAT" help:"Place that the corridor leads through, on the fastest way from one to the next; given two times or more."`
	Enough      float64   `default:"90" placeholder:"90" help:"Percent of the corridor that a drive covers, without leaving it, to count."`
	Percentiles []float64 `placeholder:"10,90" help:"Percentiles of the travel times to tell besides p5, p15, p50, p80, p85 and p95."`
}

func (flowCorridorCommand) Help() string {
	return "Travel times of those who drove all of a corridor, or enough of it, along the way told: one row, or one for each time at which they entered it where --by tells times apart. " +
		"The interval of the mean holds the differences between vehicles and the doubt about when places were reached. " +
		"The buffer index is (p95 - mean) / mean, the planning time index p95 / time without traffic, lottr the level of travel time reliability, p80 / p50.\n\n" +
		"Example:\n  retrace flow corridor -o ring.csv --via=-8.6580,41.1579 --via=-8.5930,41.1640 --by hour --days mon-fri"
}

func (c *flowCorridorCommand) Run(s *session) error {
	if !(c.Enough > 0 && c.Enough <= 100) {
		return usage("--enough %v: want percent, from 0 to 100", c.Enough)
	}
	for _, p := range c.Percentiles {
		if !(p >= 0 && p <= 100) {
			return usage("--percentiles %v: want numbers from 0 to 100", p)
		}
	}
	var places []roadnet.Point
	for _, text := range c.Via {
		p, err := lonLat(text)
		if err != nil {
			return usage("--via %w", err)
		}
		places = append(places, p)
	}
	trips, study, err := c.begin(s)
	if err != nil {
		return err
	}
	defer trips.close()
	study.Percentiles = c.Percentiles
	corridor, err := flow.CorridorBetween(trips.net, places)
	if err != nil {
		return usage("--via: %w", err)
	}
	times := flow.NewCorridorStudy(trips.net, study, corridor, c.Enough/100)
	stale, err := trips.addTo(s, times.Add)
	if err != nil {
		return err
	}
	rows := times.Rows()
	withheld, err := c.write(trips, study, corridor, rows)
	if err != nil {
		return err
	}
	if !s.globals.JSON {
		if _, err := fmt.Fprintf(s.stdout, "The corridor is %.1f km long and takes %.0f s without traffic.\n", corridor.Length/1000, corridor.FreeFlow); err != nil {
			return err
		}
	}
	return c.told(s, times.Basis(), len(rows), withheld, stale)
}

// write writes the rows, and counts those withheld.
func (c *flowCorridorCommand) write(trips *flowTrips, study flow.Study, corridor *flow.Corridor, rows []flow.TravelTime) (withheld int, err error) {
	out, err := write.CreateTable(c.Output, write.Table{Name: "corridor", Holds: "travel times over a corridor", Columns: append(slotColumns(study.Calendar), c.columns()...)}, trips.about)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	var line []roadnet.Point
	for _, id := range corridor.Segments {
		line = trips.net.Geometry(id, line)
	}
	for _, r := range rows {
		drives, vehicles, hidden := int64(r.Drives), int64(r.Vehicles), int64(0)
		if r.Withheld {
			withheld++
			drives, vehicles, hidden = write.NoValue, write.NoValue, 1
		}
		values := append(slotValues(study.Calendar, r.Slot), corridor.Length, corridor.FreeFlow, drives, vehicles, hidden, r.Mean, r.Interval.Low, r.Interval.High,
			r.P5, r.P15, r.Median, r.P80, r.P85, r.P95, r.Speed, r.Buffer, r.Planning, r.LOTTR)
		for _, p := range r.Asked {
			values = append(values, p)
		}
		if err := out.Add(values, line); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}

func (c *flowCorridorCommand) columns() []write.Column {
	interval := fmt.Sprintf("of the %v %% interval of the mean, in seconds; empty: of one vehicle it is not known", c.Level)
	all := []write.Column{{Name: "length_m", Kind: write.Decimal, Means: "of the corridor, in metres"}, {Name: "free_flow_s", Kind: write.Decimal, Means: "seconds without traffic, by the network"},
		{Name: "drives", Kind: write.Whole, Means: "that cover enough of it"}, {Name: "vehicles", Kind: write.Whole, Means: "that made them"},
		{Name: "withheld", Kind: write.Whole, Means: "1: too few vehicles, so the numbers are not told"},
		{Name: "mean_s", Kind: write.Decimal, Means: "mean travel time in seconds"}, {Name: "mean_low_s", Kind: write.Decimal, Means: "lower end " + interval}, {Name: "mean_high_s", Kind: write.Decimal, Means: "upper end " + interval}}
	for _, p := range []int{5, 15, 50, 80, 85, 95} {
		all = append(all, write.Column{Name: fmt.Sprintf("p%d_s", p), Kind: write.Decimal, Means: fmt.Sprintf("percentile %d of the travel times, in seconds", p)})
	}
	all = append(all, write.Column{Name: "mean_speed_kmh", Kind: write.Decimal, Means: "length over mean time, in km/h"},
		write.Column{Name: "buffer_index", Kind: write.Fine, Means: "(p95 - mean) / mean"}, write.Column{Name: "planning_time_index", Kind: write.Fine, Means: "p95 / time without traffic"},
		write.Column{Name: "lottr", Kind: write.Fine, Means: "level of travel time reliability: p80 / p50; below 1.5 counts as reliable (23 CFR 490.511)"})
	for _, p := range c.Percentiles {
		name := strings.ReplaceAll(strconv.FormatFloat(p, 'f', -1, 64), ".", "_")
		all = append(all, write.Column{Name: "p" + name + "_asked_s", Kind: write.Decimal, Means: fmt.Sprintf("percentile %v, in seconds", p)})
	}
	return all
}
