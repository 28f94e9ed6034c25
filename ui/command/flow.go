package command

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/recovered"
	"retrace/engine/trajectory/write"
	"retrace/storage"
)

// flowCommand are the analyses of who drove where and when.
type flowCommand struct {
	Links    flowLinksCommand    `cmd:"" help:"Count drives and speeds by road segment."`
	Turns    flowTurnsCommand    `cmd:"" help:"Count how junctions are driven through, from approach to exit."`
	OD       flowODCommand       `cmd:"" name:"od" help:"Count trips from zone to zone."`
	Select   flowSelectCommand   `cmd:"" help:"Count where those drive who drove over certain roads."`
	Corridor flowCorridorCommand `cmd:"" help:"Tell how long a corridor takes, and how reliably."`
	Compare  flowCompareCommand  `cmd:"" help:"Compare two periods, road by road."`
}

// flowFlags are those of all analyses.
type flowFlags struct {
	Output      string   `short:"o" required:"" placeholder:"OUT" help:"Table to write: .csv, .geojson, .gpkg, .parquet or .xlsx."`
	Network     string   `placeholder:"NAME|FILE" help:"Network whose recoveries are analysed. Default: the only one of the workspace that has any."`
	Recovery    []string `sep:"none" placeholder:"FILE" help:"Analyse what these files hold, as retrace recover wrote them (.gpkg or .geojson), instead of the workspace; with --network."`
	Input       []string `sep:"none" placeholder:"FILE" help:"With --recovery: the trajectories that they were recovered from, which name the vehicles."`
	Hours       string   `placeholder:"7-9,17" help:"Count drives in these hours of the day alone."`
	Days        string   `placeholder:"mon-fri" help:"Count drives on these days of the week alone."`
	From        string   `placeholder:"DATE" help:"Count drives from this day on, such as 2024-05-06, or this time, 2024-05-06T07:00."`
	To          string   `placeholder:"DATE" help:"Count drives before this day or time."`
	Zone        string   `placeholder:"ZONE" help:"Time zone of hours and days, like Europe/Lisbon. Default: that of the network's place."`
	Trip        []string `sep:"none" placeholder:"ID" help:"Count this trip alone; may be given several times."`
	Vehicle     []string `sep:"none" placeholder:"ID" help:"Count the trips of this vehicle alone; may be given several times."`
	By          string   `placeholder:"hour,weekday" help:"Tell times apart by some of hour, quarter (of an hour), weekday (1 is Monday), date, month, period; at most three."`
	Period      []string `sep:"none" placeholder:"am=7-9" help:"With --by period: a period of the day and its name; may be given several times."`
	Level       float64  `default:"90" placeholder:"90" help:"Probability of the intervals in percent."`
	MinVehicles int      `placeholder:"K" help:"Withhold numbers that less than K vehicles stand behind. Default: none are, for the owner's own eyes."`
	Trim        float64  `placeholder:"METRES" help:"Cut so many metres off both ends of every trip."`
}

// study is what the flags ask for, on a network.
func (f *flowFlags) study(net *roadnet.Network) (flow.Study, error) {
	s := flow.Study{Level: f.Level / 100, MinVehicles: f.MinVehicles, Trim: f.Trim}
	if !(f.Level > 0 && f.Level < 100) || f.MinVehicles < 0 || !(f.Trim >= 0) {
		return s, usage("--level %v --min-vehicles %d --trim %v: want a level between 0 and 100 and no negative numbers", f.Level, f.MinVehicles, f.Trim)
	}
	zone, err := f.zone(net)
	if err != nil {
		return s, err
	}
	s.When.Zone = zone
	var errs [5]error
	s.When.Hours, errs[0] = flow.ParseHours(f.Hours)
	s.When.Days, errs[1] = flow.ParseDays(f.Days)
	s.From, errs[2] = dayOrTime(f.From, zone)
	s.To, errs[3] = dayOrTime(f.To, zone)
	s.Calendar, errs[4] = f.calendar(zone)
	if err := errors.Join(errs[:]...); err != nil {
		return s, usage("%w", err)
	}
	s.Trips, s.Vehicles = setOf(f.Trip), setOf(f.Vehicle)
	return s, nil
}

// zone is that of the flag, or of the network's place.
func (f *flowFlags) zone(net *roadnet.Network) (*time.Location, error) {
	name := f.Zone
	if name == "" {
		name = net.Info().TimeZone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, usage("--zone %s: this time zone is not known: give one like Europe/Lisbon", name)
	}
	return zone, nil
}

