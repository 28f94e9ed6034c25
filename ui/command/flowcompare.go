package command

import (
	"fmt"
	"strings"
	"time"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

type flowCompareCommand struct {
	flowFlags
	Before string `required:"" placeholder:"DATE..DATE" help:"First period: from one day on and before another, such as 2024-05-06..2024-05-13."`
	After  string `required:"" placeholder:"DATE..DATE" help:"Second period."`
}

func (flowCompareCommand) Help() string {
	return "One row for each segment that was driven in either period: drives a day before and after, the difference with its interval, and mean speeds. " +
		"Where the interval holds 0, could_be_chance is 1. Days that --days leaves out are not counted as days.\n\n" +
		"Example:\n  retrace flow compare -o change.gpkg --before 2023-05-01..2023-06-01 --after 2024-05-01..2024-06-01 --days mon-fri --hours 7-9"
}

// period is one of the two that are compared.
type period struct {
	study flow.Study
	links *flow.LinkStudy
	days  int
}

func (c *flowCompareCommand) Run(s *session) error {
	if c.From != "" || c.To != "" {
		return usage("--before and --after say the periods, so --from and --to do not go with them")
	}
	trips, err := c.open(s)
	if err != nil {
		return err
	}
	defer trips.close()
	before, err := c.period(trips.net, "--before", c.Before)
	if err != nil {
		return err
	}
	after, err := c.period(trips.net, "--after", c.After)
	if err != nil {
		return err
	}
	stale, err := trips.addTo(s, func(t flow.Trip) {
		before.links.Add(t)
		after.links.Add(t)
	})
	if err != nil {
		return err
	}
	rows := flow.Compare(before.links, after.links, float64(before.days), float64(after.days))
	withheld, err := c.write(trips, before, rows)
	if err != nil {
		return err
	}
	return c.told(s, before.links.Basis(), len(rows), withheld, stale)
}

// period reads a period such as 2024-05-06..2024-05-13.
func (c *flowCompareCommand) period(net *roadnet.Network, flag, text string) (*period, error) {
	study, err := c.study(net)
	if err != nil {
		return nil, err
	}
	from, to, ok := strings.Cut(text, "..")
	begin, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(from), study.When.Zone)
	end, err2 := time.ParseInLocation(time.DateOnly, strings.TrimSpace(to), study.When.Zone)
	if !ok || err != nil || err2 != nil || !begin.Before(end) {
		return nil, usage("%s %s: want two days, the earlier first, such as 2024-05-06..2024-05-13", flag, text)
	}
	p := &period{}
	for day := begin; day.Before(end); day = day.AddDate(0, 0, 1) {
		if study.When.Days == 0 || study.When.Days>>day.Weekday()&1 != 0 {
			p.days++
		}
	}
	if p.days == 0 {
		return nil, usage("%s %s: the period has no day that --days names", flag, text)
	}
	study.From, study.To = begin, end
	p.study, p.links = study, flow.NewLinkStudy(net, study)
	return p, nil
}

// write writes the rows, and counts those withheld.
func (c *flowCompareCommand) write(trips *flowTrips, p *period, rows []flow.CompareRow) (withheld int, err error) {
	columns := append(append(roadColumns(), slotColumns(p.study.Calendar)...), c.columns()...)
	out, err := write.CreateTable(c.Output, write.Table{Name: "change", Holds: "drives by road segment in two periods, and their difference", Columns: columns}, trips.about)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	var line []roadnet.Point
	for _, r := range rows {
		if r.Difference.Withheld {
			withheld++
		}
		chance := int64(0)
		if r.Difference.Chance {
			chance = 1
		}
		values := append(roadValues(trips.net, r.Segment), slotValues(p.study.Calendar, r.Slot)...)
		values = append(append(values, countValues(r.Before)...), countValues(r.After)...)
		d := r.Difference
		if values = append(values, d.Mean, d.Low, d.High, chance, r.Speeds[0].Mean, r.Speeds[1].Mean); d.Withheld {
			values[len(values)-3] = write.NoValue
		}
		line = trips.net.Geometry(r.Segment, line[:0])
		if err := out.Add(values, line); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}

func (c *flowCompareCommand) columns() []write.Column {
	var all []write.Column
	for _, when := range []string{"before", "after"} {
		for _, col := range countColumns(c.Level) {
			col.Name = when + "_" + col.Name
			all = append(all, col)
		}
	}
	interval := fmt.Sprintf("of its %v %% interval", c.Level)
	return append(all, write.Column{Name: "change_a_day", Kind: write.Fine, Means: "drives a day after less those before"},
		write.Column{Name: "change_low", Kind: write.Fine, Means: "lower end " + interval}, write.Column{Name: "change_high", Kind: write.Fine, Means: "upper end " + interval},
		write.Column{Name: "could_be_chance", Kind: write.Whole, Means: "1: the interval holds 0"},
		write.Column{Name: "before_speed_kmh", Kind: write.Decimal, Means: "mean speed in km/h"}, write.Column{Name: "after_speed_kmh", Kind: write.Decimal, Means: "mean speed in km/h"})
}
