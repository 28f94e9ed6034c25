package feature

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Traffic is what the trips of many vehicles tell of the segments of a network:
// how many drove each, and at which pace. It is gathered from recovered trips,
// sparse ones too. It is filled by one goroutine, and may then be read by several.
type Traffic struct {
	net  *roadnet.Network
	sums []passing

	// So that a trip does not learn from itself: whose a sample is, and what each
	// trip told.
	owners map[uint64]int32
	trips  [][]ownPassing
	gone   int // trips that were replaced

	passes, squares int64 // of all segments: the sum of the trips, and of their squares
}

// passing sums up the trips over one segment. The sums are whole numbers, so that
// they do not depend on the order of trips, and one trip can be taken out again.
type passing struct {
	trips  int64 // that drove it
	weight int64 // of what is known of its pace: shares of gaps, in grains
	slow   int64 // the sum of weight x ln(time / free-flow time), in grains
}

const grains = 1 << 20 // to 1

type ownPassing struct {
	segment roadnet.SegmentID
	passing
}

// NewTraffic is a network of which no trip is known yet.
func NewTraffic(net *roadnet.Network) *Traffic {
	return &Traffic{net: net, sums: make([]passing, net.NumSegments()), owners: make(map[uint64]int32)}
}

// Trips is how many trips were gathered.
func (t *Traffic) Trips() int { return len(t.trips) - t.gone }

// A gap shorter than this tells of waiting, not of the pace of a road, metres.
const shortGap = 50

// Add gathers what was driven over the gaps of one trip, and the seconds that
// each took. A trip that begins with a sample of one that is there replaces it.
func (t *Traffic) Add(samples []trajectory.Sample, ways []Way, seconds []float64) {
	t.forget(samples)
	own := make(map[roadnet.SegmentID]passing)
	for i, w := range ways {
		t.gather(own, w, flowOf(t.net, w, seconds[i]))
	}
	list := make([]ownPassing, 0, len(own))
	for id, p := range own {
		list = append(list, ownPassing{id, p})
		t.change(id, p, 1)
	}
	for _, s := range samples {
		t.owners[keyOf(s)] = int32(len(t.trips))
	}
	t.trips = append(t.trips, list)
}

// keyOf tells a sample from those of other trips.
func keyOf(s trajectory.Sample) uint64 {
	var bytes [24]byte
	binary.LittleEndian.PutUint64(bytes[:], uint64(s.Time))
	binary.LittleEndian.PutUint64(bytes[8:], math.Float64bits(s.Lon))
	binary.LittleEndian.PutUint64(bytes[16:], math.Float64bits(s.Lat))
	h := fnv.New64a()
	h.Write(bytes[:])
	return h.Sum64()
}

// of is what the trip of a sample told itself, nil where it is not among those
// gathered.
func (t *Traffic) of(s trajectory.Sample) []ownPassing {
	if i, ok := t.owners[keyOf(s)]; ok {
		return t.trips[i]
	}
	return nil
}

// gather adds a gap to what is known of one trip.
func (t *Traffic) gather(own map[roadnet.SegmentID]passing, w Way, f flow) {
	slow := 0.0
	if f.length >= shortGap {
		slow = min(max(math.Log(max(f.seconds, 1)/max(f.freeTime, 1)), -1.5), 2.5)
	}
	for i, id := range w.Segments {
		begin, end := roadnet.Driven(i, len(w.Segments), w.From.Ratio, w.To.Ratio)
		p := own[id]
		p.trips = 1
		if f.length >= shortGap {
			share := max(0, end-begin) * t.net.Length(id) / f.length
			p.weight += int64(math.Round(share * grains))
			p.slow += int64(math.Round(share * slow * grains))
		}
		own[id] = p
	}
}

func (t *Traffic) forget(samples []trajectory.Sample) {
	if len(samples) == 0 {
		return
	}
	i, ok := t.owners[keyOf(samples[0])]
	if !ok {
		return
	}
	for _, p := range t.trips[i] {
		t.change(p.segment, p.passing, -1)
	}
	if t.trips[i] != nil {
		t.gone++
	}
	t.trips[i] = nil
}

func (t *Traffic) change(id roadnet.SegmentID, p passing, sign int64) {
	s := &t.sums[id]
	t.passes -= s.trips
	t.squares -= s.trips * s.trips
	s.trips += sign * p.trips
	s.weight += sign * p.weight
	s.slow += sign * p.slow
	t.passes += s.trips
	t.squares += s.trips * s.trips
}

// typical is how many trips drove the segment that a vehicle is seen on.
func (t *Traffic) typical() float64 { return float64(t.squares) / float64(max(t.passes, 1)) }

