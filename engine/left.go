package engine

import (
	"slices"

	"retrace/engine/match"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// So many samples without a road near that last so long say that the vehicle left the
// network; of fewer a receiver may have been wrong. Where all lie within so many metres it
// was in a car park, a yard or the like.
const (
	leftSamples = 3
	leftMillis  = 10_000
	yard        = 250.0
)

// leave breaks the path where the vehicle left the network, and says why: no road that is
// drawn there was driven.
func leave(net *roadnet.Network, samples []trajectory.Sample, res *match.Result) {
	for i := range res.Legs {
		l := &res.Legs[i]
		var off []trajectory.Sample
		for s := l.From + 1; s < l.To; s++ {
			if res.Matches[s].State == trajectory.OffRoad {
				off = append(off, samples[s])
			}
		}
		if len(off) < leftSamples || off[len(off)-1].Time-off[0].Time < leftMillis {
			continue
		}
		*l = match.Leg{From: l.From, To: l.To, Broken: true, Why: whither(net, off)}
		res.Alternatives = slices.DeleteFunc(res.Alternatives, func(a trajectory.Alternative) bool {
			return int(a.FromSample) == l.From && int(a.ToSample) == l.To
		})
	}
}

// whither says where samples are that no road is near.
func whither(net *roadnet.Network, off []trajectory.Sample) trajectory.Why {
	why, bounds := trajectory.CarPark, net.Info().Bounds
	first := roadnet.Point{Lon: off[0].Lon, Lat: off[0].Lat}
	for _, s := range off {
		p := roadnet.Point{Lon: s.Lon, Lat: s.Lat}
		if !bounds.Contains(p) {
			return trajectory.Outside
		}
		if roadnet.Distance(first, p) > yard {
			why = trajectory.NewRoad
		}
	}
	return why
}
