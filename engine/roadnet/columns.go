package roadnet

// Column is one array of a network's content, for storage. Data is one of
// []uint8, []int8, []uint16, []uint32, []int32, []int64, []uint64, []float32.
type Column struct {
	Name string
	Data any
}

// columns is the content of a network: what is stored and fingerprinted.
// Everything else is derived from it.
type columns struct {
	// Per line.
	lineStart []uint32 // first vertex; one more entry than lines
	lineWay   []int64
	lineFrom  []uint32 // node; numbered in order of appearance
	lineTo    []uint32
	lineDir   []uint8 // Direction
	class     []uint8
	flags     []uint32
	layer     []int8
	lanes     []uint8
	limitF    []uint8
	limitB    []uint8
	name      []uint32 // text
	ref       []uint32 // text

	// Per vertex. No two vertices in a row are at the same place.
	coords  []Coord
	vertOSM []int64
	vertFlg []uint16

	// Texts: names and refs. Text 0 is empty.
	textStart []uint32 // one more entry than texts
	text      string

	component []uint32 // per segment

	// Forbidden turns, pairs of segments in ascending order. A segment and its
	// reverse: no U-turn.
	turnFrom []uint32
	turnTo   []uint32

	// Forbidden paths, three segments or more each.
	pathStart []uint32 // one more entry than paths
	pathSeg   []uint32

	stretches stretchColumns
}

// stretchColumns holds the stretches where an elevated line runs close above
// a lower one, in the metres of both lines.
type stretchColumns struct {
	deck, ground         []uint32 // lines
	deckFrom, deckTo     []float32
	groundFrom, groundTo []float32
	against              []uint8 // 1: the vertices of the two lines run in opposite directions
}
