package citymodel

import (
	"math"

	"retrace/engine/feature"
	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// never is the logarithm of the mask of a segment that is no candidate.
const never = -1e9

// describer tells a system of samples, for one goroutine at a time.
type describer struct {
	net         *roadnet.Network
	city        *feature.Frame
	beta        float64 // metres
	points      *feature.PointMaker
	trips       *feature.TripMaker
	trip        feature.Trip // the candidates last found
	environment feature.Environment
}

func newDescriber(net *roadnet.Network, m *Model) (*describer, error) {
	points, err := feature.NewPointMaker(net, m.Points)
	if err != nil {
		return nil, err
	}
	return &describer{
		net: net, city: &m.City.Frame, beta: m.City.Beta, points: points,
		trips: feature.NewTripMaker(net, m.Routes), environment: feature.NewEnvironment(net.Info().TimeZone),
	}, nil
}

// fill describes samples in order of time.
func (d *describer) fill(in *Samples, all []known) {
	samples := make([]trajectory.Sample, len(all))
	for i := range all {
		samples[i] = all[i].Sample
	}
	d.points.Fill(&in.Points, samples)
	in.Cells, in.XY = in.Cells[:0], in.XY[:0]
	for _, s := range samples {
		p := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
		east, north := d.city.XY(p)
		in.Cells, in.XY = append(in.Cells, d.city.CellOf(p)), append(in.XY, east, north)
	}
	in.Environment = make([]float32, feature.CurrentSchema().Width("environment"))
	d.environment.Fill(in.Environment, samples[0].Time)
}

// candidates of samples, of which pins may know more, none where no road is near.
// Places are those of the samples in the trajectory; a segment that the first was
// found on before holds it to that. They are valid until the next call, and not to be
// used where the maker of trips was told to end.
func (d *describer) candidates(samples []trajectory.Sample, places []int, pins match.Pins, held *roadnet.SegmentID) *feature.Trip {
	d.trips.FillCandidates(&d.trip, samples, func(i int, found []roadnet.Hit) []roadnet.Hit {
		p := roadnet.Point{Lon: samples[i].Lon, Lat: samples[i].Lat}
		if i == 0 && held != nil {
			return []roadnet.Hit{d.net.Project(p, *held)}
		}
		if id, ok := pins.Pinned(places[i]); ok {
			return []roadnet.Hit{d.net.Project(p, id)}
		}
		return pins.Keep(places[i], found)
	})
	return &d.trip
}

// between is the logarithm of c (eq. 24) at a tick without a sample: nothing is ruled
// out but the segments that are known not to be driven there.
func (d *describer) between(mask []float32, avoid []roadnet.SegmentID) {
	clear(mask)
	for _, id := range avoid {
		mask[id] = never
	}
}

// at is the logarithm of c at a tick with a sample: what is no candidate is as good as
// impossible.
func (d *describer) at(mask []float32, candidates []roadnet.Hit) {
	for i := range mask {
		mask[i] = never
	}
	for _, h := range candidates {
		off := math.Min(h.Distance, farthest) / d.beta
		mask[h.Segment] = max(mask[h.Segment], float32(-off*off))
	}
}

// farthest is how far off a candidate counts at the most, metres: as the systems were
// trained, on the distance as the schema's tensor "candidates" has it.
const farthest = 300