func (f *flowFlags) calendar(zone *time.Location) (*flow.Calendar, error) {
	units, err := flow.ParseUnits(f.By)
	if err != nil {
		return nil, err
	}
	var periods []flow.Span
	for _, text := range f.Period {
		p, err := flow.ParseSpan(text)
		if err != nil {
			return nil, err
		}
		periods = append(periods, p)
	}
	return flow.NewCalendar(zone, units, periods)
}

// dayOrTime reads a day or a time of a zone; zero where there is none.
func dayOrTime(text string, zone *time.Location) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no day or time: give one such as 2024-05-06 or 2024-05-06T07:00", text)
}

// setOf is a set of some texts; nil of none.
func setOf(all []string) map[string]bool {
	if len(all) == 0 {
		return nil
	}
	set := map[string]bool{}
	for _, one := range all {
		set[one] = true
	}
	return set
}

// flowTrips are the trips that an analysis goes through, one after another.
type flowTrips struct {
	net   *roadnet.Network
	about write.About
	each  func(func(flow.Trip) error) (stale int, err error)
	close func() error
}

// addTo adds every trip to a study, unless the session is stopped. It counts those that
// were recovered on an earlier state of the network.
func (t *flowTrips) addTo(s *session, add func(flow.Trip)) (stale int, err error) {
	return t.each(func(trip flow.Trip) error {
		add(trip)
		return s.ctx.Err()
	})
}

// begin opens the trips, and makes the study that the flags ask for.
func (f *flowFlags) begin(s *session) (*flowTrips, flow.Study, error) {
	trips, err := f.open(s)
	if err != nil {
		return nil, flow.Study{}, err
	}
	study, err := f.study(trips.net)
	if err != nil {
		return nil, flow.Study{}, errors.Join(err, trips.close())
	}
	return trips, study, nil
}

// open finds the trips and their network.
func (f *flowFlags) open(s *session) (*flowTrips, error) {
	switch {
	case !write.TableKnown(f.Output):
		return nil, usage("%s: the extension says no format that a table can be written in (%s)", f.Output, strings.Join(write.TableExtensions(), ", "))
	case len(f.Recovery) > 0 && f.Network == "":
		return nil, usage("--recovery needs --network: what it was recovered on")
	case len(f.Recovery) == 0 && len(f.Input) > 0:
		return nil, usage("--input goes with --recovery: the workspace has its own trajectories")
	case len(f.Recovery) > 0:
		return f.ofFiles(s)
	}
	k, err := s.kept(f.Network)
	if err != nil {
		return nil, err
	}
	t := &flowTrips{net: k.net, about: write.About{Network: k.net.Info(), Version: s.version}, close: k.Close}
	t.each = func(take func(flow.Trip) error) (int, error) {
		vehicles, stop := vehiclesOf(k)
		defer stop()
		_, stale, err := k.each(func(r *trajectory.Recovery) error {
			t.about.Add(r)
			vehicle, err := vehicles(r.Trajectory)
			if err != nil {
				return err
			}
			return take(flow.Trip{ID: r.Trajectory, Vehicle: vehicle, Recovery: r})
		})
		return stale, err
	}
	return t, nil
}

// vehiclesOf tells the vehicles of trajectories, which are asked for in the order in
// which the workspace holds them, as recoveries come: none is held in memory.
func vehiclesOf(k *kept) (vehicle func(id string) (string, error), stop func()) {
	next, stop := iter.Pull2(k.TrajectorySummaries(k.session.ctx))
	var last storage.TrajectorySummary
	return func(id string) (string, error) {
		for last.ID != id {
			summary, err, ok := next()
			switch {
			case !ok:
				return "", nil // lost with what is damaged
			case isDamage(err):
				continue
			case err != nil:
				return "", err
			}
			last = summary
		}
		return last.Vehicle, nil
	}, stop
}

// ofFiles are the trips of files of recoveries, file by file.
func (f *flowFlags) ofFiles(s *session) (*flowTrips, error) {
	net, _, err := s.network(f.Network)
	if err != nil {
		return nil, err
	}
	vehicles := map[string]string{}
	for t, err := range read.Files(s.ctx, f.Input, s.stdin, read.Options{}) {
		if err != nil {
			return nil, err
		}
		vehicles[t.ID] = t.Vehicle
	}
	t := &flowTrips{net: net, about: write.About{Network: net.Info(), Version: s.version}, close: func() error { return nil }}
	t.each = func(take func(flow.Trip) error) (int, error) {
		for _, path := range f.Recovery {
			s.progress.show("reading recoveries", filepath.Base(path))
			all, err := recovered.Read(s.ctx, path, net)
			if err != nil {
				return 0, err
			}
			for _, r := range all {
				t.about.Add(r)
				if err := take(flow.Trip{ID: r.Trajectory, Vehicle: vehicles[r.Trajectory], Recovery: r}); err != nil {
					return 0, err
				}
			}
		}
		s.progress.clear()
		return 0, nil
	}
	return t, nil
}

