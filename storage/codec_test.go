package storage

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

func drawSamples(t *rapid.T) []trajectory.Sample {
	lon, lat := rapid.Float64Range(-180, 180), rapid.Float64Range(-90, 90)
	if rapid.Bool().Draw(t, "whole steps") {
		whole := func(v float64) float64 { return math.Round(v*1e7) / 1e7 }
		lon, lat = rapid.Map(lon, whole), rapid.Map(lat, whole)
	}
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) trajectory.Sample {
		return trajectory.Sample{Time: rapid.Int64().Draw(t, "time"), Lon: lon.Draw(t, "lon"), Lat: lat.Draw(t, "lat")}
	})).Draw(t, "samples")
}

func TestTrajectoryComesBackExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		want := &trajectory.Trajectory{ID: text.Draw(t, "id"), Vehicle: text.Draw(t, "vehicle"), Source: text.Draw(t, "source"), Whole: text.Draw(t, "whole"), Samples: drawSamples(t)}
		b, err := encodeTrajectory(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeTrajectory(b)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatal(diff, err)
		}
	})
}

func drawPosition(t *rapid.T) roadnet.Position {
	return roadnet.Position{Segment: roadnet.SegmentID(rapid.Uint32().Draw(t, "segment")), Ratio: rapid.Float64Range(0, 1).Draw(t, "ratio")}
}

func drawShare(t *rapid.T) float32 { return rapid.Float32Range(0, 1).Draw(t, "share") }

func drawMargin(t *rapid.T) float32 { return rapid.Float32Range(-1, 1).Draw(t, "margin") }

func drawMetres(t *rapid.T) float64 { return rapid.Float64Range(0, 100_000).Draw(t, "metres") }

func drawDeck(t *rapid.T) trajectory.Deck {
	return trajectory.Deck(rapid.Uint8Range(0, 3).Draw(t, "deck"))
}

func drawTick(t *rapid.T) trajectory.Tick {
	tick := trajectory.Tick{Time: rapid.Int64().Draw(t, "time"), Lon: rapid.Float64Range(-180, 180).Draw(t, "lon"),
		Lat: rapid.Float64Range(-90, 90).Draw(t, "lat"), At: drawPosition(t), Part: rapid.Int32().Draw(t, "part"), Along: drawMetres(t),
		Probability: drawShare(t), Layer: rapid.Int8().Draw(t, "layer"), Deck: drawDeck(t), Margin: drawMargin(t)}
	if rapid.Bool().Draw(t, "observed") {
		tick.Observed, tick.Sample = true, rapid.Uint32().Draw(t, "sample")
	}
	return tick
}

func drawMatch(t *rapid.T) trajectory.SampleMatch {
	m := trajectory.SampleMatch{State: trajectory.SampleState(rapid.Uint8Range(0, uint8(trajectory.Passed)).Draw(t, "state")), Distance: float32(drawMetres(t))}
	if m.State.Placed() {
		m.At = drawPosition(t)
	}
	m.Candidates = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trajectory.Candidate {
		return trajectory.Candidate{Position: drawPosition(t), Distance: float32(drawMetres(t)), Probability: drawShare(t)}
	}), 0, 5).Draw(t, "candidates")
	return m
}

func drawPart(t *rapid.T) trajectory.Part {
	segments := rapid.SliceOfN(rapid.Map(rapid.Uint32(), func(v uint32) roadnet.SegmentID { return roadnet.SegmentID(v) }), 0, 20)
	return trajectory.Part{Segments: segments.Draw(t, "segments"), StartRatio: drawPosition(t).Ratio, EndRatio: drawPosition(t).Ratio}
}

func drawAlternative(t *rapid.T) trajectory.Alternative {
	return trajectory.Alternative{FromSample: rapid.Uint32().Draw(t, "from"), ToSample: rapid.Uint32().Draw(t, "to"), Part: drawPart(t), Probability: drawShare(t)}
}

