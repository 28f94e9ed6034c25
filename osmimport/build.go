package osmimport

import (
	"cmp"
	"context"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"retrace/engine/roadnet"
)

// attribution is what users of OpenStreetMap's data must show.
const attribution = "© OpenStreetMap contributors (ODbL)"

// nodeIDs is the nodes of everything drafted, with repetitions.
func (d *draft) nodeIDs() []int64 {
	ids := make([]int64, 0, d.refs.count)
	for i := range d.roads {
		ids = d.refs.append(d.roads[i].refs, ids)
	}
	for i := range d.shapes {
		ids = d.refs.append(d.shapes[i].refs, ids)
	}
	for i := range d.lines {
		ids = d.refs.append(d.lines[i].refs, ids)
	}
	return ids
}

// buildNetwork feeds the roads to a builder, whose network it keeps.
func (imp *importer) buildNetwork(ctx context.Context) error {
	b := roadnet.NewBuilder()
	if err := imp.addRoads(ctx, b); err != nil {
		return err
	}
	for _, r := range imp.draft.restrictions {
		b.AddRestriction(r.Restriction)
	}
	info := roadnet.Info{Name: imp.name(), Source: imp.source(), Attribution: cmp.Or(imp.opt.Attribution, attribution),
		TimeZone: imp.zone(), DataDate: imp.dataDate()}
	imp.draft, imp.table = nil, nil // their memory is needed for the network
	runtime.GC()
	net, rep, err := b.Build(ctx, info)
	if err != nil {
		return err
	}
	imp.network = net
	imp.noteBuild(net, rep)
	return nil
}

// addRoads looks up the nodes of each road and adds it.
func (imp *importer) addRoads(ctx context.Context, b *roadnet.Builder) error {
	a := &roadAdder{imp: imp, builder: b}
	for i := range imp.draft.roads {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		a.add(&imp.draft.roads[i])
	}
	return nil
}

// roadAdder adds roads one after the other, reusing its memory.
type roadAdder struct {
	imp     *importer
	builder *roadnet.Builder
	ids     []int64
	way     roadnet.Way
}

func (a *roadAdder) add(r *draftRoad) {
	imp := a.imp
	a.ids = imp.draft.refs.append(r.refs, a.ids[:0])
	a.way = roadnet.Way{ID: r.id, Dir: r.dir, Road: r.road, Nodes: a.way.Nodes[:0], Coords: a.way.Coords[:0], Flags: a.way.Flags[:0]}
	from, to := a.longestKnown()
	if to-from < len(a.ids) {
		imp.notes.odd.add(oddCut, objectKey{objectWay, r.id})
	}
	if to-from < 2 {
		imp.notes.drop(dropNoNodes, objectKey{objectWay, r.id})
		return
	}
	for _, id := range a.ids[from:to] {
		slot, _ := imp.table.lookup(id)
		a.way.Nodes = append(a.way.Nodes, id)
		a.way.Coords = append(a.way.Coords, imp.table.coords[slot])
		a.way.Flags = append(a.way.Flags, imp.table.flags[slot])
	}
	if err := a.builder.AddWay(a.way); err != nil {
		imp.notes.odd.add(oddRefused, objectKey{objectWay, r.id})
		return
	}
	imp.noteRoad(r)
}

// longestKnown is the longest stretch of nodes that the files hold. A road is
// not drawn across missing nodes: where it ran there is not known.
func (a *roadAdder) longestKnown() (from, to int) {
	start := 0
	for i, id := range a.ids {
		if _, ok := a.imp.table.lookup(id); ok {
			if i+1-start > to-from {
				from, to = start, i+1
			}
			continue
		}
		start = i + 1
		a.imp.notes.odd.add(oddMissing, objectKey{objectNode, id})
	}
	return from, to
}

// noteRoad counts a road that was taken.
func (imp *importer) noteRoad(r *draftRoad) {
	k := objectKey{objectWay, r.id}
	what := "roads: " + r.road.Class.String()
	if r.road.Flags.Has(roadnet.FlagLink) {
		what += " link"
	}
	imp.notes.kept.item(what).Count++
	if r.road.Flags.Has(roadnet.FlagLayerAssumed) {
		imp.notes.odd.add(oddLayer, k)
	}
}

// source is the names of the files.
func (imp *importer) source() string {
	var names []string
	for _, p := range imp.paths {
		names = append(names, filepath.Base(p))
	}
	return strings.Join(names, ", ")
}

// dataDate is the earliest date that a file states.
func (imp *importer) dataDate() string {
	date := ""
	for _, f := range imp.files {
		if d := f.describe().Date; d != "" && (date == "" || d < date) {
			date = d
		}
	}
	return date
}

// zone is the time zone of the place, empty where it cannot be told.
func (imp *importer) zone() string {
	p, ok := imp.center()
	if !ok {
		return ""
	}
	zone, err := timeZone(p)
	if err != nil {
		imp.notes.odd.addText("the time zone could not be told", err.Error())
	}
	return zone
}

// zoneSamples is how many roads tell where the middle of a network is.
const zoneSamples = 1000

// center is a node of a road in the middle of the roads; in the middle of
// their box there may be a sea, or half the world.
func (imp *importer) center() (roadnet.Point, bool) {
	var lons, lats []int32
	var nodes []roadnet.Coord
	roads := imp.draft.roads
	for i := 0; i < len(roads); i += len(roads)/zoneSamples + 1 {
		for _, id := range imp.draft.refs.append(roads[i].refs, nil) {
			if slot, ok := imp.table.lookup(id); ok {
				c := imp.table.coords[slot]
				lons, lats, nodes = append(lons, c.Lon), append(lats, c.Lat), append(nodes, c)
				break
			}
		}
	}
	if len(nodes) == 0 {
		return roadnet.Point{}, false
	}
	slices.Sort(lons)
	slices.Sort(lats)
	lon, lat := lons[len(lons)/2], lats[len(lats)/2]
	nearest := slices.MinFunc(nodes, func(a, b roadnet.Coord) int {
		return cmp.Compare(math.Hypot(float64(a.Lon)-float64(lon), float64(a.Lat)-float64(lat)), math.Hypot(float64(b.Lon)-float64(lon), float64(b.Lat)-float64(lat)))
	})
	return nearest.Point(), true
}
