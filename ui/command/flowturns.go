package command

import (
	"fmt"
	"strconv"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

type flowTurnsCommand struct {
	flowFlags
	At   []string `sep:"none" placeholder:"LON,LAT" help:"Count at the junction nearest to this place alone; may be given several times."`
	Join float64  `default:"30" placeholder:"30" help:"Nodes joined by a road of at most so many metres are one junction."`
}

func (flowTurnsCommand) Help() string {
	return "One row for each way through a junction, from approach to exit, and for each time where --by tells times apart. " +
		"With --min-vehicles, more cells are withheld where sums over an approach or an exit would tell what is.\n\n" +
		"Examples:\n  retrace flow turns -o turns.csv --at=-8.6291,41.1579 --by hour\n  retrace flow turns -o turns.gpkg --days mon-fri --hours 7-9"
}

func (c *flowTurnsCommand) Run(s *session) error {
	if !(c.Join >= 0) {
		return usage("--join %v: want a distance in metres, 0 or more", c.Join)
	}
	trips, study, err := c.begin(s)
	if err != nil {
		return err
	}
	defer trips.close()
	junctions := flow.FindJunctions(trips.net, c.Join)
	only, err := c.junctionsAt(junctions)
	if err != nil {
		return err
	}
	turns := flow.NewTurnStudy(trips.net, study, junctions, only)
	stale, err := trips.addTo(s, turns.Add)
	if err != nil {
		return err
	}
	rows := turns.Rows()
	withheld, err := c.write(trips, study, rows)
	if err != nil {
		return err
	}
	return c.told(s, turns.Basis(), len(rows), withheld, stale)
}

// junctionsAt are the numbers of the junctions that are asked for; none: all.
func (c *flowTurnsCommand) junctionsAt(j *flow.Junctions) ([]int, error) {
	var only []int
	for _, text := range c.At {
		p, err := lonLat(text)
		if err != nil {
			return nil, usage("--at %w", err)
		}
		k := j.Nearest(p)
		if k < 0 {
			return nil, usage("--at %s: the network has no junction", text)
		}
		only = append(only, k)
	}
	return only, nil
}

// lonLat reads a longitude and a latitude.
func lonLat(text string) (roadnet.Point, error) {
	a, b, _ := strings.Cut(text, ",")
	lon, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
	lat, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err != nil || err2 != nil || !(lon >= -180 && lon <= 180 && lat >= -90 && lat <= 90) {
		return roadnet.Point{}, fmt.Errorf("%q: want a longitude and a latitude in degrees, such as -8.6291,41.1579", text)
	}
	return roadnet.Point{Lon: lon, Lat: lat}, nil
}

func turnColumns() []write.Column {
	return []write.Column{{Name: "junction", Kind: write.Whole, Means: "OpenStreetMap node, the first of the junction's"}, {Name: "nodes", Kind: write.Whole, Means: "nodes that are one junction"},
		{Name: "lon", Kind: write.Degrees, Means: "middle of the junction"}, {Name: "lat", Kind: write.Degrees, Means: "middle of the junction"},
		{Name: "from_way", Kind: write.Whole, Means: "OpenStreetMap way of the approach"}, {Name: "from_name", Kind: write.Words, Means: "road of the approach"},
		{Name: "from_heading", Kind: write.Decimal, Means: "degrees from north in which the approach is driven at its end"},
		{Name: "to_way", Kind: write.Whole, Means: "OpenStreetMap way of the exit"}, {Name: "to_name", Kind: write.Words, Means: "road of the exit"},
		{Name: "to_heading", Kind: write.Decimal, Means: "degrees from north in which the exit is driven at its beginning"},
		{Name: "turn", Kind: write.Words, Means: "straight, left, right or u-turn"}, {Name: "from_segment", Kind: write.Whole, Means: "segment of the approach"}, {Name: "to_segment", Kind: write.Whole, Means: "segment of the exit"}}
}

// write writes the rows, and counts those withheld.
func (c *flowTurnsCommand) write(trips *flowTrips, study flow.Study, rows []flow.TurnRow) (withheld int, err error) {
	columns := append(append(turnColumns(), slotColumns(study.Calendar)...), countColumns(c.Level)...)
	out, err := write.CreateTable(c.Output, write.Table{Name: "turns", Holds: "drives through junctions, from approach to exit", Columns: columns}, trips.about)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	for _, r := range rows {
		if r.Count.Withheld {
			withheld++
		}
		values := append(turnValues(trips.net, r), slotValues(study.Calendar, r.Slot)...)
		if err := out.Add(append(values, countValues(r.Count)...), turnLine(trips.net, r)); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}

func turnValues(net *roadnet.Network, r flow.TurnRow) []any {
	from, _ := net.LineOf(r.Approach)
	to, _ := net.LineOf(r.Exit)
	return []any{r.Junction.ID, int64(len(r.Junction.Nodes)), r.Junction.At.Lon, r.Junction.At.Lat, net.LineWay(from), roadName(net, r.Approach),
		net.Heading(roadnet.Position{Segment: r.Approach, Ratio: 1}), net.LineWay(to), roadName(net, r.Exit), net.Heading(roadnet.Position{Segment: r.Exit}),
		string(r.Turn), int64(r.Approach), int64(r.Exit)}
}

// armLength is how much of approach and exit the line of a turn shows, metres.
const armLength = 30

// turnLine leads from the approach into the exit.
func turnLine(net *roadnet.Network, r flow.TurnRow) []roadnet.Point {
	before, after := min(1, armLength/net.Length(r.Approach)), min(1, armLength/net.Length(r.Exit))
	return []roadnet.Point{net.At(roadnet.Position{Segment: r.Approach, Ratio: 1 - before}), net.At(roadnet.Position{Segment: r.Approach, Ratio: 1}),
		net.At(roadnet.Position{Segment: r.Exit}), net.At(roadnet.Position{Segment: r.Exit, Ratio: after})}
}
