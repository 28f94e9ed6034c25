package command

import (
	"strconv"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
)

type flowODCommand struct {
	flowFlags
	Zones   string `placeholder:"FILE" help:"Zones: a GeoPackage, a GeoJSON file or a shapefile of polygons."`
	ZoneID  string `name:"zone-id" placeholder:"COLUMN" help:"Column that names the zones. Default: id, zone, code or name, whichever there is."`
	Grid    string `placeholder:"square:500" help:"Instead of --zones: a grid of squares with sides of so many metres, or of hexagons (hex:500) so far from flat to flat."`
	Through bool   `help:"Count from the first zone that a trip comes through to the last. Default: from where it begins to where it ends."`
	Sums    string `placeholder:"FILE" help:"Also write how many trips begin in, end in and stay within each zone."`
}

func (flowODCommand) Help() string {
	return "One row for each pair of zones that trips went between, with the line from centre to centre, and for each time at which they began where --by tells times apart. " +
		"Trips within one zone are rows too; what lies in no zone is called outside. " +
		"With --min-vehicles, more cells are withheld where sums of rows or columns would tell what is.\n\n" +
		"Examples:\n  retrace flow od -o od.csv --zones districts.gpkg --zone-id code\n  retrace flow od -o od.gpkg --grid hex:1000 --by period --period am=7-9 --sums zones.csv --min-vehicles 5"
}

func (c *flowODCommand) Run(s *session) error {
	if (c.Zones == "") == (c.Grid == "") {
		return usage("give zones by --zones FILE, or a grid by --grid square:500")
	}
	if c.Sums != "" && (!write.TableKnown(c.Sums) || c.Sums == c.Output) {
		return usage("--sums %s: want another file than the output, with one of the extensions %s", c.Sums, strings.Join(write.TableExtensions(), ", "))
	}
	trips, study, err := c.begin(s)
	if err != nil {
		return err
	}
	defer trips.close()
	zones, err := c.zoneSystem(s, trips.net)
	if err != nil {
		return err
	}
	od := flow.NewODStudy(trips.net, study, zones, c.Through)
	stale, err := trips.addTo(s, od.Add)
	if err != nil {
		return err
	}
	w := odWriter{command: c, trips: trips, study: study, zones: zones}
	rows := od.Rows()
	withheld, err := w.matrix(rows)
	if err == nil && c.Sums != "" {
		err = w.sums(od.Sums())
	}
	if err != nil {
		return err
	}
	return c.told(s, od.Basis(), len(rows), withheld, stale)
}

// zoneSystem are the zones that the flags name.
func (c *flowODCommand) zoneSystem(s *session, net *roadnet.Network) (flow.Zones, error) {
	if c.Grid != "" {
		kind, text, _ := strings.Cut(c.Grid, ":")
		metres, err := strconv.ParseFloat(text, 64)
		if err != nil || kind != "square" && kind != "hex" || !(metres >= 10 && metres <= 1_000_000) {
			return nil, usage("--grid %s: want square or hex and a size from 10 to 1000000 metres, such as square:500", c.Grid)
		}
		return flow.NewGrid(net.Info().Bounds.Center(), metres, kind == "hex"), nil
	}
	areas, err := read.Areas(s.ctx, c.Zones, c.ZoneID)
	if err != nil {
		return nil, err
	}
	var all []flow.Zone
	for _, a := range areas {
		all = append(all, flow.Zone{ID: a.ID, Rings: a.Rings})
	}
	return flow.NewAreas(all), nil
}

// odWriter writes matrices and their sums.
type odWriter struct {
	command *flowODCommand
	trips   *flowTrips
	study   flow.Study
	zones   flow.Zones
}

// outside is what is called so.
const outside = "outside"

// zone is the name and the centre of a zone; outside it is the middle of the network.
func (w *odWriter) zone(number int) (string, roadnet.Point) {
	if number == flow.Outside {
		return outside, w.trips.net.Info().Bounds.Center()
	}
	z := w.zones.Zone(number)
	return z.ID, z.Centre
}

// matrix writes the pairs of zones, and counts those withheld.
func (w *odWriter) matrix(rows []flow.ODRow) (withheld int, err error) {
	columns := append([]write.Column{{Name: "from_zone", Kind: write.Words}, {Name: "to_zone", Kind: write.Words},
		{Name: "kind", Kind: write.Words, Means: "between two zones, within one, or outside: one end lies in no zone"}}, slotColumns(w.study.Calendar)...)
	columns = append(columns, countColumns(w.command.Level)...)
	out, err := write.CreateTable(w.command.Output, write.Table{Name: "od", Holds: "trips from zone to zone, as lines from centre to centre", Columns: columns}, w.trips.about)
	if err != nil {
		return 0, err
	}
	defer out.Abort()
	for _, r := range rows {
		if r.Count.Withheld {
			withheld++
		}
		from, a := w.zone(r.From)
		to, b := w.zone(r.To)
		kind := "between"
		switch {
		case r.From == flow.Outside || r.To == flow.Outside:
			kind = outside
		case r.From == r.To:
			kind = "within"
		}
		values := append([]any{from, to, kind}, slotValues(w.study.Calendar, r.Slot)...)
		if err := out.Add(append(values, countValues(r.Count)...), []roadnet.Point{a, b}); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}

// sums writes those of each zone.
func (w *odWriter) sums(rows []flow.SumRow) error {
	columns := append([]write.Column{{Name: "zone", Kind: write.Words}, {Name: "trips_that", Kind: write.Words, Means: "begin in the zone, end in it, or do both"}}, slotColumns(w.study.Calendar)...)
	columns = append(columns, countColumns(w.command.Level)...)
	out, err := write.CreateTable(w.command.Sums, write.Table{Name: "zones", Holds: "trips that begin in, end in and stay within zones", Columns: columns, Points: true}, w.trips.about)
	if err != nil {
		return err
	}
	defer out.Abort()
	for _, r := range rows {
		name, centre := w.zone(r.Zone)
		values := append([]any{name, [...]string{"begin", "end", "within"}[r.Sum]}, slotValues(w.study.Calendar, r.Slot)...)
		if err := out.Add(append(values, countValues(r.Count)...), []roadnet.Point{centre}); err != nil {
			return err
		}
	}
	return out.Close()
}
