package osmimport

import (
	"cmp"
	"context"
	"slices"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// findWay finds what the draft holds of a way: its nodes, and its shape if it
// is one.
func (d *draft) findWay(id int64) (refs span, shape *draftShape, ok bool) {
	if i, ok := searchID(d.shapes, id, func(s *draftShape) int64 { return s.id }); ok {
		return d.shapes[i].refs, &d.shapes[i], true
	}
	if i, ok := searchID(d.roads, id, func(r *draftRoad) int64 { return r.id }); ok {
		return d.roads[i].refs, nil, true
	}
	if i, ok := searchID(d.lines, id, func(l *draftLine) int64 { return l.id }); ok {
		return d.lines[i].refs, nil, true
	}
	return span{}, nil, false
}

// searchID finds an id in a slice sorted by ids.
func searchID[T any](all []T, id int64, key func(*T) int64) (int, bool) {
	lo, hi := 0, len(all)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if key(&all[mid]) < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(all) && key(&all[lo]) == id
}

// missingMembers tells polygons of unknown kind by their ways, leaves out those
// that remain unknown, and returns the ways that the rest needs and the draft
// does not hold.
func (d *draft) missingMembers() []int64 {
	var missing []int64
	known := d.polygons[:0]
	for _, p := range d.polygons {
		if !p.known && !d.kindByWays(&p) {
			continue
		}
		for _, w := range p.ways {
			if _, _, ok := d.findWay(w); !ok {
				missing = append(missing, w)
			}
		}
		known = append(known, p)
	}
	clear(d.polygons[len(known):])
	d.polygons = known
	return missing
}

// kindByWays takes the kind of a polygon without tags from its ways, as was
// the custom until 2017.
func (d *draft) kindByWays(p *draftPolygon) bool {
	for _, w := range p.ways {
		if _, s, ok := d.findWay(w); ok && s != nil && s.kind.IsArea() {
			p.kind, p.name, p.known = s.kind, cmp.Or(p.name, s.name), true
			return true
		}
	}
	return false
}

// buildBasemap makes the background of shapes, polygons and places.
func (imp *importer) buildBasemap(ctx context.Context) error {
	p := &painter{imp: imp, builder: basemap.NewBuilder()}
	steps := []func(context.Context) error{p.addPolygons, p.addShapes, p.addPlaces}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	imp.draft.shapes, imp.draft.polygons, imp.draft.lines = nil, nil, nil
	m, err := p.builder.Build(ctx)
	imp.basemap = m
	return err
}

// painter adds features to the background, reusing its memory.
type painter struct {
	imp     *importer
	builder *basemap.Builder
	ids     []int64
	coords  []roadnet.Coord
	rings   [][]roadnet.Coord
}

func (p *painter) addPolygons(ctx context.Context) error {
	d := p.imp.draft
	for i := range d.polygons {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.addPolygon(&d.polygons[i]); err != nil {
			return err
		}
	}
	return nil
}

// addPolygon joins the ways of a multipolygon into rings. Which ring is an
// outer one need not be known: the even-odd rule fills them alike.
func (p *painter) addPolygon(poly *draftPolygon) error {
	d, odd := p.imp.draft, &p.imp.notes.odd
	k := objectKey{objectRelation, poly.id}
	var lines [][]int64
	missing := false
	for _, w := range poly.ways {
		refs, shape, ok := d.findWay(w)
		if !ok {
			missing = true
			continue
		}
		lines = append(lines, d.refs.append(refs, nil))
		if shape != nil && shape.kind == poly.kind {
			shape.inPoly = true
		}
	}
	rings, open := joinRings(lines)
	switch {
	case missing:
		odd.add(oddMember, k)
	case open > 0:
		odd.add(oddPolygon, k)
	}
	p.coords, p.rings = p.coords[:0], p.rings[:0]
	for _, r := range rings {
		p.addRing(r)
	}
	return p.add(basemap.Feature{Kind: poly.kind, Name: poly.name, Rings: p.rings})
}

func (p *painter) addShapes(ctx context.Context) error {
	d := p.imp.draft
	for i := range d.shapes {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := &d.shapes[i]
		if s.open || s.inPoly {
			continue
		}
		p.ids = d.refs.append(s.refs, p.ids[:0])
		p.coords, p.rings = p.coords[:0], p.rings[:0]
		p.addRing(p.ids)
		if err := p.add(basemap.Feature{Kind: s.kind, Name: s.name, Rings: p.rings}); err != nil {
			return err
		}
	}
	return nil
}

func (p *painter) addPlaces(context.Context) error {
	places := p.imp.table.places
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.id, b.id) })
	places = slices.CompactFunc(places, func(a, b place) bool { return a.id == b.id })
	for _, pl := range places {
		p.coords, p.rings = append(p.coords[:0], pl.coord), p.rings[:0]
		p.rings = append(p.rings, p.coords)
		if err := p.add(basemap.Feature{Kind: basemap.Place, Rank: pl.rank, Name: p.imp.draft.text(pl.name), Rings: p.rings}); err != nil {
			return err
		}
	}
	return nil
}

// addRing looks up the nodes of a ring or line; missing ones are left out.
func (p *painter) addRing(ids []int64) {
	start := len(p.coords)
	for _, id := range ids {
		slot, ok := p.imp.table.lookup(id)
		if !ok {
			p.imp.notes.odd.add(oddMissingArea, objectKey{objectNode, id})
			continue
		}
		p.coords = append(p.coords, p.imp.table.coords[slot])
	}
	p.rings = append(p.rings, p.coords[start:len(p.coords):len(p.coords)])
}

func (p *painter) add(f basemap.Feature) error {
	added, err := p.builder.Add(f)
	if added {
		p.imp.notes.kept.item("background: "+f.Kind.String()).Count++
	}
	return err
}
