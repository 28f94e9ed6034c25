package render

import (
	"image/color"
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// Base is a network and its background made ready to be drawn at any zoom. It
// is immutable: several painters may share one.
type Base struct {
	net     *roadnet.Network
	roads   roads
	areas   [basemap.NumKinds]features
	lift    float64 // see roadStyles
	builtUp bool    // the background tells built-up areas from open land

	streets, numbers streets // to write names and road numbers along
	waterSpots       []waterSpot
}

// NewBase prepares a network and its background; either may be nil. It takes
// some tenths of a second for a large city.
func NewBase(net *roadnet.Network, bm *basemap.Map) *Base {
	b := &Base{net: net}
	if net != nil {
		b.roads = newRoads(net)
		b.lift = b.roads.lift()
		b.streets = newStreets(net, func(r roadnet.Road) string { return r.Name })
		b.numbers = newStreets(net, firstNumber)
	}
	if bm != nil {
		for k := range basemap.Kind(basemap.NumKinds) {
			b.areas[k] = newFeatures(bm, k)
		}
		b.waterSpots = newWaterSpots(&b.areas[basemap.Water])
		b.builtUp = b.areas[basemap.BuiltUp].coverage(b.extent()) > mostlyOpen
	}
	return b
}

// extent is the box around roads and background.
func (b *Base) extent() extent {
	box := nowhere
	for _, k := range b.roads.blocks {
		box = box.union(k.box)
	}
	for i := range b.areas {
		for _, k := range b.areas[i].blocks {
			box = box.union(k.box)
		}
	}
	return box
}

// firstNumber is the first of a road's numbers; a sign shows no more.
func firstNumber(r roadnet.Road) string {
	number, _, _ := strings.Cut(r.Ref, ";")
	number = strings.TrimSpace(number)
	if utf8.RuneCountInString(number) > longestNumber || r.Flags.Has(roadnet.FlagLink) {
		return ""
	}
	return number
}

// longestNumber is how many letters fit a sign.
const longestNumber = 8

// land is the colour of the ground: where an extract says little of built-up
// areas, roads stand out better against theirs.
func (b *Base) land(t *Theme) color.NRGBA {
	if b.builtUp {
		return t.Land
	}
	return t.BuiltUp
}

// mostlyOpen is the share of an extract that built-up areas must cover for open
// land to be told apart from them.
const mostlyOpen = 0.08

// coverage is the share of the features' own box that their areas cover.
func (fs *features) coverage(box extent) float64 {
	var sum float64
	for i := range fs.boxes {
		sum += fs.area(uint32(i))
	}
	return sum / (float64(box.maxX-box.minX) * float64(box.maxY-box.minY))
}

// area is that of a feature's largest ring, in square units.
func (fs *features) area(i uint32) (sum float64) {
	for r := fs.rings[i]; r < fs.rings[i+1]; r++ {
		ring := fs.places[fs.start(r):fs.ends[r]]
		var twice float64
		for k := range ring {
			a, b := ring[k], ring[(k+1)%len(ring)]
			twice += (float64(b.X) - float64(a.X)) * (float64(b.Y) + float64(a.Y) - 2*float64(ring[0].Y))
		}
		sum = math.Max(sum, math.Abs(twice)/2)
	}
	return sum
}

// blockSize is how many neighbours share a box in the index.
const blockSize = 32

// block is a run of consecutive items and the box around them.
type block struct {
	box      extent
	from, to uint32
	look     roadLook // of roads
}

// roads are the lines of a network, those of one look together.
type roads struct {
	geometry
	line   []roadnet.LineID
	level  []level
	arrow  []int8 // 1 one-way along the line, -1 against it, 0 both ways
	blocks []block
	length [numRoadLooks]float64 // metres
}

// level is the storey on which a line is drawn.
type level uint8

const (
	tunnels level = iota
	ground
	bridges             // of layer 1 and less
	topLevel  level = 4 // bridges of layer 3 and more
	numLevels       = topLevel + 1
)

func levelOf(r roadnet.Road) level {
	switch {
	case r.Flags.Has(roadnet.FlagTunnel):
		return tunnels
	case r.Flags.Has(roadnet.FlagBridge):
		return min(bridges+level(max(r.Layer, 1)-1), topLevel)
	}
	return ground
}

func newRoads(net *roadnet.Network) roads {
	n := net.NumLines()
	looks := make([]roadLook, n)
	order := make([]roadnet.LineID, n)
	for i := range order {
		l := roadnet.LineID(i)
		r := net.LineRoad(l)
		looks[i], order[i] = lookOf(r.Class, r.Flags), l
	}
	sort.SliceStable(order, func(i, j int) bool { return looks[order[i]] < looks[order[j]] })
	r := roads{line: order, level: make([]level, n), arrow: make([]int8, n)}
	vertices := 0
	for _, l := range order {
		vertices += len(net.LineCoords(l))
	}
	r.room(vertices, n)
	for i, l := range order {
		box := r.add(net.LineCoords(l), false)
		r.level[i] = levelOf(net.LineRoad(l))
		r.arrow[i] = oneWay(net, l)
		r.length[looks[l]] += net.LineLength(l)
		r.blocks = extend(r.blocks, uint32(i), box, looks[l])
	}
	return r
}

// extend puts an item into the last block, or a new one.
func extend(blocks []block, i uint32, box extent, look roadLook) []block {
	if n := len(blocks); n > 0 && blocks[n-1].look == look && blocks[n-1].to-blocks[n-1].from < blockSize {
		b := &blocks[n-1]
		b.box, b.to = b.box.union(box), i+1
		return blocks
	}
	return append(blocks, block{box: box, from: i, to: i + 1, look: look})
}

func oneWay(net *roadnet.Network, l roadnet.LineID) int8 {
	switch _, _, forward, backward := net.LineSegments(l); {
	case forward && !backward:
		return 1
	case backward && !forward:
		return -1
	}
	return 0
}

// lift is by how much the roads appear earlier: the most important look of some
// weight is to show at every zoom.
func (r *roads) lift() float64 {
	var total float64
	for _, l := range r.length {
		total += l
	}
	for look := lookMotorway; look > 0; look-- {
		if r.length[look] > 0.02*total {
			return widthOf(look).from - widthOf(lookMotorway).from
		}
	}
	return widthOf(lookService).from - widthOf(lookMotorway).from
}

// visit calls f with every run of items of which some may show.
func visit(blocks []block, view extent, f func(b block)) {
	for _, b := range blocks {
		if b.box.meets(view) {
			f(b)
		}
	}
}

// features are those of one kind of background.
type features struct {
	geometry
	rings  []uint32 // first ring of each feature, and one past the last
	boxes  []extent
	names  []string
	ranks  []uint8
	blocks []block
}

func newFeatures(bm *basemap.Map, k basemap.Kind) features {
	var fs features
	world := roadnet.Bounds{MinLon: -180, MinLat: -90, MaxLon: 180, MaxLat: 90}
	bm.Visit(world, k, func(f basemap.Feature) bool {
		fs.rings = append(fs.rings, uint32(len(fs.ends)))
		box := nowhere
		for _, ring := range f.Rings {
			box = box.union(fs.add(ring, k.IsArea()))
		}
		fs.blocks = extend(fs.blocks, uint32(len(fs.boxes)), box, 0)
		fs.boxes = append(fs.boxes, box)
		fs.names, fs.ranks = append(fs.names, f.Name), append(fs.ranks, f.Rank)
		return true
	})
	fs.rings = append(fs.rings, uint32(len(fs.ends)))
	fs.clip()
	return fs
}

// Land is the colour of the ground where nothing lies on it.
func (b *Base) Land(dark bool) color.NRGBA { return b.land(themeOf(dark)) }
