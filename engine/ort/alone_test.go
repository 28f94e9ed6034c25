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
		own, others := 1+rng.IntN(30), rng.IntN(300)
		candidates, options := values(rng, "candidates", own), values(rng, "routes", 3*own)
		u, v, err := m.Routes(&rntrajrec.RouteInput{Candidates: candidates, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		u2, v2, err := m.Routes(&rntrajrec.RouteInput{
			Candidates: slices.Concat(values(rng, "candidates", others), candidates, values(rng, "candidates", 7)),
			Options:    slices.Concat(values(rng, "routes", others), options, values(rng, "routes", 7))})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "u", u, u2[others:])
		same(t, "v", v, v2[others:])
		gapsAlike(t, m, rng)
	}
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
	share, spread, err := m.Times(&rntrajrec.TimeInput{Pieces: pieces, Lengths: lengths, Counts: counts, Longest: longest})
	if err != nil {
		t.Fatal(err)
	}
	width := len(pieces) / len(lengths)
	at := others * longest
	s2, d2, err := m.Times(&rntrajrec.TimeInput{
		Pieces:  append(slices.Clone(pieces[at*width:]), make([]float32, longest*width)...),
		Lengths: append(slices.Clone(lengths[at:]), make([]float32, longest)...),
		Counts:  []int32{counts[others], 0}, Longest: longest})
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
