package write

import (
	"cmp"
	"slices"

	"retrace/engine/trajectory"
)

// Joined hands the pieces of trips that were cut on to another writer as one recovery
// for each trip and method, see [trajectory.Join]. Pieces of a trip must come one after
// another, in any order.
func Joined(out Writer) Writer { return &joined{out: out} }

type joined struct {
	out    Writer
	pieces []*trajectory.Recovery
}

func (j *joined) Write(r *trajectory.Recovery) error {
	if len(j.pieces) > 0 && (r.Whole == "" || r.Whole != j.pieces[0].Whole) {
		if err := j.flush(); err != nil {
			return err
		}
	}
	j.pieces = append(j.pieces, r)
	return nil
}

func (j *joined) flush() error {
	slices.SortStableFunc(j.pieces, func(a, b *trajectory.Recovery) int {
		return cmp.Or(cmp.Compare(a.Provenance.Method, b.Provenance.Method), cmp.Compare(begin(a), begin(b)))
	})
	for rest := j.pieces; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Provenance.Method == rest[0].Provenance.Method {
			n++
		}
		if err := j.out.Write(trajectory.Join(rest[:n])); err != nil {
			return err
		}
		rest = rest[n:]
	}
	j.pieces = nil
	return nil
}

// begin is the first instant of a recovery, Unix milliseconds.
func begin(r *trajectory.Recovery) int64 {
	if len(r.Ticks) == 0 {
		return 0
	}
	return r.Ticks[0].Time
}

func (j *joined) Close() error {
	if err := j.flush(); err != nil {
		j.out.Abort()
		return err
	}
	return j.out.Close()
}

func (j *joined) Abort() { j.out.Abort() }

// Note says what the file does not hold as it is.
func (j *joined) Note() string { return Note(j.out) }
