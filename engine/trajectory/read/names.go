package read

import (
	"hash/fnv"
	"strconv"
)

// namer gives every trajectory of one reading an id of its own: the first keeps
// its id, the next with the same get #2, #3 and so on. It remembers hashes, not
// names; two names that share one cost no more than a needless #2.
type namer struct{ seen map[uint64]int32 }

func newNamer() *namer { return &namer{seen: map[uint64]int32{}} }

func (n *namer) unique(id string) string {
	key := hashOf(id)
	count := n.seen[key]
	name := id
	for n.seen[hashOf(name)] > 0 {
		count++
		name = id + "#" + strconv.Itoa(int(count))
	}
	n.seen[key] = max(count, 1)
	n.seen[hashOf(name)] = max(n.seen[hashOf(name)], 1)
	return name
}

func hashOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}