func drawSpan(t *rapid.T) trajectory.Span {
	text := rapid.String()
	return trajectory.Span{Enter: rapid.Int64().Draw(t, "enter"), Exit: rapid.Int64().Draw(t, "exit"), Part: rapid.Int32().Draw(t, "part"),
		From: drawMetres(t), To: drawMetres(t), Road: text.Draw(t, "road"), Kind: drawDeck(t), Probability: drawShare(t),
		RunnerUp: text.Draw(t, "runner-up"), Margin: drawMargin(t)}
}

func drawGap(t *rapid.T) trajectory.Gap {
	why := trajectory.Why(rapid.Uint8Range(uint8(trajectory.NoWay), uint8(trajectory.Turned)).Draw(t, "why"))
	return trajectory.Gap{FromSample: rapid.Uint32().Draw(t, "from"), ToSample: rapid.Uint32().Draw(t, "to"), Why: why,
		Broken: rapid.Bool().Draw(t, "broken"), Speed: float32(rapid.Uint16().Draw(t, "speed"))}
}

func drawDoubt(t *rapid.T) trajectory.Doubt {
	return trajectory.Doubt{FromSample: rapid.Uint32().Draw(t, "from"), ToSample: rapid.Uint32().Draw(t, "to"), Probability: drawShare(t), RunnerUp: drawShare(t),
		Risk: drawShare(t), Error: float32(drawMetres(t)), Along: float32(rapid.Uint16().Draw(t, "along")),
		Odd: trajectory.Oddity(rapid.Uint8Range(0, uint8(trajectory.AnyOddity)).Draw(t, "odd"))}
}

func drawRecovery(t *rapid.T) *trajectory.Recovery {
	r := drawTold(t)
	if len(r.Doubts) > 0 {
		r.Risk = trajectory.Risk{Wrong: drawShare(t), Error: float32(drawMetres(t))}
	}
	return r
}

func drawTold(t *rapid.T) *trajectory.Recovery {
	text := rapid.String()
	return &trajectory.Recovery{
		Whole:        text.Draw(t, "whole"),
		Trajectory:   text.Draw(t, "id"),
		Ticks:        rapid.SliceOfN(rapid.Custom(drawTick), 0, 20).Draw(t, "ticks"),
		Parts:        rapid.SliceOfN(rapid.Custom(drawPart), 0, 4).Draw(t, "parts"),
		Matches:      rapid.SliceOfN(rapid.Custom(drawMatch), 0, 10).Draw(t, "matches"),
		Alternatives: rapid.SliceOfN(rapid.Custom(drawAlternative), 0, 4).Draw(t, "alternatives"),
		Spans:        rapid.SliceOfN(rapid.Custom(drawSpan), 0, 4).Draw(t, "spans"),
		Gaps:         rapid.SliceOfN(rapid.Custom(drawGap), 0, 4).Draw(t, "gaps"),
		Doubts:       rapid.SliceOfN(rapid.Custom(drawDoubt), 0, 4).Draw(t, "doubts"),
		Warnings:     rapid.SliceOfN(text, 0, 3).Draw(t, "warnings"),
		Provenance: trajectory.Provenance{Method: text.Draw(t, "method"), Model: text.Draw(t, "model"), Network: text.Draw(t, "network"), Fingerprint: text.Draw(t, "fingerprint"),
			Settings: text.Draw(t, "settings"), Device: text.Draw(t, "device"), Version: text.Draw(t, "version")},
	}
}

func TestRecoveryComesBackWithinItsPrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawRecovery(t)
		b, err := encodeRecovery(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeRecovery(b)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), precision()); err != nil || diff != "" {
			t.Fatal(diff, err)
		}
		again, err := encodeRecovery(got)
		if err != nil || string(again) != string(b) {
			t.Fatal("what came back is kept as something else", err)
		}
	})
}

