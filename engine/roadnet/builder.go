package roadnet

import (
	"context"
	"errors"
)

// Oddity counts something wrong in the input, with some of the ids concerned.
type Oddity struct {
	Count int
	IDs   []int64 // ascending, at most MaxOddityIDs
}

// MaxOddityIDs is how many ids an [Oddity] lists.
const MaxOddityIDs = 100

// BuildReport says what a [Builder] made of its input.
type BuildReport struct {
	Ways         int // taken
	Restrictions int // applied

	DuplicateWays    Oddity // way ids added more than once; the first is kept
	ShortWays        Oddity // way ids: fewer than two places; dropped
	MeridianWays     Oddity // way ids: a piece spans half the earth or crosses the 180th meridian; dropped
	DuplicateNodes   Oddity // node ids repeated in a row; one is kept
	ZeroLengthPieces Oddity // way ids: two different nodes in a row at one place, taken as one

	Barriers Oddity // node ids where a barrier ends the roads

	UnresolvedRestrictions Oddity // relation ids: members that do not meet, or are not drivable that way
	AmbiguousRestrictions  Oddity // relation ids: a member way passes through the junction, and its side is not told
}

// Builder makes a [Network] from ways and restrictions. Its zero value is not
// ready; use [NewBuilder].
type Builder struct {
}

// NewBuilder makes an empty builder.
func NewBuilder() *Builder { return &Builder{} }

// AddWay adds a drivable way. It copies what it needs. The error says what
// is wrong with a way that cannot be taken; the builder stays usable.
func (b *Builder) AddWay(w Way) error { return errors.New("not built yet") }

// AddRestriction adds a turn restriction, copied. Its ways may come before or
// after it.
func (b *Builder) AddRestriction(r Restriction) {}

// Build makes the network: it splits the ways at junctions, ends and barriers,
// sorts the lines along a Hilbert curve, applies the restrictions, and finds
// the components and the elevated stretches. Bounds, Segments, Nodes and
// Fingerprint of info are filled in. The result does not depend on the order
// in which ways and restrictions were added, but for ways that share an id.
// The error is the context's. The builder cannot be used afterwards.
func (b *Builder) Build(ctx context.Context, info Info) (*Network, BuildReport, error) {
	return nil, BuildReport{}, errors.New("not built yet")
}

// FromColumns makes a network from the columns of another. It checks every
// index and number; the error names the column. Bounds, Segments and Nodes of
// info are filled in.
func FromColumns(info Info, cols []Column) (*Network, error) {
	return nil, errors.New("not built yet")
}

// Columns is the content of the network for storage: views, not to be
// modified.
func (n *Network) Columns() []Column { return nil }
