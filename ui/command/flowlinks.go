package command

import (
	"fmt"
	"strconv"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

type flowLinksCommand struct {
	flowFlags
	Percentiles []float64 `placeholder:"5,95" help:"Percentiles of the speeds to tell besides mean, median, p15 and p85."`
}

func (flowLinksCommand) Help() string {
	return "One row for each segment that was driven, and for each time where --by tells times apart. A count is the sum of the probabilities that trips drove there, " +
		"over all ways that their recoveries hold for possible. How often its interval holds the truth is on docs/flows.md.\n\n" +
		"Examples:\n  retrace flow links -o links.gpkg --by hour --days mon-fri\n" +
		"  retrace flow links -o links.xlsx --by period --period am=7-9 --period pm=16:30-19 --min-vehicles 5 --trim 300\n" +
		"  retrace flow links -o links.csv --network porto.osm.pbf --recovery recovered.gpkg --input trips.csv"
}

func (c *flowLinksCommand) Run(s *session) error {
	for _, p := range c.Percentiles {
		if !(p >= 0 && p <= 100) {
			return usage("--percentiles %v: want numbers from 0 to 100", p)
		}
	}
	trips, study, err := c.begin(s)
	if err != nil {
		return err
	}
	defer trips.close()
	study.Percentiles = c.Percentiles
	links := flow.NewLinkStudy(trips.net, study)
	stale, err := trips.addTo(s, links.Add)
	if err != nil {
		return err
	}
	rows := links.Rows()
	withheld, err := c.write(trips, study, rows)
	if err != nil {
		return err
	}
	return c.told(s, links.Basis(), len(rows), withheld, stale)
}

// write writes the rows, and counts those withheld.
func (c *flowLinksCommand) write(trips *flowTrips, study flow.Study, rows []flow.LinkRow) (withheld int, err error) {
	columns := append(roadColumns(), slotColumns(study.Calendar)...)
	columns = append(append(columns, countColumns(c.Level)...), c.speedColumns()...)
	out, err := write.CreateTable(c.Output, write.Table{Name: "links", Holds: "drives and speeds by road segment", Columns: columns}, trips.about)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	var line []roadnet.Point
	for _, r := range rows {
		if r.Count.Withheld {
			withheld++
		}
		values := append(roadValues(trips.net, r.Segment), slotValues(study.Calendar, r.Slot)...)
		values = append(append(values, countValues(r.Count)...), speedValues(r.Speeds)...)
		line = trips.net.Geometry(r.Segment, line[:0])
		if err := out.Add(values, line); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}

// roadColumns are those that say which road a segment is.
func roadColumns() []write.Column {
	return []write.Column{{Name: "way", Kind: write.Whole, Means: "OpenStreetMap way"}, {Name: "from_node", Kind: write.Whole, Means: "OpenStreetMap node"},
		{Name: "to_node", Kind: write.Whole, Means: "OpenStreetMap node"}, {Name: "segment", Kind: write.Whole, Means: "segment of the network"},
		{Name: "name", Kind: write.Words, Means: "name of the road, else its number"}, {Name: "class", Kind: write.Words, Means: "OpenStreetMap highway"},
		{Name: "limit_kmh", Kind: write.Whole, Means: "speed limit in km/h; empty: not known, or none"}, {Name: "length_m", Kind: write.Decimal, Means: "length in metres"}}
}

func roadValues(net *roadnet.Network, id roadnet.SegmentID) []any {
	line, _ := net.LineOf(id)
	from, to := net.Ends(id)
	limit := write.NoValue
	if l := net.Segment(id).Limit; l != roadnet.LimitUnknown && l != roadnet.LimitNone {
		limit = int64(l)
	}
	return []any{net.LineWay(line), net.NodeOSM(from), net.NodeOSM(to), int64(id), roadName(net, id), net.Class(id).String(), limit, net.Length(id)}
}

// roadName is the name of a segment's road, else its number.
func roadName(net *roadnet.Network, id roadnet.SegmentID) string {
	line, _ := net.LineOf(id)
	road := net.LineRoad(line)
	if road.Name != "" {
		return road.Name
	}
	return road.Ref
}

func (c *flowLinksCommand) speedColumns() []write.Column {
	all := []write.Column{{Name: "mean_speed_kmh", Kind: write.Decimal, Means: "length over mean time, in km/h"}, {Name: "median_speed_kmh", Kind: write.Decimal, Means: "km/h"},
		{Name: "p15_speed_kmh", Kind: write.Decimal, Means: "15th percentile, in km/h"}, {Name: "p85_speed_kmh", Kind: write.Decimal, Means: "85th percentile, in km/h"}}
	for _, p := range c.Percentiles {
		name := strings.ReplaceAll(strconv.FormatFloat(p, 'f', -1, 64), ".", "_")
		all = append(all, write.Column{Name: "p" + name + "_asked_kmh", Kind: write.Decimal, Means: fmt.Sprintf("percentile %v, in km/h", p)})
	}
	return all
}

func speedValues(v flow.Speeds) []any {
	all := []any{v.Mean, v.Median, v.Slow15, v.Top15}
	for _, p := range v.Asked {
		all = append(all, p)
	}
	return all
}
