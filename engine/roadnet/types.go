package roadnet

import "math"

// SegmentID numbers the segments of one network from 0. A two-way road is two
// segments with consecutive ids.
type SegmentID uint32

// NodeID numbers the nodes (junctions and road ends) of one network from 0.
type NodeID uint32

// LineID numbers the lines (undirected geometries) of one network from 0.
type LineID uint32

// Point is a place on the earth, WGS 84 degrees (EPSG:4326).
type Point struct{ Lon, Lat float64 }

// Coord is a place as OpenStreetMap stores it: WGS 84 in 1e-7 degrees.
type Coord struct{ Lon, Lat int32 }

// Point converts to degrees.
func (c Coord) Point() Point { return Point{float64(c.Lon) * 1e-7, float64(c.Lat) * 1e-7} }

// CoordOf rounds a point to 1e-7 degrees.
func CoordOf(p Point) Coord {
	return Coord{int32(math.Round(p.Lon * 1e7)), int32(math.Round(p.Lat * 1e7))}
}

// Bounds is a box in degrees; the zero value is the empty box at 0, 0.
type Bounds struct{ MinLon, MinLat, MaxLon, MaxLat float64 }

// Contains reports whether p lies in the box, its border included.
func (b Bounds) Contains(p Point) bool {
	return p.Lon >= b.MinLon && p.Lon <= b.MaxLon && p.Lat >= b.MinLat && p.Lat <= b.MaxLat
}

// Intersects reports whether two boxes share a point.
func (b Bounds) Intersects(o Bounds) bool {
	return b.MinLon <= o.MaxLon && o.MinLon <= b.MaxLon && b.MinLat <= o.MaxLat && o.MinLat <= b.MaxLat
}

// Center is the middle of the box.
func (b Bounds) Center() Point { return Point{(b.MinLon + b.MaxLon) / 2, (b.MinLat + b.MaxLat) / 2} }

// Class is the level of a road: the paper's eight levels of f_r, and unknown.
type Class uint8

// The levels, the most important first.
const (
	ClassUnknown Class = iota
	Motorway
	Trunk
	Primary
	Secondary
	Tertiary
	Unclassified // minor through roads, and highway=road
	Residential  // living streets too
	Service
	NumClasses = iota
)

// String is the OSM value of the class.
func (c Class) String() string {
	names := [...]string{"unknown", "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "service"}
	if int(c) < len(names) {
		return names[c]
	}
	return names[0]
}

// Flags says what else is known of a line.
type Flags uint32

const (
	FlagLink Flags = 1 << iota
	FlagRoundabout
	FlagBridge
	FlagTunnel
	FlagPrivate      // access=private: kept, for trips that start or end there
	FlagDestination  // access=destination, customers, delivery, permit
	FlagParkingAisle // service=parking_aisle
	FlagDriveway     // service=driveway
	FlagAlley        // service=alley
	FlagLivingStreet
	FlagLayerAssumed // bridge without a layer tag on a major road: layer 1 assumed
	FlagElevated     // a bridge, layer >= 1, secondary or above; set by the builder
	FlagAmbiguous    // elevated, with a lower road close below for some stretch; set by the builder
	FlagUnpaved
	FlagToll
)

// Has reports whether all the given flags are set.
func (f Flags) Has(g Flags) bool { return f&g == g }

// VertexFlags says what stands at a vertex of a line.
type VertexFlags uint16

// Controls with a direction hold for traffic along the line (Forward), against
// it (Backward) or, with neither or both set, for both.
const (
	VertexSignal VertexFlags = 1 << iota
	VertexStop
	VertexGiveWay
	VertexCrossing
	VertexBusStop
	VertexCalming // bumps and the like
	VertexMiniRoundabout
	VertexBarrier // stops cars: the line ends here and joins nothing
	VertexForward
	VertexBackward
	VertexTollBooth
)

// LimitUnknown and LimitNone are the special values of a speed limit in km/h.
const (
	LimitUnknown uint8 = 0
	LimitNone    uint8 = 255 // maxspeed=none
	LimitWalk    uint8 = 5   // maxspeed=walk
)

// Road is what the tags of a way say of the whole of it.
type Road struct {
	Class         Class
	Flags         Flags
	Layer         int8
	Lanes         uint8 // 0: unknown
	LimitForward  uint8 // km/h, or LimitUnknown, LimitNone
	LimitBackward uint8
	Name, Ref     string
}

// Direction says in which directions cars may drive a way.
type Direction uint8

const (
	BothWays Direction = iota
	Forward
	Backward
)

// Way is one drivable OSM way as it goes into a [Builder]. The builder copies
// what it needs; the slices may be reused.
type Way struct {
	ID     int64
	Dir    Direction
	Road   Road
	Nodes  []int64       // OSM node ids, in order
	Coords []Coord       // same length as Nodes
	Flags  []VertexFlags // same length as Nodes
}

// Restriction is a turn restriction. Only restrictions that hold for cars at
// all times go into a [Builder].
type Restriction struct {
	ID       int64   // OSM relation id
	Only     bool    // only_*: every other turn is forbidden; else no_*
	From, To []int64 // way ids (no_entry has several from, no_exit several to)
	ViaNode  int64   // used when ViaWays is empty
	ViaWays  []int64
}

// Position is a place on a network: a segment and how far along it, 0 to 1.
type Position struct {
	Segment SegmentID
	Ratio   float64
}

// Driven is the piece of segment i of the n of a path that is driven, in ratios of
// its length. The path begins at ratio start of its first segment and ends at
// ratio end of its last; between them segments are driven whole. On a path of one
// segment to may lie before from, where a vehicle was seen to move backwards.
func Driven(i, n int, start, end float64) (from, to float64) {
	to = 1
	if i == 0 {
		from = start
	}
	if i == n-1 {
		to = end
	}
	return from, to
}

// Hit is a segment found near a point.
type Hit struct {
	Position
	Distance float64 // metres, from the point to the position
	Side     int8    // +1: the point lies right of the driving direction, -1 left, 0 on it
}
