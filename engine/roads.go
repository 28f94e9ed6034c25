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

// UseRoads has recovery on a network ask the model of the settings about its roads as
// trips come there, where its decoder looks at them. What keeper has is not asked again,
// what is new is kept; nil: nothing is kept. Recoverers of the same model that are made
// of these settings share what is in memory.
func (s *Settings) UseRoads(net *roadnet.Network, keeper rntrajrec.Keeper) {
	if s.Roads = nil; s.SeesRoads() {
		s.Roads = rntrajrec.NewRoads(net, s.Model.Encoder, keeper)
	}
}

// AskRoads asks about all roads of a network at once, by so many threads (0: one a
// core), for those who measure what comes after. A network as large as a country is not
// held in memory as a whole.
func (s *Settings) AskRoads(ctx context.Context, net *roadnet.Network, threads int) error {
	if s.UseRoads(net, nil); s.Roads == nil {
		return nil
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return s.Roads.All(ctx, threads)
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
	if s.Roads == nil {
		s.UseRoads(net, nil)
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
