package roadnet

import "slices"

// BuildReport says what a [Builder] made of its input.
type BuildReport struct {
	Ways         int // taken
	Restrictions int // applied

	DuplicateWays    Oddity // way ids added more than once; the first is kept
	ShortWays        Oddity // way ids: fewer than two places; dropped
	MeridianWays     Oddity // way ids: a piece goes across the 180th meridian; cut there
	DuplicateNodes   Oddity // node ids repeated in a row; one is kept
	ZeroLengthPieces Oddity // way ids: two nodes in a row at one place, taken as one

	Barriers     Oddity // node ids where a barrier ends the roads
	CrowdedNodes Oddity // node ids where more lines meet than can be joined

	UnresolvedRestrictions Oddity // relation ids: members that do not meet, or cannot be driven that way
	AmbiguousRestrictions  Oddity // relation ids: a member way passes through the junction, its side untold
}

// Oddity counts something strange in the input, with some of the ids concerned.
type Oddity struct {
	Count int
	IDs   []int64 // the lowest, ascending, at most MaxOddityIDs
}

// MaxOddityIDs is how many ids an [Oddity] lists.
const MaxOddityIDs = 100

// add counts one more.
func (o *Oddity) add(id int64) {
	o.Count++
	i, found := slices.BinarySearch(o.IDs, id)
	if found || i == MaxOddityIDs {
		return
	}
	if len(o.IDs) == MaxOddityIDs {
		o.IDs = o.IDs[:MaxOddityIDs-1]
	}
	o.IDs = slices.Insert(o.IDs, i, id)
}
