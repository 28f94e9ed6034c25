package read

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
)

// Given is one trajectory of a stream of batches.
type Given struct {
	ID      string                   // as it was sent
	Pieces  []*trajectory.Trajectory // that cleaning leaves of it, as [Files] cuts and names them
	Notes   []string                 // what was left out, mended or cut, in words
	Refused string                   // why there is no piece; empty: there are some
}

// Batches reads trajectories from an Arrow IPC stream, batch by batch and no farther
// than is asked. The columns are trajectory (or id), time, lon and lat: lists, with one
// row a trajectory, or single values, with one row a sample. There the rows of a
// trajectory stand together, and it is whole when the next begins. Times are timestamps
// (without a zone: UTC) or whole milliseconds since 1970.
//
// One batch is in memory at a time. Of trajectories in rows 16 bytes of each are
// remembered, so that one that comes again is refused.
type Batches struct {
	r        *ipc.Reader
	messages *arrowMessages
	rules    clean.Rules
	columns  batchColumns
	open     *openTrip // in rows: the one whose rows may go on
	seen     map[uint64]bool
	ended    bool
}

// ErrCut says that a stream ended without the mark that ends it: whoever wrote it was
// stopped.
var ErrCut = errors.New("the stream ends without its end mark: whoever wrote it was stopped")

// batchLimits are those of [Limits] that count for streams.
const (
	batchMeta    = 1 << 20
	batchSamples = 10_000_000
)

// OpenBatches reads the schema of a stream. An error says which column is missing or of
// which type it should be.
func OpenBatches(r io.Reader, rules clean.Rules) (*Batches, error) {
	memory := &boundedMemory{limit: 32 << 20}
	b := &Batches{rules: rules, seen: map[uint64]bool{},
		messages: &arrowMessages{r: bufio.NewReaderSize(r, headSize), memory: memory, limit: arrowMemory, meta: batchMeta}}
	err := guardArrow(func() (err error) {
		b.r, err = ipc.NewReaderFromMessageReader(b.messages, ipc.WithAllocator(memory), ipc.WithDelayReadSchema(false))
		return err
	})
	if err != nil {
		return nil, b.failure(err)
	}
	if b.columns, err = batchColumnsOf(b.r.Schema()); err != nil {
		return nil, err
	}
	return b, nil
}

// Unused are the columns that are not looked at.
func (b *Batches) Unused() []string { return b.columns.unused }

// Next reads one batch, and gives the trajectories that are whole with it; there may be
// none. Behind the last batch it gives what is left, if anything, and then io.EOF.
// Another error is the end: [ErrCut], or what is broken.
func (b *Batches) Next() ([]Given, error) {
	if b.ended {
		return nil, io.EOF
	}
	var all []Given
	err := guardArrow(func() error {
		batch, err := b.r.Read()
		if err != nil {
			return err
		}
		all, err = b.take(batch)
		return err
	})
	switch {
	case err == nil:
		return all, nil
	case !errors.Is(err, io.EOF) || b.messages.err != nil:
		return nil, b.failure(err)
	case !b.messages.marked:
		return nil, ErrCut
	}
	b.ended = true
	if b.open == nil {
		return nil, io.EOF
	}
	return []Given{b.close()}, nil
}

// failure says in words how a stream is broken.
func (b *Batches) failure(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	err = b.messages.failure(err)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return fmt.Errorf("the stream is broken: %w", err)
}

// guardArrow turns the panics of the library over what is broken into errors.
func guardArrow(f func() error) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("%v", broken)
			if e, ok := broken.(error); ok {
				err = e
			}
		}
	}()
	return f()
}

// take reads the rows of a batch.
func (b *Batches) take(batch arrow.RecordBatch) ([]Given, error) {
	rows, err := b.columns.read(batch)
	if err != nil {
		return nil, err
	}
	var all []Given
	for i := range int(batch.NumRows()) {
		if b.columns.lists {
			all = append(all, b.list(rows, i))
			continue
		}
		if done := b.row(rows, i); done != nil {
			all = append(all, b.given(done))
		}
	}
	return all, nil
}

