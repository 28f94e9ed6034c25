package work

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/simulate/city"
	"retrace/engine/trajectory"
	"retrace/ui/sample"
	"retrace/ui/state"
)

// simulateTrips makes the sample's trips, whose truth is known.
func simulateTrips(ctx context.Context, net *roadnet.Network) ([]*state.Trip, error) {
	var trips []*state.Trip
	for t, err := range sample.Trips(ctx, net, city.DefaultSeed, 0) {
		if err != nil {
			return nil, err
		}
		t.Trajectory.ID = lang.L("Trip {{.N}}", map[string]any{"N": len(trips) + 1})
		trip := state.NewTrip(t.Trajectory, nil, pathsOf(net, t.Truth))
		trip.True = slim(t.Truth, net)
		trips = append(trips, trip)
	}
	return trips, nil
}

// pathsOf are the driven paths of a recovery as points, a slice a part.
func pathsOf(net *roadnet.Network, r *trajectory.Recovery) [][]roadnet.Point {
	var paths [][]roadnet.Point
	for _, p := range r.Parts {
		paths = append(paths, pathOf(net, p))
	}
	return paths
}

func pathOf(net *roadnet.Network, p trajectory.Part) []roadnet.Point {
	var path, buf []roadnet.Point
	for i, s := range p.Segments {
		from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		buf = stretch(net, s, from, to, buf[:0])
		path = append(path, buf...)
	}
	return path
}

// stretch appends the geometry of a segment between two ratios.
func stretch(net *roadnet.Network, s roadnet.SegmentID, from, to float64, buf []roadnet.Point) []roadnet.Point {
	if from <= 0 && to >= 1 {
		return net.Geometry(s, buf)
	}
	length := net.Length(s)
	buf = append(buf, net.At(roadnet.Position{Segment: s, Ratio: from}))
	for _, v := range net.Vertices(s, nil) {
		if v.Along > from*length && v.Along < to*length {
			buf = append(buf, v.Coord.Point())
		}
	}
	return append(buf, net.At(roadnet.Position{Segment: s, Ratio: to}))
}
