package engine

import (
	"context"
	"fmt"
	"runtime"

	"retrace/engine/rntrajrec"
	"retrace/engine/roadnet"
)

// The decoders of a model.
const (
	DecoderRoutes = "routes" // chooses whole routes, then when
	DecoderTicks  = "ticks"  // the paper's: one tick after another
)

// RoadKeeper keeps what models say of the roads of networks.
type RoadKeeper interface {
	// LoadRoads reads what the model of a hash says of the network of a
	// fingerprint; nil where nothing is kept, or nothing whole.
	LoadRoads(ctx context.Context, fingerprint, model string) (*rntrajrec.Roads, error)

	// SaveRoads keeps it.
	SaveRoads(ctx context.Context, fingerprint, model string, r *rntrajrec.Roads) error
}

// AskRoads finds out what the model says of the roads of a network: as it is
// kept, else by asking it, by so many threads (0: one a core), and then it is kept. A model
// without an encoder says nothing. What cannot be kept is asked again the next
// time. Keeper and progress may be nil; progress is called from any thread.
func (m *Model) AskRoads(ctx context.Context, net *roadnet.Network, keeper RoadKeeper, threads int, progress func(done, of int)) (*rntrajrec.Roads, error) {
	if m.Encoder == nil {
		return nil, nil
	}
	fingerprint := net.Info().Fingerprint
	if keeper != nil {
		r, err := keeper.LoadRoads(ctx, fingerprint, m.Hash)
		if err == nil && r != nil && r.Fit(net, m.Encoder) == nil {
			return r, nil
		}
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	r, err := rntrajrec.NewRoads(ctx, net, m.Encoder, threads, progress)
	if err != nil {
		return nil, err
	}
	if keeper != nil {
		_ = keeper.SaveRoads(ctx, fingerprint, m.Hash, r)
	}
	return r, ctx.Err()
}

// AskRoads has [Model.AskRoads] fill in Roads, where recovery by the settings asks for
// them.
func (s *Settings) AskRoads(ctx context.Context, net *roadnet.Network, keeper RoadKeeper, threads int, progress func(done, of int)) (err error) {
	if s.SeesRoads() {
		s.Roads, err = s.Model.AskRoads(ctx, net, keeper, threads, progress)
	}
	return err
}

// decoder is the one that decodes.
func (s Settings) decoder() string {
	for _, d := range []string{s.Decoder, s.Model.Decoder} {
		if d != "" {
			return d
		}
	}
	return DecoderRoutes
}

// checkModel says why the model cannot recover as the settings say.
func (s Settings) checkModel() error {
	if s.Model == nil {
		return fmt.Errorf("recovery method %q needs a model", s.Method)
	}
	switch d := s.decoder(); {
	case d != DecoderRoutes && d != DecoderTicks:
		return fmt.Errorf("decoder %q is not known, want %q or %q", d, DecoderRoutes, DecoderTicks)
	case d == DecoderRoutes && s.Model.Scorer == nil, d == DecoderTicks && (s.Model.Ticks == nil || s.Model.Encoder == nil):
		return fmt.Errorf("the model %s has no decoder of %s; it has one of %s", s.Model.Name, d, s.Model.decoders())
	}
	return nil
}

// decoders are those that the model has, in words.
func (m *Model) decoders() string {
	if m.Scorer == nil {
		return DecoderTicks
	}
	return DecoderRoutes
}

// SeesRoads reports whether recovery asks for what the model says of the roads: a
// decoder that looks at no encoder need not wait for that.
func (s Settings) SeesRoads() bool {
	return s.Method == MethodRNTrajRec && s.Model != nil && s.Model.Encoder != nil &&
		(s.decoder() == DecoderTicks || s.Model.SeesRoutes || s.Model.SeesTimes)
}

// decoderOf makes the decoder on a network.
func (s Settings) decoderOf(net *roadnet.Network) (method, error) {
	m := s.Model
	if s.Roads == nil && s.SeesRoads() {
		return nil, fmt.Errorf("the model %s was not asked about the roads of %q", m.Name, net.Info().Name)
	}
	if s.decoder() == DecoderTicks {
		return rntrajrec.NewTicks(net, rntrajrec.TickModel{
			Encoder: m.Encoder, Roads: s.Roads, Scorer: m.Ticks, Points: m.Points, Ticks: m.Moves, Routes: m.Routes, Traffic: s.Traffic, Temperature: m.Temperature,
			Beams: s.Beams,
		}, s.matching(), s.threads(), s.calls())
	}
	of := rntrajrec.Settings{Routes: m.Routes, Matching: s.matching(), Threads: s.threads(), Calls: s.calls(), Spread: m.Spread, Centroid: s.Centroid, Blend: s.Blend, Traffic: s.Traffic}
	if s.SeesRoads() {
		of.Context = &rntrajrec.Context{Encoder: m.Encoder, Roads: s.Roads, Points: m.Points, Routes: m.SeesRoutes, Times: m.SeesTimes}
	}
	return rntrajrec.New(net, m.Scorer, of)
}

// calls is how many calls of the model are made at once.
func (s Settings) calls() int { return 1 + s.threads()/4 }
