package roadnet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Builder makes a [Network] from ways and restrictions. Use [NewBuilder].
type Builder struct {
	ways         []rawWay
	nodes        []int64 // vertices of all ways
	coords       []Coord
	flags        []VertexFlags
	texts        textTable
	restrictions []Restriction
}

// rawWay is a way as it was added.
type rawWay struct {
	id          int64
	road        Road // without its texts
	name, ref   uint32
	dir         Direction
	first, last uint32 // vertices; last is one past the end
}

// maxVertices is how many vertices a network can have: line and segment
// numbers must fit 32 bits.
const maxVertices = 1 << 30

// NewBuilder makes an empty builder.
func NewBuilder() *Builder { return &Builder{texts: newTextTable()} }

// AddWay adds a drivable way. It copies what it needs. The error names the
// way and says why it cannot be taken; the builder stays usable without it.
func (b *Builder) AddWay(w Way) error {
	switch {
	case len(w.Coords) != len(w.Nodes) || len(w.Flags) != len(w.Nodes):
		return fmt.Errorf("way %d: %d nodes, %d coordinates and %d vertex flags, which must be as many",
			w.ID, len(w.Nodes), len(w.Coords), len(w.Flags))
	case w.Road.Class >= NumClasses:
		return fmt.Errorf("way %d: unknown class %d", w.ID, w.Road.Class)
	case w.Dir > Backward:
		return fmt.Errorf("way %d: unknown direction %d", w.ID, w.Dir)
	case len(b.nodes)+len(w.Nodes) > maxVertices:
		return fmt.Errorf("way %d: a network cannot have more than %d vertices", w.ID, maxVertices)
	}
	for i, c := range w.Coords {
		if !c.onEarth() {
			return fmt.Errorf("way %d: node %d lies at %v, outside the earth", w.ID, w.Nodes[i], c.Point())
		}
	}
	name, err := b.texts.add(w.Road.Name)
	if err != nil {
		return fmt.Errorf("way %d: name: %w", w.ID, err)
	}
	ref, err := b.texts.add(w.Road.Ref)
	if err != nil {
		return fmt.Errorf("way %d: ref: %w", w.ID, err)
	}
	raw := rawWay{id: w.ID, road: w.Road, name: name, ref: ref, dir: w.Dir, first: uint32(len(b.nodes))}
	raw.road.Name, raw.road.Ref = "", ""
	b.nodes = append(b.nodes, w.Nodes...)
	b.coords = append(b.coords, w.Coords...)
	b.flags = append(b.flags, w.Flags...)
	raw.last = uint32(len(b.nodes))
	b.ways = append(b.ways, raw)
	return nil
}

// onEarth reports whether a coordinate lies within -180 to 180 and -90 to 90 degrees.
func (c Coord) onEarth() bool {
	const pole = 900_000_000
	return c.Lon >= -halfTurn && c.Lon <= halfTurn && c.Lat >= -pole && c.Lat <= pole
}

// AddRestriction adds a turn restriction, copied. Its ways may come before or
// after it.
func (b *Builder) AddRestriction(r Restriction) {
	r.From, r.To, r.ViaWays = slices.Clone(r.From), slices.Clone(r.To), slices.Clone(r.ViaWays)
	b.restrictions = append(b.restrictions, r)
}

// Build makes the network: it splits the ways at junctions, ends and barriers,
// sorts the lines along a Hilbert curve, applies the restrictions, and finds
// the components and the elevated stretches. Bounds, Segments, Nodes and
// Fingerprint of info are filled in. The result does not depend on the order
// in which ways and restrictions were added, but for ways that share an id.
// The error is the context's. The builder is empty afterwards.
func (b *Builder) Build(ctx context.Context, info Info) (*Network, BuildReport, error) {
	report := BuildReport{}
	n := &Network{info: info}
	steps := []func(){
		func() { b.dropWays(&report) },
		func() { n.columns = b.split(ctx, &report); n.forgetSameClass() },
		func() { b.restrict(n, &report) },
		func() { n.derive() },
		func() { n.component = findComponents(n); n.countComponents() },
		func() { n.findStretches(ctx); n.indexStretches() },
		func() { n.info.Fingerprint = fingerprint(&n.columns) },
	}
	defer func() { *b = *NewBuilder() }()
	for _, step := range steps {
		step()
		if err := ctx.Err(); err != nil {
			return nil, BuildReport{}, err
		}
	}
	return n, report, nil
}

// dropWays leaves out ways that share an id, and sorts the rest by id.
func (b *Builder) dropWays(report *BuildReport) {
	slices.SortStableFunc(b.ways, func(a, c rawWay) int { return cmp.Compare(a.id, c.id) })
	b.ways = slices.CompactFunc(b.ways, func(a, c rawWay) bool {
		if a.id == c.id {
			report.DuplicateWays.add(c.id)
		}
		return a.id == c.id
	})
}

// forgetSameClass takes the class of a network's roads as unknown where all are
// unclassified: programs that know no classes write that of every road.
func (c *columns) forgetSameClass() {
	for _, class := range c.class {
		if Class(class) != Unclassified {
			return
		}
	}
	for i := range c.class {
		c.class[i] = uint8(ClassUnknown)
	}
}
