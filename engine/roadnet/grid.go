package roadnet

// CellSize is the side of a grid cell in metres.
const CellSize = 50

// Cell is a square of the network's grid, counted east and north from the
// south-west corner of its bounds.
type Cell struct{ X, Y int32 }

type grid struct{}

// GridSize is the number of columns and rows of the grid.
func (n *Network) GridSize() (columns, rows int32) { return 0, 0 }

// CellAt is the grid cell that a point lies in.
func (n *Network) CellAt(p Point) Cell { return Cell{} }

// Cells appends the grid cells that a segment passes, in driving order.
func (n *Network) Cells(id SegmentID, buf []Cell) []Cell { return buf }
