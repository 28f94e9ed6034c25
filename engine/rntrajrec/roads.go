package rntrajrec

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
)

// Roads is X_road: what a model says of the segments of a network. The model is asked
// about a piece of the network when a trip first comes there, so that neither time nor
// memory grows with the rest of it. It may be used by several goroutines at once.
type Roads struct {
	net     *roadnet.Network
	encoder Encoder
	keeper  Keeper // nil: nothing is kept
	most    int    // pieces in memory
	makers  sync.Pool

	mu     sync.Mutex
	pieces map[int]*piece // by number; those in memory and those being made
	clock  uint64
}

// Keeper keeps what a model says of pieces of a network, by their numbers. It may be
// used by several goroutines at once.
type Keeper interface {
	// Load gives those of some pieces that are kept and whole.
	Load(ctx context.Context, pieces []int) (map[int][]float32, error)

	// Save keeps pieces.
	Save(ctx context.Context, pieces map[int][]float32) error
}

// PieceSegments is how many segments a piece has, but for the last of a network.
// Segments in a row mostly lie near one another. There are more of them than around
// them, which are looked at too, and they are done soon enough that nobody waits long
// for a cancelled one.
const PieceSegments = 512

// heldBytes bounds what is in memory, unless a single trip needs more.
const heldBytes = 32 << 20

// piece is a piece of the network.
type piece struct {
	done   chan struct{} // closed when there are values, or it is certain that there will be none
	values []float32     // [segments][width]; nil: they could not be made
	used   uint64        // when it was last asked for
}

// NewRoads is what a model says of a network. Keeper may be nil.
func NewRoads(net *roadnet.Network, e Encoder, keeper Keeper) *Roads {
	r := &Roads{net: net, encoder: e, keeper: keeper, most: max(1, heldBytes/(4*PieceSegments*e.Width())), pieces: make(map[int]*piece)}
	r.makers.New = func() any { return &partMaker{PartMaker: feature.NewPartMaker(net)} }
	return r
}

// partMaker describes parts in memory that it uses again.
type partMaker struct {
	*feature.PartMaker
	part feature.Part
}

// Fit says what is wrong with roads for a network.
func (r *Roads) Fit(net *roadnet.Network) error {
	if a, b := r.net.Info(), net.Info(); a.Fingerprint != b.Fingerprint || r.net.NumSegments() != net.NumSegments() {
		return fmt.Errorf("what the model says is of the roads of %q, not of those of %q", a.Name, b.Name)
	}
	return nil
}

// Width is the number of values of a segment.
func (r *Roads) Width() int { return r.encoder.Width() }

// Append appends X_road of some segments, [segments][Width]. The error is that of ctx
// or of the model.
func (r *Roads) Append(ctx context.Context, to []float32, segments []roadnet.SegmentID) ([]float32, error) {
	found := make(map[int][]float32)
	for _, id := range segments {
		found[int(id)/PieceSegments] = nil
	}
	if err := r.find(ctx, found); err != nil {
		return to, err
	}
	width := r.Width()
	for _, id := range segments {
		at := int(id) % PieceSegments * width
		to = append(to, found[int(id)/PieceSegments][at:at+width]...)
	}
	return to, nil
}

// All asks about every piece, by so many goroutines.
func (r *Roads) All(ctx context.Context, threads int) error {
	g, all := errgroup.WithContext(ctx)
	g.SetLimit(max(1, threads))
	for first := 0; first < r.net.NumSegments() && all.Err() == nil; first += PieceSegments {
		g.Go(func() error {
			return cmp.Or(ctx.Err(), r.find(all, map[int][]float32{first / PieceSegments: nil}))
		})
	}
	return g.Wait()
}

// find finds the values of pieces. Those that another goroutine is making are waited
// for; where that one fails, which it may for a reason of its own, they are made here.
func (r *Roads) find(ctx context.Context, found map[int][]float32) error {
	for missing := true; missing; {
		all, own := r.claim(found)
		if err := r.provide(ctx, all, own); err != nil {
			return err
		}
		missing = false
		for number, p := range all {
			select {
			case <-p.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			found[number] = p.values
			missing = missing || p.values == nil
		}
	}
	return nil
}

// claim gives the pieces wanted, and the numbers of those that are the caller's to make.
func (r *Roads) claim(wanted map[int][]float32) (all map[int]*piece, own []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock++
	all = make(map[int]*piece, len(wanted))
	for number := range wanted {
		p := r.pieces[number]
		if p == nil {
			p = &piece{done: make(chan struct{})}
			r.pieces[number] = p
			own = append(own, number)
		}
		p.used, all[number] = r.clock, p
	}
	return all, own
}

// provide makes the caller's own pieces: as they are kept, else by asking the model,
// and then they are kept.
func (r *Roads) provide(ctx context.Context, all map[int]*piece, own []int) error {
	if len(own) == 0 {
		return nil
	}
	defer func() { // whatever happens, nobody waits for ever
		for _, number := range own {
			if p := all[number]; p.values == nil {
				r.finish(number, p, nil)
			}
		}
	}()
	kept := map[int][]float32{}
	if r.keeper != nil {
		kept, _ = r.keeper.Load(ctx, own) // else they are made again
	}
	made := make(map[int][]float32)
	for _, number := range own {
		values := kept[number]
		if first, end := r.segments(number); len(values) != int(end-first)*r.Width() {
			var err error
			if values, err = r.ask(ctx, number); err != nil {
				return err
			}
			made[number] = values
		}
		r.finish(number, all[number], values)
	}
	if len(made) > 0 && r.keeper != nil {
		_ = r.keeper.Save(ctx, made) // else they are made again the next time
	}
	return nil
}

// segments are those of a piece: the first, and the one after the last.
func (r *Roads) segments(number int) (first, end roadnet.SegmentID) {
	at := number * PieceSegments
	return roadnet.SegmentID(at), roadnet.SegmentID(min(at+PieceSegments, r.net.NumSegments()))
}

// ask asks the model about a piece. What it says does not depend on the others.
func (r *Roads) ask(ctx context.Context, number int) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, _ := r.makers.Get().(*partMaker)
	first, end := r.segments(number)
	m.Fill(&m.part, first, end, r.encoder.Hops())
	values, err := r.encoder.Roads(&m.part)
	r.makers.Put(m)
	if err == nil && len(values) < int(end-first)*r.Width() {
		err = fmt.Errorf("the model gives %d values", len(values))
	}
	if err != nil {
		return nil, fmt.Errorf("roads of the network %q: %w", r.net.Info().Name, err)
	}
	return append([]float32(nil), values[:int(end-first)*r.Width()]...), nil
}

// finish hands out a piece; without values it is as if it had never been asked for.
func (r *Roads) finish(number int, p *piece, values []float32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.values = values; values == nil {
		delete(r.pieces, number)
	}
	close(p.done)
	for len(r.pieces) > r.most && r.dropOldest() {
	}
}

// dropOldest forgets the piece that was not asked for the longest. It reports whether
// there was one that is not being made. The lock is held.
func (r *Roads) dropOldest() bool {
	oldest, used := -1, uint64(math.MaxUint64)
	for number, p := range r.pieces {
		if p.used < used && p.values != nil {
			oldest, used = number, p.used
		}
	}
	delete(r.pieces, oldest)
	return oldest >= 0
}