// others is what the trips but one tell; of nothing where no traffic is known.
type others struct {
	traffic *Traffic // nil: none is known
	own     map[roadnet.SegmentID]passing
	typical float64
}

// without leaves out the trip that some samples are of. T may be nil.
func (t *Traffic) without(samples []trajectory.Sample) others {
	if t == nil || len(samples) == 0 {
		return others{}
	}
	o := others{traffic: t, typical: t.typical()}
	if list := t.of(samples[0]); len(list) > 0 {
		o.own = make(map[roadnet.SegmentID]passing, len(list))
		for _, p := range list {
			o.own[p.segment] = p.passing
		}
	}
	return o
}

func (o *others) known() bool { return o.traffic != nil }

func (o *others) of(id roadnet.SegmentID) passing {
	if o.traffic == nil {
		return passing{}
	}
	p, own := o.traffic.sums[id], o.own[id]
	return passing{p.trips - own.trips, p.weight - own.weight, p.slow - own.slow}
}

// passes is ln(1 + trips)/8.
func (p passing) passes() float64 { return math.Log1p(float64(p.trips)) / 8 }

// busy compares the trips over a segment with those over a typical one:
// ln of the ratio/4.
func (o *others) busy(p passing) float64 {
	if o.traffic == nil {
		return 0
	}
	return math.Log((float64(p.trips)+1)/(o.typical+1)) / 4
}

// pace is the usual ln(time / free-flow time), nearer to 0 the less is known.
func (p passing) pace() float64 { return float64(p.slow) / (float64(p.weight) + grains/2) }

// candidateTraffic, routeTraffic and pieceTraffic are the last columns of
// candidates, options and pieces: what was gathered of their segments.

func candidateTraffic() []Column {
	return []Column{
		flag("traffic", Gathered),
		scaled("passes", "ln(1 + trips)/8", Gathered, 0, 2),
		scaled("busy", "ln of the trips over those of a typical segment / 4", Gathered, -3, 3),
	}
}

func (o *others) fillCandidate(id roadnet.SegmentID, r *row) {
	p := o.of(id)
	r.put(bit(o.known()), clamp(p.passes(), 0, 2), clamp(o.busy(p), -3, 3))
}

func routeTraffic() []Column {
	return []Column{
		flag("traffic", Gathered),
		scaled("passes", "ln(1 + trips)/8, mean over the length", Gathered, 0, 2),
		scaled("passes_least", "ln(1 + trips)/8 of the segment with the fewest", Gathered, 0, 2),
		scaled("passed", "share of the length that any trip drove", Gathered, 0, 1),
		scaled("busy", "ln of the trips over those of a typical segment / 4, mean over the length", Gathered, -3, 3),
		scaled("usual", "usual time / gap", Gathered, 0, 3),
	}
}

func (o *others) fillRoute(net *roadnet.Network, route roadnet.Route, from, to roadnet.Position, seconds float64, r *row) {
	if !o.known() {
		r.put(0, 0, 0, 0, 0, 0)
		return
	}
	var length, passes, passed, busy, usual float64
	least := math.Inf(1)
	for i, id := range route.Segments {
		begin, end := roadnet.Driven(i, len(route.Segments), from.Ratio, to.Ratio)
		metres := max(0, end-begin)*net.Length(id) + 0.01 // of a vehicle that stands too
		p := o.of(id)
		length += metres
		passes += metres * p.passes()
		busy += metres * o.busy(p)
		usual += metres / net.FreeFlow(id) * math.Exp(p.pace())
		least = min(least, p.passes())
		if p.trips > 0 {
			passed += metres
		}
	}
	r.put(1, clamp(passes/length, 0, 2), clamp(least, 0, 2), clamp(passed/length, 0, 1), clamp(busy/length, -3, 3),
		clamp(usual/max(seconds, 1), 0, 3))
}

func pieceTraffic() []Column {
	return []Column{
		flag("traffic", Gathered),
		scaled("passes", "ln(1 + trips)/8", Gathered, 0, 2),
		scaled("busy", "ln of the trips over those of a typical segment / 4", Gathered, -3, 3),
		scaled("pace", "usual ln of time over free-flow time / 2", Gathered, -1, 1.5),
		scaled("pace_known", "ln(1 + weight of what is known of the pace)/4", Gathered, 0, 3),
	}
}

func (o *others) fillPiece(id roadnet.SegmentID, r *row) {
	p := o.of(id)
	r.put(bit(o.known()), clamp(p.passes(), 0, 2), clamp(o.busy(p), -3, 3),
		clamp(p.pace()/2, -1, 1.5), clamp(math.Log1p(float64(p.weight)/grains)/4, 0, 3))
}
