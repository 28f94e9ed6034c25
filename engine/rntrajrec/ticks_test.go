package rntrajrec

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
	"retrace/internal/canceltest"
)

// The columns of a move that turns back, and of a candidate that leads towards
// the next sample.
const (
	uTurn      = 8
	nextCosine = 9
)

// plain stands for an encoder and a decoder of ticks that like to go on along
// primary roads, at half of each segment. Its state counts the ticks.
type plain struct{ fail error }

func (p plain) Width() int { return 2 }
func (p plain) Hops() int  { return 1 }

// Roads says of a segment which it is in the part, and how long.
func (p plain) Roads(part *feature.Part) ([]float32, error) {
	var values []float32
	for i := range part.Segments {
		values = append(values, part.Roads[i*part.RoadColumns+int(roadnet.Primary)], float32(part.CellCounts[i]))
	}
	return values, p.fail
}

func (p plain) Encode(road []float32, points *feature.Points, _ []float32) (h, whole []float32, err error) {
	return make([]float32, points.Samples*2), make([]float32, 2), p.fail
}

func (p plain) Tick(in *TickInput) (state, scores []float32, err error) {
	scores = make([]float32, len(in.MoveBeam))
	columns, wide := len(in.Values)/len(scores), len(in.Candidates)/len(scores)
	for i := range scores {
		scores[i] = 2*in.Moves.Road[2*i] - 9*in.Values[i*columns+uTurn] + 3*in.Candidates[i*wide+nextCosine]
	}
	for i := range in.BeamTrip {
		state = append(state, in.State[2*i]+1, 0)
	}
	return state, scores, p.fail
}

func (p plain) Ratios(in *RatioInput) ([]float32, error) {
	ratios := make([]float32, len(in.State)/2)
	for i := range ratios {
		ratios[i] = 0.5
	}
	return ratios, p.fail
}

func ticksOn(t *testing.T, net *roadnet.Network, p plain) *TickDecoder {
	t.Helper()
	return ticksWith(t, net, TickModel{Encoder: p, Scorer: p, Ticks: feature.DefaultTicks()}, 1)
}