// list is the trajectory of a row of lists.
func (b *Batches) list(rows batchRows, i int) Given {
	t := &openTrip{id: rows.id(i)}
	if t.id == "" {
		t.refused = noID
		return b.given(t)
	}
	begin, end, fault := rows.bounds(i)
	if t.refused = fault; fault == "" {
		t.samples = make([]trajectory.Sample, 0, end[0]-begin[0])
		for k := range end[0] - begin[0] {
			t.add(rows, begin[0]+k, begin[1]+k, begin[2]+k)
		}
	}
	return b.given(t)
}

const (
	noID      = "the row names no trajectory"
	scattered = "its rows do not stand together: it came before, and others between; sort the rows by trajectory"
)

// row takes a row that is one sample; it gives the trajectory that is whole with it.
func (b *Batches) row(rows batchRows, i int) (done *openTrip) {
	id := rows.id(i)
	if b.open == nil || b.open.id != id {
		done = b.open
		b.open = &openTrip{id: id}
		key := hashOf(id)
		switch {
		case id == "":
			b.open.refused = noID
		case b.seen[key]:
			b.open.refused = scattered
		}
		b.seen[key] = true
	}
	if b.open.refused == "" {
		b.open.add(rows, i, i, i)
	}
	return done
}

// close is the trajectory that was open at the end.
func (b *Batches) close() Given {
	t := b.open
	b.open = nil
	return b.given(t)
}

// openTrip is a trajectory while its samples are read.
type openTrip struct {
	id      string
	samples []trajectory.Sample
	notes   noteCounter
	refused string
}

// add takes one sample, or counts why not.
func (t *openTrip) add(rows batchRows, time, lon, lat int) {
	s := trajectory.Sample{}
	var ok bool
	switch s.Time, ok = rows.time(time); {
	case len(t.samples) == batchSamples:
		t.notes.add(tooMany)
		return
	case !ok:
		t.notes.add(noTime)
		return
	}
	if s.Lon, s.Lat, ok = rows.place(lon, lat); !ok {
		t.notes.add(noPosition)
		return
	}
	if reason := checkSample(s); reason != "" {
		t.notes.add(reason)
		return
	}
	t.samples = append(t.samples, s)
}

// given tidies a trajectory whose samples are all there.
func (b *Batches) given(t *openTrip) Given {
	g := Given{ID: t.id, Refused: t.refused}
	if t.refused != "" {
		return g
	}
	pieces := b.rules.Apply(t.samples, func(c clean.Change) { t.notes.add(c.Reason) })
	for i, samples := range pieces {
		one := &trajectory.Trajectory{ID: t.id, Samples: samples}
		if len(pieces) > 1 {
			one.ID = fmt.Sprintf("%s/%d", t.id, i+1)
		}
		g.Pieces = append(g.Pieces, one)
	}
	g.Notes = t.notes.texts()
	if len(pieces) == 0 {
		g.Refused = "it has no points"
		if len(g.Notes) > 0 {
			g.Refused = "none of its points can be used: " + g.Notes[0]
		}
	}
	return g
}

// noteCounter counts reasons, in the order in which they came up.
type noteCounter struct {
	reasons []string
	counts  []int
}

func (n *noteCounter) add(reason string) {
	i := slices.Index(n.reasons, reason)
	if i < 0 {
		i = len(n.reasons)
		n.reasons, n.counts = append(n.reasons, reason), append(n.counts, 0)
	}
	n.counts[i]++
}

func (n *noteCounter) texts() []string {
	var all []string
	for i, reason := range n.reasons {
		if n.counts[i] > 1 {
			reason = fmt.Sprintf("%s (%d times)", reason, n.counts[i])
		}
		all = append(all, reason)
	}
	return all
}
