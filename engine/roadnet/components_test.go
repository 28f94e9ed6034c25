package roadnet_test

import (
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// Two segments are of one component exactly if each can be reached from the
// other.
func TestComponentsAgreeWithReachability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(0, 200).Draw(t, "seed"), 4)
		count := net.NumSegments()
		reach := make([][]bool, count)
		for s := range reach {
			reach[s] = reachable(net, roadnet.SegmentID(s))
		}
		sizes := make([]int, net.NumComponents())
		for a := range count {
			sizes[net.Component(roadnet.SegmentID(a))]++
			for b := range count {
				same := net.Component(roadnet.SegmentID(a)) == net.Component(roadnet.SegmentID(b))
				if same != (reach[a][b] && reach[b][a]) {
					t.Fatalf("segments %d and %d: of one component %v, reach %v and %v", a, b, same, reach[a][b], reach[b][a])
				}
			}
		}
		for i := range sizes {
			if sizes[i] == 0 || (i > 0 && sizes[i] > sizes[i-1]) {
				t.Fatalf("sizes %v", sizes)
			}
		}
	})
}

// reachable are the segments that can be driven to from one.
func reachable(net *roadnet.Network, from roadnet.SegmentID) []bool {
	seen := make([]bool, net.NumSegments())
	seen[from] = true
	for queue := []roadnet.SegmentID{from}; len(queue) > 0; queue = queue[1:] {
		next := net.Next(queue[0])
		if back, ok := net.Reverse(queue[0]); ok && net.UTurnAllowed(queue[0]) {
			next = append(next, back)
		}
		for _, s := range next {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	return seen
}

// A way of a hundred thousand pieces does not exhaust the stack.
func TestComponentsOfALongRoad(t *testing.T) {
	var ways []roadnet.Way
	for i := range int64(100_000) {
		ways = append(ways, way(i+1, []int64{i, i + 1}, int32(i), int32(i)+1))
	}
	if net := buildAll(ways, nil); net.NumComponents() != 1 {
		t.Errorf("%d components", net.NumComponents())
	}
}

func TestNextAndPrevAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64Range(0, 1000).Draw(t, "seed"), 6)
		type pair struct{ from, to roadnet.SegmentID }
		next, prev := make(map[pair]bool), make(map[pair]bool)
		for s := range roadnet.SegmentID(net.NumSegments()) {
			_, end := net.Ends(s)
			for _, b := range net.Next(s) {
				if start, _ := net.Ends(b); start != end {
					t.Fatalf("%d follows %d but starts elsewhere", b, s)
				}
				if back, ok := net.Reverse(s); ok && back == b {
					t.Fatalf("the reverse of %d is among Next", s)
				}
				next[pair{s, b}] = true
			}
			for _, a := range net.Prev(s) {
				prev[pair{a, s}] = true
			}
		}
		if len(next) != len(prev) {
			t.Fatalf("%d turns in Next, %d in Prev", len(next), len(prev))
		}
		for p := range next {
			if !prev[p] {
				t.Fatalf("%v is not in Prev", p)
			}
		}
	})
}
