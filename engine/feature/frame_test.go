package feature

import (
	"math"
	"testing"

	"retrace/engine/roadnet"
)

// frame is one of two by three cells of 50 m on the equator, whose edges lie a little
// beyond the last cell.
func frame() Frame {
	return Frame{Origin: [2]float64{10, 0}, Scale: [2]float64{100_000, 100_000}, Half: [2]float64{49, 74}, Cell: 50, Columns: 2, Rows: 3}
}

func TestCellsAreCountedFromTheSouthWestRowByRow(t *testing.T) {
	for _, c := range []struct {
		east, north float64 // metres
		want        int32
	}{
		{-48.9, -73.9, 0}, {1.1, -73.9, 1}, {-48.9, -23.9, 2}, {1.1, 26.1, 5}, {50.9, 75.9, 5},
		{-49.1, 0, 6}, {51.1, 0, 6}, {0, -74.1, 6}, {0, 76.1, 6}, {1e9, 1e9, 6}, {math.NaN(), 0, 6},
	} {
		p := roadnet.Point{Lon: 10 + c.east/100_000, Lat: c.north / 100_000}
		if got := frame().CellOf(p); got != c.want {
			t.Errorf("%v m east, %v m north lies in cell %d, want %d", c.east, c.north, got, c.want)
		}
	}
	if x, y := frame().XY(roadnet.Point{Lon: 10.01, Lat: -0.02}); math.Abs(float64(x)-1) > 1e-6 || math.Abs(float64(y)+2) > 1e-6 {
		t.Errorf("at %v, %v km, want 1, -2", x, y)
	}
}

func TestFramesThatAreNoneAreRefused(t *testing.T) {
	if err := frame().Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*Frame){
		"no middle":      func(f *Frame) { f.Origin[1] = math.NaN() },
		"no scale":       func(f *Frame) { f.Scale[0] = 0 },
		"no edges":       func(f *Frame) { f.Half[1] = -1 },
		"no cells":       func(f *Frame) { f.Cell = 0 },
		"no rows":        func(f *Frame) { f.Rows = 0 },
		"too many cells": func(f *Frame) { f.Columns, f.Rows = 1<<20, 1<<20 },
	} {
		f := frame()
		spoil(&f)
		if f.Check() == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
