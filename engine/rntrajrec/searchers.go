package rntrajrec

import (
	"context"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
)

// searcher searches the network for one goroutine at a time. It keeps arrays as
// long as the network.
type searcher struct {
	matcher   *match.Matcher
	trips     *feature.TripMaker
	describer *describer         // of a model that looks at its encoder; else nil
	moves     *feature.MoveMaker // for ticks; else nil
}

// searchers lends them: as many as goroutines are to compute at once. Whoever
// waits for the model gives back the one that it had.
type searchers struct {
	idle chan *searcher // nil: to be made yet
	make func() (*searcher, error)
}

// Excess is how many metres farther than the nearest a third candidate and later
// may be, where the bundle does not say: those farther off are hardly ever right,
// and cost search and accuracy. Chosen on validation trips of Porto by tools/tune.
const Excess = 25.0

// searching says what searchers are made for.
type searching struct {
	Routes   feature.RouteSettings
	Matching match.Settings
	Threads  int
	Traffic  *feature.Traffic
	Blend    Blend
	Points   *feature.Settings     // of an encoder; nil: there is none
	Ticks    *feature.TickSettings // of a decoder of ticks; nil: there is none
}

func newSearchers(net *roadnet.Network, s searching) (*searchers, error) {
	if err := s.Matching.Validate(); err != nil {
		return nil, err
	}
	all := &searchers{idle: make(chan *searcher, max(1, s.Threads))}
	for range cap(all.idle) {
		all.idle <- nil
	}
	all.make = func() (*searcher, error) {
		matcher, err := match.New(net, s.Matching)
		if err != nil {
			return nil, err
		}
		made := &searcher{matcher: matcher, trips: feature.NewTripMaker(net, s.Routes)}
		made.trips.Traffic, made.trips.Through, made.trips.Router = s.Traffic, true, matcher.Router()
		if s.Blend.Short > 0 {
			made.trips.Close = s.Blend.close(matcher, s.Matching)
		}
		if s.Ticks != nil {
			made.moves = feature.NewMoveMaker(net, *s.Ticks)
		}
		if s.Points != nil {
			made.describer, err = newDescriber(net, *s.Points)
		}
		return made, err
	}
	return all, nil
}

// with lends a searcher. One in whose hands do panics is not used again.
func (all *searchers) with(ctx context.Context, do func(*searcher) error) (err error) {
	var s *searcher
	select {
	case s = <-all.idle:
	case <-ctx.Done():
		return ctx.Err()
	}
	sound := false
	defer func() {
		if !sound {
			s = nil
		}
		all.idle <- s
	}()
	if s == nil {
		if s, err = all.make(); err != nil {
			return err
		}
	}
	s.trips.Done = ctx.Done()
	err = do(s)
	sound = true
	return err
}
