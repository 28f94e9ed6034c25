package roadnet_test

import (
	"testing"

	"retrace/engine/roadnet"
)

func TestDrivenPiecesOfAPath(t *testing.T) {
	for _, c := range []struct {
		i, n     int
		from, to float64
	}{
		{0, 3, 0.25, 1}, {1, 3, 0, 1}, {2, 3, 0, 0.75},
		{0, 1, 0.25, 0.75},
	} {
		if from, to := roadnet.Driven(c.i, c.n, 0.25, 0.75); from != c.from || to != c.to {
			t.Errorf("segment %d of %d is driven from %v to %v instead of %v to %v", c.i, c.n, from, to, c.from, c.to)
		}
	}
}
