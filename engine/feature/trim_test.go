package feature

import (
	"slices"
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// What is left of samples when they are trimmed is all that there was.
func TestTrimLeavesOutNothingButEmptyPlaces(t *testing.T) {
	net := roadnettest.GridCity(12)
	m, err := NewPointMaker(net, Settings{Delta: 150, Gamma: 30, SubCap: 64})
	if err != nil {
		t.Fatal(err)
	}
	c := net.Info().Bounds.Center()
	var samples []trajectory.Sample
	for i := range 5 {
		samples = append(samples, trajectory.Sample{Time: int64(i) * 60_000, Lon: c.Lon + float64(i)*0.003, Lat: c.Lat})
	}
	var whole, p Points
	m.Fill(&whole, samples)
	m.Fill(&p, samples)
	p.Trim()
	if p.Sub >= whole.Sub || p.Neighbours >= whole.Neighbours || p.Sub < 2 || p.Neighbours < 2 {
		t.Fatalf("%d of %d places, %d of %d neighbours are left", p.Sub, whole.Sub, p.Neighbours, whole.Neighbours)
	}
	for i := range samples {
		for j := range whole.Sub {
			k, at := i*p.Sub+j, i*whole.Sub+j
			if j >= p.Sub {
				if whole.Weights[at] != 0 {
					t.Errorf("segment %d of sample %d is left out", j, i)
				}
				continue
			}
			wide := p.PairColumns
			if p.Segments[k] != whole.Segments[at] || p.Weights[k] != whole.Weights[at] || !slices.Equal(p.Pairs[k*wide:(k+1)*wide], whole.Pairs[at*wide:(at+1)*wide]) {
				t.Errorf("segment %d of sample %d is another one", j, i)
			}
			for of, some := range map[*[]int32][]int32{&whole.SubSuccessors: p.SubSuccessors, &whole.SubPredecessors: p.SubPredecessors} {
				left, all := neighboursAt(some, k, p.Neighbours, p.Sub), neighboursAt(*of, at, whole.Neighbours, whole.Sub)
				if !slices.Equal(left, all) {
					t.Errorf("neighbours of segment %d of sample %d are %v, were %v", j, i, left, all)
				}
			}
		}
	}
}

// neighboursAt are the neighbours of a place, without the empty ones.
func neighboursAt(all []int32, at, cap, nobody int) []int32 {
	return slices.DeleteFunc(slices.Clone(all[at*cap:(at+1)*cap]), func(k int32) bool { return int(k) == nobody })
}
