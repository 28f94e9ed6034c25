package rntrajrec

// Scorer is the model. It may be used by several goroutines at once.
type Scorer interface {
	// Routes gives the scores of the candidates, in rows of the schema's
	// tensor "candidates", and of the options, in rows of "routes".
	Routes(candidates, options []float32) (u, v []float32, err error)

	// Times gives, for pieces in rows of the schema's tensor "pieces", padded
	// to [gaps][longest], the share of the gap's time at which the end of each
	// is reached, and the scale of the doubt about it. Lengths are metres.
	Times(pieces, lengths []float32, counts []int32, longest int) (share, spread []float32, err error)
}
