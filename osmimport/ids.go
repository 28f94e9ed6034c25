package osmimport

import (
	"context"
	"slices"
)

// idSet is a set of ids in ascending order, with a table that leads close to
// the place of each.
type idSet struct {
	ids   []int64
	shift uint
	first []uint32 // by (id - ids[0]) >> shift: the first place to look
}

// newIDSet sorts ids, which it takes over, and removes what comes twice.
func newIDSet(ctx context.Context, ids []int64) (*idSet, error) {
	ids, err := sortIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	s := &idSet{ids: slices.Compact(ids)}
	s.index()
	return s, nil
}

// index builds the table, with about one entry for four ids.
func (s *idSet) index() {
	if len(s.ids) == 0 {
		return
	}
	span := uint64(s.ids[len(s.ids)-1]) - uint64(s.ids[0])
	for span>>s.shift > uint64(len(s.ids)/4) {
		s.shift++
	}
	s.first = make([]uint32, span>>s.shift+2)
	cell := 0
	for i, id := range s.ids {
		for c := int((uint64(id) - uint64(s.ids[0])) >> s.shift); cell <= c; cell++ {
			s.first[cell] = uint32(i)
		}
	}
	for ; cell < len(s.first); cell++ {
		s.first[cell] = uint32(len(s.ids))
	}
}

// find is the place of an id in the set.
func (s *idSet) find(id int64) (int, bool) {
	if len(s.ids) == 0 || id < s.ids[0] || id > s.ids[len(s.ids)-1] {
		return 0, false
	}
	c := (uint64(id) - uint64(s.ids[0])) >> s.shift
	lo, hi := int(s.first[c]), int(s.first[c+1])
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.ids[mid] < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(s.ids) && s.ids[lo] == id
}

func (s *idSet) has(id int64) bool {
	_, ok := s.find(id)
	return ok
}

// anyIn reports whether the set holds an id from lo to hi.
func (s *idSet) anyIn(lo, hi int64) bool {
	i, _ := slices.BinarySearch(s.ids, lo)
	return i < len(s.ids) && s.ids[i] <= hi
}

// sortIDs sorts by digits of 11 bits, in time that grows with the number of
// ids only, and stops when ctx ends. It takes ids over.
func sortIDs(ctx context.Context, ids []int64) ([]int64, error) {
	const bits, buckets = 11, 1 << 11
	from, to := ids, make([]int64, len(ids))
	for shift := uint(0); shift < 64; shift += bits {
		var start [buckets]int
		for _, id := range from {
			start[digit(id, shift)%buckets]++
		}
		if len(from) == 0 || start[digit(from[0], shift)%buckets] == len(from) {
			continue // all alike
		}
		sum := 0
		for i, n := range start {
			start[i], sum = sum, sum+n
		}
		for part := range slices.Chunk(from, sortStep) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, id := range part {
				d := digit(id, shift) % buckets
				to[start[d]] = id
				start[d]++
			}
		}
		from, to = to, from
	}
	return from, ctx.Err()
}

// sortStep is how many ids are moved before looking whether to go on.
const sortStep = 1 << 20

// digit is the id from a bit on, with the sign turned round so that negative
// ids come first.
func digit(id int64, shift uint) uint64 { return (uint64(id) ^ 1<<63) >> shift }
