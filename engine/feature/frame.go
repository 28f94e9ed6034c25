package feature

import (
	"fmt"
	"math"

	"retrace/engine/roadnet"
)

// Frame is the flat map of one city, and the grid over it, that a system with
// tables of the city's cells knows samples by: the grid index that the paper puts
// beside the time of a sample (after eq. 8). It belongs to a bundle.
type Frame struct {
	Origin  [2]float64 `json:"origin"` // longitude and latitude of the middle, degrees
	Scale   [2]float64 `json:"scale"`  // metres of a degree east and north
	Half    [2]float64 `json:"half"`   // metres from the middle to the edges of the grid, east and north
	Cell    float64    `json:"cell"`   // side of a cell, metres
	Columns int        `json:"columns"`
	Rows    int        `json:"rows"`
}

// mostCells bounds the grid of a frame.
const mostCells = 1 << 28

// Check refuses a frame that no sample can be placed in.
func (f Frame) Check() error {
	for axis := range 2 {
		if !finite(f.Origin[axis]) || !(f.Scale[axis] > 0 && f.Scale[axis] < 1e6) || !(f.Half[axis] > 0 && f.Half[axis] < 1e7) {
			return fmt.Errorf("its map around %v with %v metres a degree and edges at %v metres is none", f.Origin, f.Scale, f.Half)
		}
	}
	if !(f.Cell > 0) || f.Columns < 1 || f.Rows < 1 || f.Columns > mostCells/f.Rows {
		return fmt.Errorf("its grid of %d by %d cells of %v m is none", f.Columns, f.Rows, f.Cell)
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// metres east and north of the middle.
func (f Frame) metres(p roadnet.Point) (east, north float64) {
	return (p.Lon - f.Origin[0]) * f.Scale[0], (p.Lat - f.Origin[1]) * f.Scale[1]
}

// XY is a place in kilometres east and north of the middle.
func (f Frame) XY(p roadnet.Point) (east, north float32) {
	x, y := f.metres(p)
	return float32(x / 1000), float32(y / 1000)
}

// CellOf is the number of the cell of a place: row by row from the south-west;
// the number of all cells for whatever lies outside.
func (f Frame) CellOf(p roadnet.Point) int32 {
	x, y := f.metres(p)
	column, row := math.Floor((x+f.Half[0])/f.Cell), math.Floor((y+f.Half[1])/f.Cell)
	if !(column >= 0 && row >= 0 && column < float64(f.Columns) && row < float64(f.Rows)) {
		return int32(f.Columns * f.Rows)
	}
	return int32(row)*int32(f.Columns) + int32(column)
}
