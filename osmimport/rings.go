package osmimport

import "slices"

// joinRings joins lines at their ends into closed rings. open counts the
// chains that do not close; they are left out.
func joinRings(lines [][]int64) (rings [][]int64, open int) {
	ends := map[int64][]int{} // by end node: the lines that are not closed
	for i, l := range lines {
		switch {
		case len(l) < 2:
		case l[0] == l[len(l)-1]:
			rings = append(rings, l)
		default:
			ends[l[0]] = append(ends[l[0]], i)
			ends[l[len(l)-1]] = append(ends[l[len(l)-1]], i)
		}
	}
	used := make([]bool, len(lines))
	for i, l := range lines {
		if used[i] || len(l) < 2 || l[0] == l[len(l)-1] {
			continue
		}
		if ring, closed := followRing(lines, ends, used, i); closed {
			rings = append(rings, ring)
		} else {
			open++
		}
	}
	return rings, open
}

// followRing goes on from a line over lines not yet used until it is back.
func followRing(lines [][]int64, ends map[int64][]int, used []bool, first int) (ring []int64, closed bool) {
	used[first] = true
	ring = slices.Clone(lines[first])
	for {
		end := ring[len(ring)-1]
		if end == ring[0] {
			return ring, true
		}
		next, ok := takeUnused(ends, used, end)
		if !ok {
			return nil, false
		}
		used[next] = true
		l := lines[next]
		if l[0] == end {
			ring = append(ring, l[1:]...)
			continue
		}
		for j := len(l) - 2; j >= 0; j-- {
			ring = append(ring, l[j])
		}
	}
}

// takeUnused is a line not yet used that ends at a node.
func takeUnused(ends map[int64][]int, used []bool, node int64) (int, bool) {
	list := ends[node]
	for len(list) > 0 && used[list[0]] {
		list = list[1:]
	}
	ends[node] = list
	if len(list) == 0 {
		return 0, false
	}
	return list[0], true
}
