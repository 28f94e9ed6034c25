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
}

// span is where the ids of one way lie.
type span struct {
	start uint64
	count uint32
}

// add appends the nodes of a way.
func (s *refStore) add(nodes osm.WayNodes) span {
	at := span{uint64(len(s.data)), uint32(len(nodes))}
	last := int64(0)
	for _, n := range nodes {
		s.data = binary.AppendVarint(s.data, int64(n.ID)-last)
		last = int64(n.ID)
	}
	s.count += len(nodes)
	return at
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
