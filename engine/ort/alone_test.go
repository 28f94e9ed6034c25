package ort

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
	"retrace/engine/feature"
	"retrace/engine/rntrajrec"
)

// onCPU is the bundle that ships, loaded on the CPU.
func onCPU(t testing.TB, r *Runtime) (*Model, *bundle.Bundle) {
	t.Helper()
	b, err := bundle.Read(bundletest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Load(context.Background(), b, Options{Device: device.CPU, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, b
}

// values are features of so many rows.
func values(rng *rand.Rand, tensor string, rows int) []float32 {
	all := make([]float32, rows*feature.CurrentSchema().Width(tensor))
	for i := range all {
		all[i] = rng.Float32()
	}
	return all
}

// What is answered of a trip does not depend, to the last bit, on what else is
// in the call: so trips may be recovered alone or together.
func TestAnAnswerDoesNotDependOnWhatElseIsAsked(t *testing.T) {
	m, _ := onCPU(t, open(t))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		longest := 8 * (1 + rng.IntN(8))
		own := someRoutes(rng, m, 1+rng.IntN(30), longest)
		u, v, err := m.Routes(own)
		if err != nil {
			t.Fatal(err)
		}
		before := someRoutes(rng, m, 1+rng.IntN(300), longest)
		u2, v2, err := m.Routes(routesOf(m.shape.D, before, own, someRoutes(rng, m, 7, longest)))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "u", u, u2[len(before.CandidateSample):])
		same(t, "v", v, v2[len(before.OptionSample):])
		gapsAlike(t, m, rng)
	}
}

// seenBy is what an encoder could say of so many places and samples.
func seenBy(rng *rand.Rand, m *Model, places, samples int) rntrajrec.Seen {
	s := rntrajrec.Seen{Road: make([]float32, places*m.shape.D), H: make([]float32, samples*m.shape.D)}
	for _, all := range [][]float32{s.Road, s.H} {
		for i := range all {
			all[i] = 2*rng.Float32() - 1
		}
	}
	return s
}

// someRoutes asks about so many candidates, and thrice as many routes.
func someRoutes(rng *rand.Rand, m *Model, candidates, longest int) *rntrajrec.RouteInput {
	places, samples, options := 1+rng.IntN(50), 2+rng.IntN(9), 3*candidates
	in := &rntrajrec.RouteInput{Candidates: values(rng, "candidates", candidates), Options: values(rng, "routes", options),
		Seen: seenBy(rng, m, places, samples), Longest: longest}
	for range candidates {
		in.CandidateSample = append(in.CandidateSample, int32(rng.IntN(samples)))
		in.CandidateSegment = append(in.CandidateSegment, int32(rng.IntN(places)))
	}
	for range options {
		in.OptionSample = append(in.OptionSample, int32(rng.IntN(samples-1)))
		for range longest {
			in.OptionSegments = append(in.OptionSegments, int32(rng.IntN(places+1))) // or none
		}
	}
	return in
}

// routesOf asks about several at once. None is the number of all places.
func routesOf(width int, parts ...*rntrajrec.RouteInput) *rntrajrec.RouteInput {
	all := &rntrajrec.RouteInput{Longest: parts[0].Longest}
	nobody := 0
	for _, in := range parts {
		nobody += len(in.Road) / width
	}
	for _, in := range parts {
		places, samples, own := int32(len(all.Road)/width), int32(len(all.H)/width), int32(len(in.Road)/width)
		all.Road, all.H = append(all.Road, in.Road...), append(all.H, in.H...)
		all.Candidates, all.Options = append(all.Candidates, in.Candidates...), append(all.Options, in.Options...)
		all.CandidateSample = append(all.CandidateSample, shifted(in.CandidateSample, samples)...)
		all.CandidateSegment = append(all.CandidateSegment, shifted(in.CandidateSegment, places)...)
		all.OptionSample = append(all.OptionSample, shifted(in.OptionSample, samples)...)
		for _, segment := range in.OptionSegments {
			if segment == own {
				all.OptionSegments = append(all.OptionSegments, int32(nobody))
			} else {
				all.OptionSegments = append(all.OptionSegments, segment+places)
			}
		}
	}
	return all
}

func shifted(all []int32, by int32) []int32 {
	out := slices.Clone(all)
	for i := range out {
		out[i] += by
	}
	return out
}

// gapsAlike asks about a gap beside an empty one and among others that are padded
// alike, to multiples of 8. Other lengths differ in the last bit, and a gap in a
// call of its own: those are never asked about.
func gapsAlike(t *testing.T, m *Model, rng *rand.Rand) {
	t.Helper()
	longest, others := 8*(1+rng.IntN(8)), 1+rng.IntN(20)
	pieces, lengths, counts := values(rng, "pieces", (others+1)*longest), make([]float32, (others+1)*longest), make([]int32, others+1)
	for g := range counts {
		counts[g] = int32(1 + rng.IntN(longest))
		for i := range counts[g] {
			lengths[g*longest+int(i)] = 20 + 10*rng.Float32()
		}
	}
	seen, segments, samples := seenBy(rng, m, 30, others+2), make([]int32, (others+1)*longest), make([]int32, others+1)
	for i := range segments {
		segments[i] = int32(rng.IntN(30))
	}
	for g := range samples {
		samples[g] = int32(g)
	}
	share, spread, err := m.Times(&rntrajrec.TimeInput{Pieces: pieces, Lengths: lengths, Counts: counts, Longest: longest,
		Seen: seen, PieceSegment: segments, GapSample: samples})
	if err != nil {
		t.Fatal(err)
	}
	width := len(pieces) / len(lengths)
	at := others * longest
	s2, d2, err := m.Times(&rntrajrec.TimeInput{
		Pieces:  append(slices.Clone(pieces[at*width:]), make([]float32, longest*width)...),
		Lengths: append(slices.Clone(lengths[at:]), make([]float32, longest)...),
		Counts:  []int32{counts[others], 0}, Longest: longest,
		Seen:         rntrajrec.Seen{Road: seen.Road, H: seen.H[others*m.shape.D:]},
		PieceSegment: append(slices.Clone(segments[at:]), make([]int32, longest)...), GapSample: []int32{0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	n := int(counts[others])
	same(t, "share", s2[:n], share[at:])
	same(t, "spread", d2[:n], spread[at:])
}

func same(t *testing.T, name string, want, got []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(want[i]) != math.Float32bits(got[i]) {
			t.Fatalf("%s[%d] is %v among others, %v alone", name, i, got[i], want[i])
		}
	}
}
