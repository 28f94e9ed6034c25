package render

import (
	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Scene is what there is to draw. Every part may be nil or empty.
type Scene struct {
	Network   *roadnet.Network
	Basemap   *basemap.Map
	Trips     []Trip
	Selection Item     // what is selected; all other trips fade
	Hover     Item     // what the pointer or a table row is over: outlined
	Marker    *Marker  // where playback stands
	Markers   []Marker // where it stands on many trips
	Links     []Link   // how segments were driven

	Shapes     []Shape     // that the user drew
	About      []Field     // that files of a picture carry: see Provenance
	Comparison *Comparison // stands in for the trip that it is of; nil: none
}

// Trip is one trajectory with what is known of it.
type Trip struct {
	Name       string                 // as the legend and the label say it; empty: the trajectory's id
	Trajectory *trajectory.Trajectory // nil where Kept is not
	Recovery   *trajectory.Recovery   // nil: not recovered
	Truth      [][]roadnet.Point      // driven path where known, one slice a part
	Pins       []Pin
	Kept       *Kept // stands in for trajectory and recovery, which are read when drawn; nil: these stand
}

// Pin is a road that the user fixed for one input sample, or forbade for it.
type Pin struct {
	Sample    int
	Segment   roadnet.SegmentID
	Forbidden bool
	At        roadnet.Point // where the pin stands
}

// Marker is a place on a trip at an instant of playback.
type Marker struct {
	Trip    string // id of the trajectory
	At      roadnet.Point
	Heading float64 // degrees clockwise from north
}

// ItemKind says what an [Item] is.
type ItemKind uint8

// The kinds of things on the map that can be hovered over and selected.
const (
	NoItem         ItemKind = iota
	TripItem                // a whole trip
	SampleItem              // an input point: Index into Trajectory.Samples
	TickItem                // a recovered point: Index into Recovery.Ticks
	SpanItem                // an elevated span: Index into Recovery.Spans
	RoadItem                // a segment of the network
	PlaceItem               // a bare place, e.g. of a found problem or a search
	DifferenceItem          // where two recoveries differ: Index into Comparison.Differences
	CandidateItem           // a road that an input point may lie on: Index into Trajectory.Samples, Segment, At on the road
)

// Item names one thing on the map.
type Item struct {
	Kind    ItemKind
	Trip    string            // id of the trajectory; empty for roads and places
	Index   int               // see ItemKind
	Segment roadnet.SegmentID // of a RoadItem or a CandidateItem
	At      roadnet.Point     // where it was hit, or where a PlaceItem lies
}

// Layers says which layers are shown.
type Layers uint32

// The layers. Up to the pins they stand in the order in which they are painted.
const (
	LayerBackground Layers = 1 << iota // water, green, built-up areas, railways, buildings
	LayerRoads
	LayerLabels       // names of streets, places and water, road numbers
	LayerTruth        // true paths, where known
	LayerPath         // recovered paths
	LayerAlternatives // of the selected point or gap
	LayerPoints       // recovered points
	LayerDecks        // elevated, below and uncertain stretches in their own look
	LayerInput        // input points
	LayerPins
	LayerLinks      // how often and how fast segments were driven: above the roads
	LayerComparison // where two recoveries differ

	AllLayers   = LayerComparison<<1 - 1
	BasicLayers = AllLayers &^ (LayerTruth | LayerLinks)
)

// Has reports whether all the given layers are shown.
func (l Layers) Has(m Layers) bool { return l&m == m }

// ColourBy says what the colour of a recovered path means.
type ColourBy uint8

// What a path can be coloured by.
const (
	ByDeck ColourBy = iota
	ByProbability
	BySpeed
	ByTime
	ByClass
	NumColourBy = iota
)