// precision lets the fields of a recovery differ by half a step.
func precision() cmp.Option {
	steps := map[string]float64{
		".Lon": coordSteps, ".Lat": coordSteps,
		".Ratio": ratioSteps, ".StartRatio": ratioSteps, ".EndRatio": ratioSteps,
		".Along": metreSteps, ".From": metreSteps, ".To": metreSteps,
		".Probability": shareSteps, ".RunnerUp": shareSteps, ".Risk": shareSteps, ".Wrong": shareSteps, ".Margin": marginSteps,
		".Distance": metreSteps / 10, ".Error": metreSteps / 10, // float32 has no more digits for the longest
	}
	var options cmp.Options
	for field, n := range steps {
		options = append(options, cmp.FilterPath(
			func(p cmp.Path) bool { return p.Last().String() == field }, cmpopts.EquateApprox(0, 0.51/n)))
	}
	return options
}

func TestNumbersThatCannotBeKeptAreRefused(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} {
		trip := &trajectory.Trajectory{ID: "1", Samples: []trajectory.Sample{{Lon: bad}}}
		if _, err := encodeTrajectory(trip); err == nil {
			t.Errorf("longitude %v was kept", bad)
		}
		r := &trajectory.Recovery{Ticks: []trajectory.Tick{{Lat: bad}}}
		if _, err := encodeRecovery(r); err == nil {
			t.Errorf("latitude %v was kept", bad)
		}
	}
	r := &trajectory.Recovery{Ticks: []trajectory.Tick{{Probability: 1.1}}}
	if _, err := encodeRecovery(r); err == nil {
		t.Error("a probability of 1.1 was kept")
	}
}

func TestSummariesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := summarizeRecovery(drawRecovery(t))
		b, err := encodeRecoverySummary(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeRecoverySummary(b)
		approx := cmpopts.EquateApprox(0, 0.51e-3)
		if diff := cmp.Diff(r, got, approx, precision()); err != nil || diff != "" {
			t.Fatal(diff, err)
		}
		s := summarizeTrajectory(&trajectory.Trajectory{ID: "1", Samples: drawSamples(t)})
		if b, err = encodeTrajectorySummary(s); err != nil {
			t.Fatal(err)
		}
		back, err := decodeTrajectorySummary(b)
		if diff := cmp.Diff(s, back, approx); err != nil || diff != "" {
			t.Fatal(diff, err)
		}
	})
}

func TestColumnsOfEveryTypeComeBack(t *testing.T) {
	columns := []any{
		[]uint8{0, 1, 255}, []int8{-128, 0, 127}, []uint16{0, 1, 65535}, []uint32{0, math.MaxUint32}, []int32{math.MinInt32, 7},
		[]int64{math.MinInt64, math.MaxInt64}, []uint64{0, math.MaxUint64}, []float32{-1.5, float32(math.Inf(1))},
	}
	for _, want := range columns {
		typ, n, err := describeColumn(roadnet.Column{Data: want})
		if err != nil {
			t.Fatal(err)
		}
		got := newColumn(typ, n)
		for i := range n {
			decodeElements(got, i, encodeElements(nil, want, i, i+1))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T: %s", want, diff)
		}
	}
	if _, _, err := describeColumn(roadnet.Column{Name: "x", Data: []string{"a"}}); err == nil {
		t.Error("a column of strings was taken")
	}
}

func TestFrameOfAnotherKeyOrKindIsRefused(t *testing.T) {
	value, err := frame{kind: frameSetting, commit: 7}.seal([]byte("a"), []byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	if p, err := frameSetting.open([]byte("a"), value); err != nil || string(p) != "payload" {
		t.Error(p, err)
	}
	if _, err := frameSetting.open([]byte("b"), value); err == nil {
		t.Error("it opened under another key")
	}
	if _, err := frameHistory.open([]byte("a"), value); err == nil {
		t.Error("it opened as another kind")
	}
	for i := range value {
		broken := append([]byte(nil), value...)
		broken[i] ^= 0x10
		if _, err := frameSetting.open([]byte("a"), broken); err == nil {
			t.Errorf("byte %d may be anything", i)
		}
		if _, err := frameSetting.open([]byte("a"), value[:i]); err == nil {
			t.Errorf("it opened cut to %d bytes", i)
		}
	}
}
