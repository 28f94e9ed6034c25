package rntrajrec

// Scorer is the model. It may be used by several goroutines at once.
type Scorer interface {
	// Routes gives the scores of candidates and of options.
	Routes(in *RouteInput) (u, v []float32, err error)

	// Times gives, padded to [gaps][Longest], the share of the gap's time at which
	// the end of each piece is reached, and the scale of the doubt about it.
	Times(in *TimeInput) (share, spread []float32, err error)
}

// Seen is what the encoder says, told to a model that looks at it. Segments are
// told by their place in Road; the number of places means none.
type Seen struct {
	Road []float32 // [places][width] X_road
	H    []float32 // [samples][width]
}

// RouteInput is what a model is asked of where trips went.
type RouteInput struct {
	Candidates []float32 // in rows of the schema's tensor "candidates"
	Options    []float32 // in rows of "routes"

	// Of a model that looks at the encoder; else empty.
	Seen
	CandidateSample, CandidateSegment []int32 // [candidates]
	OptionSample                      []int32 // [options], the one before the gap
	OptionSegments                    []int32 // [options][Longest]
	Longest                           int
}

// TimeInput is what it is asked of when: the pieces of gaps, padded.
type TimeInput struct {
	Pieces  []float32 // [gaps][Longest] rows of the schema's tensor "pieces"
	Lengths []float32 // [gaps][Longest], metres
	Counts  []int32   // [gaps], pieces
	Longest int

	// Of a model that looks at the encoder; else empty.
	Seen
	PieceSegment []int32 // [gaps][Longest]
	GapSample    []int32 // [gaps], the one before the gap
}
