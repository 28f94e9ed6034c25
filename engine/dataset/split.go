package dataset

import (
	"crypto/sha1"
	"math/big"
	"strings"
)

// Split says what a trip may be used for.
type Split string

// The splits.
const (
	Train      Split = "train"
	Validation Split = "validation"
	Test       Split = "test"
)

// SplitOf tells the split of a trip by its id as published: SHA-1 as a whole
// number, modulo 10; 9 is test, 8 validation. What a reader added behind an @
// to tell trips of the same id apart does not count.
func SplitOf(id string) Split {
	id, _, _ = strings.Cut(id, "@")
	sum := sha1.Sum([]byte(id))
	switch new(big.Int).Mod(new(big.Int).SetBytes(sum[:]), big.NewInt(10)).Int64() {
	case 9:
		return Test
	case 8:
		return Validation
	}
	return Train
}
