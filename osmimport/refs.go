package osmimport

import (
	"encoding/binary"

	"github.com/paulmach/osm"
)

// refStore holds the node ids of ways, as differences of two to three bytes
// each.
type refStore struct {
	data  []byte
	count int
	ids   []int64
}

// span is where the ids of one way lie.
type span struct {
	start uint64
	count uint32
}

// add appends the nodes of a way.
func (s *refStore) add(ids []int64) span {
	at := span{uint64(len(s.data)), uint32(len(ids))}
	last := int64(0)
	for _, id := range ids {
		s.data = binary.AppendVarint(s.data, id-last)
		last = id
	}
	s.count += len(ids)
	return at
}

// addWay appends the nodes of a way as the library gives them.
func (s *refStore) addWay(nodes osm.WayNodes) span {
	s.ids = s.ids[:0]
	for _, n := range nodes {
		s.ids = append(s.ids, int64(n.ID))
	}
	return s.add(s.ids)
}

// append appends the ids of a way to buf.
func (s *refStore) append(at span, buf []int64) []int64 {
	data, id := s.data[at.start:], int64(0)
	for range at.count {
		d, n := binary.Varint(data)
		data = data[n:]
		id += d
		buf = append(buf, id)
	}
	return buf
}
