package metrics

import (
	"math"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// flyover is a deck from B to D over a road on the ground, with ramps in its middle.
func flyover(t *testing.T) *roadnettest.Net {
	return roadnettest.Draw(t, 25, `
		A---B-------C-------D---E

		    F-------G-------H
	`, "ABF", "FGH", "HDE", "CG", "BCD highway=motorway bridge=yes layer=1")
}

// driving is a recovery of one path with ticks at some metres of it, every 15 s. The
// first and the last are observed.
func driving(net *roadnettest.Net, metres []float64, path ...string) *trajectory.Recovery {
	part := trajectory.Part{EndRatio: 1}
	for _, letters := range path {
		part.Segments = append(part.Segments, net.Seg(letters))
	}
	rec := &trajectory.Recovery{Trajectory: "trip", Parts: []trajectory.Part{part}}
	for i, along := range metres {
		at, rest := roadnet.Position{}, along
		for k, id := range part.Segments {
			if at = (roadnet.Position{Segment: id, Ratio: rest / net.Length(id)}); at.Ratio <= 1 || k == len(part.Segments)-1 {
				break
			}
			rest -= net.Length(id)
		}
		p := net.At(at)
		rec.Ticks = append(rec.Ticks, trajectory.Tick{Time: int64(15000 * i), Lon: p.Lon, Lat: p.Lat, At: at, Along: along,
			Observed: i == 0 || i == len(metres)-1})
	}
	return rec
}

func TestThePathOfAStretchIsToldWhenever(t *testing.T) {
	net := flyover(t)
	s := NewScorer(net.Network)
	truth := driving(net, []float64{0, 100, 200, 300, 400, 500, 600}, "AB", "BC", "CD", "DE")
	late := []float64{0, 20, 40, 60, 80, 100, 600}
	for name, c := range map[string]struct {
		got  *trajectory.Recovery
		want float64
	}{
		"exact":      {truth, 1},
		"late":       {driving(net, late, "AB", "BC", "CD", "DE"), 1},
		"below":      {driving(net, late, "AB", "BF", "FG", "GH", "HD", "DE"), 0},
		"half below": {driving(net, late, "AB", "BC", "CG", "GH", "HD", "DE"), 2 * 200. / (400 + 200 + 50 + 200 + 50)},
		"missing":    {nil, 0},
		"no path":    {&trajectory.Recovery{Ticks: truth.Ticks}, 0},
	} {
		got, ok := s.driven(truth, c.got, &truth.Ticks[1], &truth.Ticks[5])
		if !ok || math.Abs(got-c.want) > 1e-3 { // lengths are rounded to 1 cm
			t.Errorf("%s: F1 of the path is %.4f, want %.4f", name, got, c.want)
		}
	}
	if _, ok := s.driven(truth, truth, &truth.Ticks[2], &truth.Ticks[2]); ok {
		t.Error("a stretch that goes nowhere has a path")
	}
	score := s.Score(truth, sparse(truth, 0, 6), driving(net, late, "AB", "BC", "CD", "DE"))
	checkFigures(t, map[[2]string]float64{{SectionElevated, "SR%50"}: 0, {SectionElevated, "SR%90 of the path driven"}: 1}, score)
}