// told says what stands behind an analysis, and what weakens it.
func (f *flowFlags) told(s *session, b flow.Basis, rows, withheld, stale int) error {
	if s.globals.JSON {
		if err := s.printJSON(map[string]any{"file": f.Output, "rows": rows, "withheld": withheld, "trips": b.Trips, "vehicles": b.Vehicles,
			"trips_without_vehicle": b.Nameless, "trips_without_alternatives": b.Certain, "untimed": b.Untimed, "stale": stale}); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(s.stdout, "%s: %s, from %s of %s\n", f.Output, plural(rows, "row", "rows"), plural(b.Trips, "trip", "trips"), vehicles(b)); err != nil {
		return err
	}
	if withheld > 0 {
		s.note("retrace: %s withheld, for fewer vehicles than --min-vehicles stand behind them", plural(withheld, "row is", "rows are"))
	}
	if b.Nameless > 0 {
		s.note("retrace: the vehicle of %s is not known: each counts as a vehicle of its own", plural(b.Nameless, "trip", "trips"))
	}
	if b.Trips > 0 && b.Certain == b.Trips {
		s.note("retrace: no trip keeps other ways than the one told, so counts are those of the ways told: recover with --alternatives 10 to have the doubt about ways counted")
	}
	if b.Untimed > 0 {
		s.note("retrace: %s at no known time, or in none of the periods, left out", plural(b.Untimed, "drive", "drives"))
	}
	if stale > 0 {
		return errSome
	}
	return nil
}

// vehicles says how many there are; of very many that is estimated.
func vehicles(b flow.Basis) string {
	text := plural(b.Vehicles, "vehicle", "vehicles")
	if b.Estimated {
		return "about " + text
	}
	return text
}

// slotColumns are those of the units that times are told apart by.
func slotColumns(c *flow.Calendar) []write.Column {
	var all []write.Column
	for _, u := range c.Units() {
		col := write.Column{Name: string(u), Kind: write.Whole, Means: "of the day when it was driven, in local time"}
		switch u {
		case flow.ByWeekday:
			col.Means = "1, Monday, to 7, Sunday"
		case flow.ByQuarter, flow.ByDate, flow.ByMonth, flow.ByPeriod:
			col.Kind = write.Words
		}
		all = append(all, col)
	}
	return all
}

// slotValues are a slot's.
func slotValues(c *flow.Calendar, slot flow.Slot) []any {
	var all []any
	for i, u := range c.Units() {
		switch u {
		case flow.ByHour, flow.ByWeekday:
			all = append(all, int64(slot[i]))
		default:
			all = append(all, c.Label(slot, i))
		}
	}
	return all
}

// countColumns are those of a count.
func countColumns(level float64) []write.Column {
	interval := fmt.Sprintf("of the %v %% interval of the count, which holds the doubt about ways and the chance by which vehicles are among those seen", level)
	return []write.Column{
		{Name: "count", Kind: write.Fine, Sums: true, Means: "drives expected: the sum of the probabilities that trips drove there"},
		{Name: "low", Kind: write.Fine, Means: "lower end " + interval}, {Name: "high", Kind: write.Fine, Means: "upper end " + interval},
		{Name: "way_doubt", Kind: write.Fine, Means: "standard deviation of the count from the doubt about ways alone"},
		{Name: "told", Kind: write.Whole, Sums: true, Means: "drives along the ways told, the most probable ones"},
		{Name: "trips", Kind: write.Whole, Means: "trips whose way told is among them"},
		{Name: "vehicles", Kind: write.Whole, Means: "vehicles whose way told is among them"},
		{Name: "withheld", Kind: write.Whole, Means: "1: too few vehicles, so the numbers are not told"},
	}
}

func countValues(c flow.Count) []any {
	whole := func(n int) int64 {
		if c.Withheld {
			return write.NoValue
		}
		return int64(n)
	}
	withheld := int64(0)
	if c.Withheld {
		withheld = 1
	}
	return []any{c.Mean, c.Low, c.High, c.Doubt, whole(c.Told), whole(c.Trips), whole(c.Vehicles), withheld}
}
