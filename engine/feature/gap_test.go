package feature

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

func TestRoutesBetweenCandidates(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
	    A---B---C---D
	        |   |
	        E---F
	`,
		"ABCD highway=primary", "BEFC highway=residential", "B highway=traffic_signals",
	)
	m := NewTripMaker(net.Network, DefaultRoutes())
	var trip Trip
	samples := samplesAt(net.PointNear('A', 200, 5), net.PointNear('D', -200, 5))
	samples[1].Time = 180_000 // time enough for the way round the block
	m.Fill(&trip, samples, nil)
	found := map[string]bool{}
	for _, o := range trip.OptionsOf(0) {
		found[net.Path(o.Segments)] = true
	}
	if !found["AB BC CD"] || !found["AB BEFC CD"] {
		t.Fatalf("routes %v, want both ways round the block", found)
	}
	for k, o := range trip.Options {
		row := trip.RouteValues[k*trip.RouteColumns : (k+1)*trip.RouteColumns]
		if net.Path(o.Segments) != "AB BC CD" {
			continue
		}
		for name, want := range map[string]float64{
			"share_primary": 1, "turns_left": 0, "turns_right": 0, "u_turns": 0, "signals": 0.25, "junctions": math.Log1p(2) / 4,
		} {
			if got := column(t, routeColumns(), row, name); math.Abs(float64(got)-want) > 1e-5 {
				t.Errorf("%s of the straight route is %v, want %v", name, got, want)
			}
		}
	}
}

func TestPiecesCoverTheRoute(t *testing.T) {
	net := crossroads(t)
	path := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BD")}
	from, to := net.Pos("AB", 0.25), net.Pos("BD", 0.5)
	pieces := Pieces(net.Network, path, from, to, nil)
	sum := 0.0
	for i, p := range pieces {
		sum += p.Length
		if p.Length > 1.5*pieceLength {
			t.Errorf("piece %d has %v m", i, p.Length)
		}
		if i > 0 && pieces[i-1].Segment == p.Segment && pieces[i-1].To != p.From {
			t.Errorf("piece %d begins at %v, the one before ends at %v", i, p.From, pieces[i-1].To)
		}
	}
	if want := 0.75*net.Length(path[0]) + 0.5*net.Length(path[1]); math.Abs(sum-want) > 1e-6 {
		t.Errorf("the pieces have %v m, the route %v", sum, want)
	}
	m := pieceMaker{net: net.Network}
	signals := 0
	for i := range pieces {
		values := make([]float32, len(pieceColumns()))
		m.fill(pieces, i, 0, &pieceFacts{own: flow{seconds: 60, length: sum}}, &row{values})
		within(t, 0, "pieces", values, pieceColumns())
		if column(t, pieceColumns(), values, "signal") == 1 {
			signals++
			if turn := column(t, pieceColumns(), values, "turn"); math.Abs(float64(turn)-1) > 0.02 {
				t.Errorf("the turn at the signal is %v right angles", turn)
			}
		}
	}
	if signals != 1 {
		t.Errorf("the signal at B is on %d pieces", signals)
	}
}

func TestTripsOnRandomNetworks(t *testing.T) {
	for seed := range uint64(6) {
		net := roadnettest.Random(seed, 10)
		m := NewTripMaker(net, DefaultRoutes())
		b := net.Info().Bounds
		samples := samplesAt(b.Center(), roadnet.Point{Lon: b.Center().Lon + 0.004, Lat: b.Center().Lat}, b.Center())
		var trip, again Trip
		m.Fill(&trip, samples, nil)
		within(t, seed, "candidates", trip.CandidateValues, candidateColumns())
		within(t, seed, "routes", trip.RouteValues, routeColumns())
		NewTripMaker(net, DefaultRoutes()).Fill(&again, samples, nil)
		if a, b := text(t, trip), text(t, again); !bytes.Equal(a, b) {
			t.Errorf("seed %d: the same trip has other features the second time", seed)
		}
	}
}

func text(t *testing.T, trip Trip) []byte {
	t.Helper()
	b, err := json.Marshal(trip)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
