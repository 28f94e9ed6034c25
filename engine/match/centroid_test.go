package match_test

import (
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

func TestAPathAgreesWithWhatIsBelievedOfItsSegments(t *testing.T) {
	shares := []match.Share{{Segment: 1, Probability: 0.75}, {Segment: 3, Probability: 0.25}}
	for _, c := range []struct {
		path []roadnet.SegmentID
		want float64
	}{
		{nil, 0},
		{[]roadnet.SegmentID{1}, 0.25},
		{[]roadnet.SegmentID{3, 1}, 0},
		{[]roadnet.SegmentID{1, 2}, -0.25}, // nothing is believed of 2
		{[]roadnet.SegmentID{1, 1}, -0.25}, // twice is not twice as probable
	} {
		if got := match.Centroid(c.path, shares, 0.5); got != c.want {
			t.Errorf("%v agrees by %v, want %v", c.path, got, c.want)
		}
	}
}

// The path that agrees most leads through the same points as the most probable one and
// agrees at least as well with segments and candidates; no belief of anything depends on
// which of them is told.
func TestThePathThatAgreesMost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := roadnettest.Random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(3, 7).Draw(t, "size"))
		var samples []trajectory.Sample
		for i := range rapid.IntRange(2, 6).Draw(t, "samples") {
			id := roadnet.SegmentID(rapid.IntRange(0, net.NumSegments()-1).Draw(t, "segment"))
			p := net.At(roadnet.Position{Segment: id, Ratio: rapid.Float64Range(0, 1).Draw(t, "ratio")})
			samples = append(samples, trajectory.Sample{Time: int64(i) * 120_000, Lon: p.Lon, Lat: p.Lat + 0.0002})
		}
		s := match.DefaultSettings()
		probable := matched(t, net, s, nil, samples)
		s.Centroid = rapid.Float64Range(0.2, 0.8).Draw(t, "worth")
		agreed := matched(t, net, s, nil, samples)
		if len(agreed.Legs) != len(probable.Legs) {
			t.Fatalf("%d legs, want %d", len(agreed.Legs), len(probable.Legs))
		}
		less, more := s.Centroid*believed(probable), s.Centroid*believed(agreed)
		for i, l := range agreed.Legs {
			other := probable.Legs[i]
			if l.From != other.From || l.To != other.To || l.Broken != other.Broken || len(l.Shares) != len(other.Shares) {
				t.Fatalf("leg %d is %+v, want the points and shares of %+v", i, l, other)
			}
			if !l.Broken && (l.Path[0] != agreed.Matches[l.From].At.Segment || l.Path[len(l.Path)-1] != agreed.Matches[l.To].At.Segment) {
				t.Fatalf("leg %d drives %v, from %v to %v", i, l.Path, agreed.Matches[l.From].At, agreed.Matches[l.To].At)
			}
			less += match.Centroid(other.Path, other.Shares, s.Centroid)
			more += match.Centroid(l.Path, l.Shares, s.Centroid)
		}
		if more < less-1e-4 {
			t.Fatalf("it agrees by %v, the most probable path by %v", more, less)
		}
	})
}

// believed is the sum of the probabilities of the candidates told.
func believed(res *match.Result) (sum float64) {
	for _, m := range res.Matches {
		for _, c := range m.Candidates {
			if m.State == trajectory.Matched && c.Position == m.At {
				sum += float64(c.Probability)
			}
		}
	}
	return sum
}
