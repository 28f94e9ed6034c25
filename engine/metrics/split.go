package metrics

import (
	"crypto/sha1"
	"math/big"
	"strings"
)

// Split is which set a trip belongs to.
type Split uint8

// The sets.
const (
	Training Split = iota
	Validation
	Test
)

// String is the set's word.
func (s Split) String() string { return [...]string{"training", "validation", "test"}[s] }

// SplitOf tells the set of a trip by its id: the SHA-1 of the id as an integer,
// modulo 10, is 9 for test trips, 8 for validation, else training. What a
// reader put behind an @, to tell trips with the same id apart, does not count.
func SplitOf(id string) Split {
	published, _, _ := strings.Cut(id, "@")
	h := sha1.Sum([]byte(published))
	switch new(big.Int).Mod(new(big.Int).SetBytes(h[:]), big.NewInt(10)).Int64() {
	case 9:
		return Test
	case 8:
		return Validation
	}
	return Training
}
