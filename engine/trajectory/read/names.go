package read

import (
	"hash/fnv"
	"strconv"
)

// namer gives every trajectory of one reading an id of its own: the first keeps
// its id, the next with the same get #2, #3 and so on. It remembers hashes, not
// names; two names that share one cost no more than a needless #2.
//
// The names that a file took are free again where the file fails, so that the
// others are called the same with it and without it.
type namer struct {
	seen map[uint64]int32
	log  []uint64 // taken since begin
}

func newNamer() *namer { return &namer{seen: map[uint64]int32{}} }

// begin begins a file, and undo takes back what it took.
func (n *namer) begin() { n.log = n.log[:0] }

func (n *namer) undo() {
	for _, key := range n.log {
		delete(n.seen, key)
	}
	n.begin()
}

func (n *namer) unique(id string) string {
	key := hashOf(id)
	count := n.seen[key]
	name := id
	for n.seen[hashOf(name)] > 0 {
		count++
		name = id + "#" + strconv.Itoa(int(count))
	}
	n.take(key, count)
	n.take(hashOf(name), 1)
	return name
}

// take remembers how often a name was taken.
func (n *namer) take(key uint64, count int32) {
	before, known := n.seen[key]
	if !known {
		n.log = append(n.log, key)
	}
	n.seen[key] = max(before, count, 1)
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}
