package trajectory_test

import (
	"slices"
	"testing"

	"retrace/engine/trajectory"
)

func TestInstantsLieBetween(t *testing.T) {
	for _, c := range []struct {
		base, from, to int64
		want           []int64
	}{
		{0, 0, 45000, []int64{15000, 30000}}, // neither end
		{0, 1000, 31000, []int64{15000, 30000}},
		{7000, 7000, 8000, nil},
		{7000, 30000, 60000, []int64{37000, 52000}},
	} {
		if got := trajectory.Instants(c.base, c.from, c.to, 15000); !slices.Equal(got, c.want) {
			t.Errorf("from %d to %d, based on %d: %v, want %v", c.from, c.to, c.base, got, c.want)
		}
	}
}
