package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

type flowSelectCommand struct {
	flowFlags
	Where string `required:"" placeholder:"CONDITION" help:"Which trips: roads joined by and, or, not, then and brackets. A road is a place (LON,LAT: the road nearest to it, both directions), way:ID of OpenStreetMap or segment:ID of the network."`
}

func (flowSelectCommand) Help() string {
	return "One row for each segment that the selected trips drove, upstream and downstream of what selects them. A trip is selected as probably as its possible ways fulfil the condition. " +
		"then asks for one road after the other; it binds closest, or least.\n\n" +
		"Examples:\n  retrace flow select -o bridge.gpkg --where \"-8.6094,41.1400\"\n" +
		"  retrace flow select -o through.csv --where \"way:4711 then (way:4712 or way:4713) and not -8.61,41.15\" --by hour"
}

func (c *flowSelectCommand) Run(s *session) error {
	trips, study, err := c.begin(s)
	if err != nil {
		return err
	}
	defer trips.close()
	condition, err := flow.ParseCondition(c.Where, roadFinder(trips.net))
	if err != nil {
		return usage("--where: %w", err)
	}
	selected := flow.NewSelectStudy(trips.net, study, condition)
	stale, err := trips.addTo(s, selected.Add)
	if err != nil {
		return err
	}
	rows := selected.Rows()
	withheld, err := c.write(trips, study, rows)
	if err != nil {
		return err
	}
	if err := c.tellTotals(s, study, selected.Total()); err != nil {
		return err
	}
	return c.told(s, selected.Basis(), len(rows), withheld, stale)
}

// tellTotals says how many trips are selected.
func (c *flowSelectCommand) tellTotals(s *session, study flow.Study, totals map[flow.Slot]flow.Count) error {
	slots := make([]flow.Slot, 0, len(totals))
	for slot := range totals {
		slots = append(slots, slot)
	}
	slices.SortFunc(slots, func(a, b flow.Slot) int { return slices.Compare(a[:], b[:]) })
	for _, slot := range slots {
		if s.globals.JSON {
			break
		}
		n := totals[slot]
		var when []string
		for i, u := range study.Calendar.Units() {
			when = append(when, string(u)+" "+study.Calendar.Label(slot, i))
		}
		head := cmp.Or(strings.Join(when, ", "), "all times")
		text := fmt.Sprintf("%.1f trips selected, %.1f to %.1f", n.Mean, n.Low, n.High)
		if n.Withheld {
			text = "withheld"
		}
		if _, err := fmt.Fprintf(s.stdout, "%s: %s\n", head, text); err != nil {
			return err
		}
	}
	return nil
}

// roadFinder finds the segments that a word of a condition names.
func roadFinder(net *roadnet.Network) func(string) ([]roadnet.SegmentID, error) {
	return func(word string) ([]roadnet.SegmentID, error) {
		kind, number, named := strings.Cut(word, ":")
		id, err := strconv.ParseInt(number, 10, 64)
		switch {
		case !named:
			return segmentsAt(net, word)
		case err == nil && kind == "segment" && id >= 0 && id < int64(net.NumSegments()):
			return []roadnet.SegmentID{roadnet.SegmentID(id)}, nil
		case err == nil && kind == "way":
			if found := segmentsOf(net, id); len(found) > 0 {
				return found, nil
			}
		}
		return nil, fmt.Errorf("%s is no road of the network: want LON,LAT, way:ID or segment:ID", word)
	}
}

// segmentsOf are those of an OpenStreetMap way.
func segmentsOf(net *roadnet.Network, way int64) []roadnet.SegmentID {
	var found []roadnet.SegmentID
	for id := range net.NumSegments() {
		if line, _ := net.LineOf(roadnet.SegmentID(id)); net.LineWay(line) == way {
			found = append(found, roadnet.SegmentID(id))
		}
	}
	return found
}

// segmentsAt are those of the line nearest to a place.
func segmentsAt(net *roadnet.Network, text string) ([]roadnet.SegmentID, error) {
	p, err := lonLat(text)
	if err != nil {
		return nil, err
	}
	const near = 200
	hits := net.Near(p, near, nil)
	if len(hits) == 0 {
		return nil, fmt.Errorf("no road lies within %d m of %s", near, text)
	}
	best := slices.MinFunc(hits, func(a, b roadnet.Hit) int { return cmp.Compare(a.Distance, b.Distance) })
	found := []roadnet.SegmentID{best.Segment}
	if back, ok := net.Reverse(best.Segment); ok {
		found = append(found, back)
	}
	return found, nil
}

// write writes the rows, and counts those withheld.
func (c *flowSelectCommand) write(trips *flowTrips, study flow.Study, rows []flow.LinkRow) (withheld int, err error) {
	columns := append(append(roadColumns(), slotColumns(study.Calendar)...), countColumns(c.Level)...)
	out, err := write.CreateTable(c.Output, write.Table{Name: "selected", Holds: "drives of the selected trips by road segment", Columns: columns}, trips.about)
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
		line = trips.net.Geometry(r.Segment, line[:0])
		if err := out.Add(append(values, countValues(r.Count)...), line); err != nil {
			return withheld, err
		}
	}
	return withheld, out.Close()
}