// ticksWith recovers with a model whose roads are those of plain.
func ticksWith(t testing.TB, net *roadnet.Network, m TickModel, threads int) *TickDecoder {
	t.Helper()
	m.Roads = NewRoads(net, plain{}, nil)
	m.Points, m.Routes = feature.DefaultSettings(), feature.DefaultRoutes()
	matching := match.DefaultSettings()
	matching.Alternatives = 3
	d, err := NewTicks(net, m, matching, threads, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func matchTicks(t *testing.T, d *TickDecoder, samples []trajectory.Sample, pins []match.Pin) *match.Result {
	t.Helper()
	res, err := d.Match(context.Background(), samples, pins)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// quick is the drive with half a minute between two samples.
func quick(net *roadnettest.Net) []trajectory.Sample {
	samples := drive(net)
	for i := range samples {
		samples[i].Time /= 4
	}
	return samples
}

func TestTicksGiveAConnectedPathAndItsTimes(t *testing.T) {
	net := block(t)
	res := matchTicks(t, ticksOn(t, net.Network, plain{}), quick(net), nil)
	if len(res.Legs) != 2 || net.Path(res.Legs[0].Path) != "AB BC" || net.Path(res.Legs[1].Path) != "BC CD" {
		t.Fatalf("legs %+v", res.Legs)
	}
	for _, leg := range res.Legs {
		times := leg.Times
		if last := times[len(times)-1]; math.Abs(last.Share-1) > 1e-9 || last.Step != len(leg.Path)-1 || last.To != res.Matches[leg.To].At.Ratio {
			t.Errorf("the leg ends at %+v", last)
		}
		for i := 1; i < len(times); i++ {
			if times[i].Share < times[i-1].Share || times[i].Step < times[i-1].Step {
				t.Errorf("time %d goes back: %+v after %+v", i, times[i], times[i-1])
			}
		}
		if n := len(leg.Instants); n != 2 || leg.Instants[0].Time != quick(net)[leg.From].Time+15_000 {
			t.Errorf("instants %+v, want one after 15 s and one at the sample", leg.Instants)
		}
		for _, at := range leg.Instants {
			sum := float32(0)
			for _, s := range at.Shares {
				sum += s.Probability
			}
			if math.Abs(float64(sum)-1) > 1e-4 {
				t.Errorf("the segments of an instant have probability %v together", sum)
			}
		}
	}
}

func TestOneBeamDoubtsNothingThatItDrove(t *testing.T) {
	net := block(t)
	d := ticksOn(t, net.Network, plain{})
	doubted := func() (n int) {
		for _, leg := range matchTicks(t, d, quick(net), nil).Legs {
			for _, s := range leg.Shares {
				if s.Probability < 0.999 {
					n++
				}
			}
		}
		return n
	}
	if many := doubted(); many < 2 {
		t.Fatalf("beams doubt %d segments, want several", many)
	}
	d.beams = 1
	if one := doubted(); one != 0 {
		t.Errorf("one beam doubts %d segments that it drove", one)
	}
}

// What is believed of an instant does not depend on which beams are alive in the end:
// those are mostly of one mind about what lies some ticks back.
func TestEarlyTicksStayInDoubt(t *testing.T) {
	net := block(t)
	legs := matchTicks(t, ticksOn(t, net.Network, plain{}), quick(net), nil).Legs
	first := legs[0].Instants[0]
	sum, most := 0.0, 0.0
	for _, s := range first.Shares {
		sum, most = sum+float64(s.Probability), max(most, float64(s.Probability))
	}
	if len(first.Shares) < 2 || most > 0.99 || math.Abs(sum-1) > 0.02 {
		t.Errorf("at the first tick %v, want several segments that together are certain", first.Shares)
	}
}

// The ways that are left out may be the true ones, the more the longer nothing was seen.
func TestWhatIsNotFollowedLeavesDoubt(t *testing.T) {
	net := block(t)
	d := ticksOn(t, net.Network, plain{})
	d.beams = 1
	instants := matchTicks(t, d, drive(net), nil).Legs[0].Instants
	last := 1.0
	for k, at := range instants {
		sum := 0.0
		for _, s := range at.Shares {
			sum += float64(s.Probability)
		}
		sample := k == len(instants)-1
		if sample && sum < 0.999 || !sample && k > 0 && sum >= last || sum < 0.5 {
			t.Errorf("at instant %d of %d the segments have probability %v together, %v before", k, len(instants), sum, last)
		}
		last = sum
	}
}

// A temperature evens the probabilities out.
func TestATemperatureLessensWhatTheTicksAreSureOf(t *testing.T) {
	net := block(t)
	sure := func(temperature float64) (sum float64) {
		d := ticksOn(t, net.Network, plain{})
		d.temperature = temperature
		for _, leg := range matchTicks(t, d, quick(net), nil).Legs {
			for _, s := range leg.Shares {
				sum += math.Abs(float64(s.Probability) - 0.5)
			}
		}
		return sum
	}
	if cold, as, hot := sure(0.5), sure(1), sure(4); !(cold > as && as > hot) {
		t.Errorf("sure of the segments driven by %v at a half, %v as they are, %v at four times the temperature", cold, as, hot)
	}
}

func TestPinsHoldTheTicks(t *testing.T) {
	net := block(t)
	d := ticksOn(t, net.Network, plain{})
	res := matchTicks(t, d, quick(net), []match.Pin{{Sample: 1, Segment: net.Seg("BEFC")}})
	if at := res.Matches[1].At.Segment; at != net.Seg("BEFC") || len(res.Matches[1].Candidates) != 1 {
		t.Errorf("the pinned sample is matched to %v of %v", at, res.Matches[1].Candidates)
	}
	forbidden := matchTicks(t, d, quick(net), nil).Matches[1].At.Segment
	res = matchTicks(t, d, quick(net), []match.Pin{{Sample: 1, Segment: forbidden, Forbid: true}})
	if res.Matches[1].At.Segment == forbidden {
		t.Error("the sample is matched to the segment that is forbidden")
	}
}

func TestWhatASampleDoesNotLieOnIsNotDrivenAroundIt(t *testing.T) {
	net := block(t)
	samples := quick(net)
	samples = []trajectory.Sample{samples[0], samples[2]}
	samples[1].Time = 60_000
	d := ticksOn(t, net.Network, plain{})
	driven := matchTicks(t, d, samples, nil).Legs[0].Path
	if net.Path(driven) != "AB BC CD" {
		t.Fatalf("path %s", net.Path(driven))
	}
	around := matchTicks(t, d, samples, []match.Pin{{Sample: 0, Segment: driven[1], Forbid: true}}).Legs[0].Path
	if net.Path(around) != "AB BEFC CD" {
		t.Errorf("path %s, want the one around what is forbidden", net.Path(around))
	}
}

// Restrictions over several junctions are kept, though the search for what can be
// reached does not look at them.
func TestTicksKeepRestrictionsOverAWay(t *testing.T) {
	drawing := `
	    A---B---C---D
	            |
	            G
	`
	ways := []string{"AB highway=residential", "BC highway=residential", "CD highway=residential", "CG highway=residential"}
	drivenOn := func(net *roadnettest.Net) []roadnet.SegmentID {
		var samples []trajectory.Sample
		for i, at := range []roadnet.Position{net.Pos("AB", 0.2), net.Pos("CG", 0.8)} {
			p := net.At(at)
			samples = append(samples, trajectory.Sample{Time: int64(i) * 45_000, Lon: p.Lon, Lat: p.Lat})
		}
		return matchTicks(t, ticksOn(t, net.Network, plain{}), samples, nil).Legs[0].Path
	}
	free := roadnettest.Draw(t, 100, drawing, ways...)
	if path := free.Path(drivenOn(free)); !strings.Contains(path, "AB BC CG") {
		t.Fatalf("path %s: the way that is to be forbidden is not driven", path)
	}
	net := roadnettest.Draw(t, 100, drawing, append(ways, "no_right_turn AB BC CG")...)
	if path := drivenOn(net); !net.Drivable(path) {
		t.Errorf("path %s", net.Path(path))
	}
}

func TestNoWayThroughTheTicksLeavesTheMatching(t *testing.T) {
	net := block(t)
	samples := quick(net)
	samples[2].Time = samples[1].Time + 1000 // three hundred metres in a second
	d := ticksWith(t, net.Network, TickModel{Encoder: plain{}, Scorer: plain{}, Ticks: feature.TickSettings{Reach: 0.2, Late: 0.2, UTurn: 10, Cap: 64, Beta: 15}}, 1)
	res := matchTicks(t, d, samples, nil)
	for _, leg := range res.Legs {
		if !leg.Unmodelled || len(leg.Path) == 0 || leg.Times != nil {
			t.Errorf("leg %+v: want that of the matching, and told so", leg)
		}
	}
}

func TestAFailingModelOfTicksIsAnError(t *testing.T) {
	net := block(t)
	want := errors.New("the device is gone")
	if _, err := ticksOn(t, net.Network, plain{fail: want}).Match(context.Background(), drive(net), nil); !errors.Is(err, want) {
		t.Errorf("error %v", err)
	}
}

// A long trip looks at every tick whether it is called off, and ends at that look.
func TestALongTripOfTicksIsCancelledAtAnyStep(t *testing.T) {
	net := block(t)
	samples := toAndFro(net, 20)
	d := ticksOn(t, net.Network, plain{})
	whole := canceltest.Never()
	if _, err := d.Match(whole, samples, nil); err != nil {
		t.Fatal(err)
	}
	if ticks := 16 * (len(samples) - 1); whole.Looks < ticks {
		t.Errorf("%d looks in %d ticks", whole.Looks, ticks)
	}
	for most := 0; most < whole.Looks; most += 23 {
		ctx := canceltest.After(most)
		if _, err := d.Match(ctx, samples, nil); !errors.Is(err, context.Canceled) || ctx.Looks > most+2 { // to tell, it looks again
			t.Fatalf("cancelled at look %d: error %v after %d", most, err, ctx.Looks)
		}
	}
}

// Paths are connected on any network, and no tick goes back.
func TestTicksAreConnectedOnAnyNetwork(t *testing.T) {
	for seed := range uint64(5) {
		net := roadnettest.Random(seed, 10)
		d := ticksOn(t, net, plain{})
		b := net.Info().Bounds
		var samples []trajectory.Sample
		for i := range 5 {
			share := float64(i+1) / 6
			samples = append(samples, trajectory.Sample{Time: int64(i) * 40_000, Lon: b.MinLon + share*(b.MaxLon-b.MinLon), Lat: b.Center().Lat})
		}
		for _, leg := range matchTicks(t, d, samples, nil).Legs {
			for k := 1; k < len(leg.Path); k++ {
				back, ok := net.Reverse(leg.Path[k-1])
				if !slices.Contains(net.Next(leg.Path[k-1]), leg.Path[k]) && !(ok && back == leg.Path[k]) {
					t.Fatalf("seed %d: the path leaps from %d to %d", seed, leg.Path[k-1], leg.Path[k])
				}
			}
		}
	}
}

// tallying counts how often an encoder is asked about samples.
type tallying struct {
	plain
	asked *int
}

func (c tallying) Encode(road []float32, points *feature.Points, environment []float32) (h, whole []float32, err error) {
	*c.asked++
	return c.plain.Encode(road, points, environment)
}

// Where a path is not one that a vehicle drives, and map matching leaves out no sample,
// the ticks are not gone through again: all would be found once more.
func TestTheSameSamplesAreGoneThroughOnce(t *testing.T) {
	net := block(t)
	asked := 0
	d := ticksWith(t, net.Network, TickModel{Encoder: tallying{asked: &asked}, Scorer: plain{}, Ticks: feature.DefaultTicks()}, 1)
	samples := drive(net)
	for i := range samples {
		samples[i].Time = int64(i) * 8000
	}
	res := matchTicks(t, d, samples, nil)
	err := d.searchers.with(context.Background(), func(s *searcher) error {
		for _, leg := range res.Legs {
			from, to := res.Matches[leg.From].At, res.Matches[leg.To].At
			if leg.Unmodelled || leg.Broken || s.matcher.Plain(s.matcher.Drive(leg.Path, from, to), from, to, 8) {
				t.Errorf("the leg %+v is not what is to be tested", leg)
			}
		}
		return nil
	})
	if err != nil || len(res.Legs) != 2 || asked != 1 {
		t.Errorf("%d legs; the encoder was asked %d times: %v", len(res.Legs), asked, err)
	}
}
