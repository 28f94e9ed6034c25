package render

import (
	"context"
	"testing"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// town is a small network with a little of everything.
func town(tb testing.TB) *roadnettest.Net {
	return roadnettest.Draw(tb, 40, `
		A------B--------C-------D------E
		|      |        |       |      |
		F------G---H----I-------J------K
		|      |        |       |      |
		L------M--------N---O---P------Q
		|      |        |       |      |
		R------S--------T-------U------V
	`,
		"LM highway=motorway oneway=yes ref=A_20",
		"MNO highway=motorway oneway=yes bridge=yes layer=1 ref=A_20 lanes=2",
		"OPQ highway=motorway oneway=yes ref=A_20",
		"ABCDE highway=primary name=Avenida_da_Liberdade ref=N_12",
		"FGHIJK highway=secondary name=Rua_de_Santa_Catarina",
		"RSTUV highway=tertiary name=Rua_do_Sol",
		"AFLR highway=residential name=Rua_Nova",
		"BGMS highway=residential oneway=yes name=Travessa_do_Carmo",
		"CINT highway=residential name=Rua_das_Flores",
		"DJ highway=unclassified tunnel=yes layer=-1",
		"JPU highway=living_street",
		"EKQV highway=service",
	)
}

// at is a place in the town: columns and rows of its drawing.
func at(column, row float64) roadnet.Point {
	const degree = earthCircle / 360
	return roadnet.Point{
		Lon: -8.61 + column*40/(degree*0.7530),
		Lat: 41.15 - row*40/degree,
	}
}

func ring(pts ...roadnet.Point) []roadnet.Coord {
	var out []roadnet.Coord
	for _, p := range pts {
		out = append(out, roadnet.CoordOf(p))
	}
	return out
}

// square is a ring around a box of the drawing.
func square(x0, y0, x1, y1 float64) []roadnet.Coord {
	return ring(at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1))
}

// townScene is the town over a background.
func townScene(tb testing.TB) *Scene {
	b := basemap.NewBuilder()
	for _, f := range []basemap.Feature{
		{Kind: basemap.BuiltUp, Rings: [][]roadnet.Coord{square(-2, -1, 33, 3)}},
		{Kind: basemap.Green, Name: "Parque", Rings: [][]roadnet.Coord{square(8, 0.4, 15, 1.6), square(10, 0.8, 12, 1.3)}},
		{Kind: basemap.Water, Name: "Rio", Rings: [][]roadnet.Coord{square(-2, 6.6, 33, 9)}},
		{Kind: basemap.Waterway, Name: "Ribeira", Rings: [][]roadnet.Coord{ring(at(20, 0), at(20.5, 3), at(19, 6.6))}},
		{Kind: basemap.Building, Rings: [][]roadnet.Coord{square(1, 0.5, 3, 1.5)}},
		{Kind: basemap.Rail, Rings: [][]roadnet.Coord{ring(at(-2, 5), at(16, 4.6), at(33, 5.2))}},
		{Kind: basemap.Place, Name: "Bonfim", Rank: basemap.RankSuburb, Rings: [][]roadnet.Coord{ring(at(4, 2.9))}},
	} {
		if _, err := b.Add(f); err != nil {
			tb.Fatal(err)
		}
	}
	bm, err := b.Build(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return &Scene{Network: town(tb).Network, Basemap: bm}
}

// townTrip is a trip over the town with a stretch of every kind.
func townTrip(tb testing.TB) Trip {
	n := town(tb)
	part := trajectory.Part{
		Segments:   []roadnet.SegmentID{n.Seg("FG"), n.Seg("GM"), n.Seg("MN"), n.Seg("NO"), n.Seg("OP"), n.Seg("PU"), n.Seg("UV")},
		StartRatio: 0.1, EndRatio: 0.6,
	}
	tr := &trajectory.Trajectory{ID: "t1"}
	rec := &trajectory.Recovery{Trajectory: "t1", Parts: []trajectory.Part{part}}
	var along float64
	for i, id := range part.Segments {
		for k := range 3 {
			p := n.At(roadnet.Position{Segment: id, Ratio: 0.15 + 0.3*float64(k)})
			rec.Ticks = append(rec.Ticks, trajectory.Tick{
				Time: int64(len(rec.Ticks)) * 15000, Lon: p.Lon, Lat: p.Lat, Along: along + (0.05+0.3*float64(k))*n.Length(id),
				At: roadnet.Position{Segment: id}, Probability: float32(0.5 + 0.03*float64(len(rec.Ticks))), Margin: 1,
			})
		}
		along += n.Length(id)
		if i%2 == 0 {
			p := n.At(roadnet.Position{Segment: id, Ratio: 0.2})
			tr.Samples = append(tr.Samples, trajectory.Sample{Time: int64(i) * 45000, Lon: p.Lon + 0.0002, Lat: p.Lat + 0.0001})
			rec.Matches = append(rec.Matches, trajectory.SampleMatch{At: roadnet.Position{Segment: id, Ratio: 0.2}})
			rec.Ticks[len(rec.Ticks)-3].Observed = true
			rec.Ticks[len(rec.Ticks)-3].Sample = uint32(len(tr.Samples) - 1)
		}
	}
	spoil(n, tr, rec)
	return Trip{
		Name: "Taxi 640", Trajectory: tr, Recovery: rec,
		Truth: [][]roadnet.Point{{at(0, 2.2), at(7, 2.2), at(7, 4.2), at(24, 4.2)}},
		Pins:  []Pin{{Sample: 0, Segment: n.Seg("GM"), At: at(7, 3)}},
	}
}

// spoil adds to a trip what is not plain: a sample left out, spans on and below
// decks, an unsure one, an alternative.
func spoil(n *roadnettest.Net, tr *trajectory.Trajectory, rec *trajectory.Recovery) {
	tr.Samples = append(tr.Samples, trajectory.Sample{Time: 400000, Lon: at(29, 1).Lon, Lat: at(29, 1).Lat})
	rec.Matches = append(rec.Matches, trajectory.SampleMatch{State: trajectory.OffRoad})
	deck := n.Length(n.Seg("FG"))*0.9 + n.Length(n.Seg("GM"))
	rec.Spans = []trajectory.Span{
		{From: 20, To: 140, Kind: trajectory.Below, Margin: 1},
		{From: deck, To: deck + n.Length(n.Seg("MN")), Kind: trajectory.OnDeck, Margin: 1, Probability: 0.9},
		{From: deck + n.Length(n.Seg("MN")), To: deck + n.Length(n.Seg("MN")) + 150, Kind: trajectory.OnDeck, Margin: 0.14, Probability: 0.57},
	}
	rec.Alternatives = []trajectory.Alternative{{
		FromSample: 0, ToSample: 2, Probability: 0.31,
		Part: trajectory.Part{Segments: []roadnet.SegmentID{n.Seg("GI"), n.Seg("IN")}, EndRatio: 1},
	}}
}
