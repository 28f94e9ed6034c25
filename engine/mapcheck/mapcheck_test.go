package mapcheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"retrace/engine"
	"retrace/engine/mapcheck"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// drive is a trip along straight lines between letters at 10 m/s with a point every so
// many seconds, some metres off.
func drive(net *roadnettest.Net, id, letters string, seconds int, noise *rand.Rand) *trajectory.Trajectory {
	t := &trajectory.Trajectory{ID: id}
	now := int64(0)
	put := func(p roadnet.Point) {
		t.Samples = append(t.Samples, trajectory.Sample{Time: now,
			Lon: p.Lon + noise.NormFloat64()*4/111195, Lat: p.Lat + noise.NormFloat64()*4/111195})
		now += int64(seconds) * 1000
	}
	for i := 1; i < len(letters); i++ {
		a, b := net.Point(rune(letters[i-1])), net.Point(rune(letters[i]))
		steps := int(roadnet.Distance(a, b) / float64(10*seconds))
		for k := range steps {
			share := float64(k) / float64(steps)
			put(roadnet.Point{Lon: a.Lon + (b.Lon-a.Lon)*share, Lat: a.Lat + (b.Lat-a.Lat)*share})
		}
	}
	put(net.Point(rune(letters[len(letters)-1])))
	return t
}

// findings are what trips along these letters say, each driven so often.
func findings(t *testing.T, net *roadnettest.Net, seconds, times int, drives ...string) []mapcheck.Finding {
	t.Helper()
	r, err := engine.NewRecoverer(net.Network, engine.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	c := mapcheck.New(net.Network, 0)
	noise := rand.New(rand.NewPCG(1, 2))
	for i := range times {
		for _, letters := range drives {
			trip := drive(net, fmt.Sprintf("%s%d", letters, i), letters, seconds, noise)
			rec, err := r.Recover(context.Background(), trip, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.Add(trip.Samples, rec)
		}
	}
	return c.Findings()
}

// The road from B to C is not on the map: three trips that drive it say so, once.
func TestARoadThatTheMapLacksIsFound(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
     G
     |
A----B      C----D
     |      |
     |      |
     |      |
     |      |
     |      |
     |      |
     |      |
     |      |
     E------F`, "AB", "CD", "GBE", "EF", "CF")
	got := findings(t, net, 5, 3, "ABCD")
	if len(got) != 1 || got[0].Kind != mapcheck.MissingRoad || got[0].Trips != 3 || got[0].Road != nil {
		t.Fatalf("found %+v", got)
	}
	first, last := got[0].Line[0], got[0].Line[len(got[0].Line)-1]
	if d := roadnet.Distance(first, net.Point('B')); d > 150 {
		t.Errorf("the missing road begins %.0f m from B", d)
	}
	if d := roadnet.Distance(last, net.Point('C')); d > 150 {
		t.Errorf("the missing road ends %.0f m from C", d)
	}
	if len(got[0].Some) != 3 || got[0].Some[0] != "ABCD0" {
		t.Errorf("it is said by %v", got[0].Some)
	}
}

func TestTwoTripsSayNothing(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
     G
     |
A----B      C----D
     |      |
     E------F`, "AB", "CD", "GBE", "EF", "CF")
	if got := findings(t, net, 5, 2, "ABCD"); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

// Many trips along the roads of the map find nothing wrong with it, one-way ones and
// dual carriageways included.
func TestDrivesOnTheMapSayNothing(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
A----B----C
|    |    |
D----E----F`, "ABC oneway=yes", "FED oneway=yes", "DA", "BE", "CF")
	if got := findings(t, net, 5, 5, "ABCFEDA", "DABEDABC"); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

func TestAOneWayRoadThatIsDrivenAgainstIsFound(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
A----B----C
|    |    |
D----E----F`, "ABC oneway=yes id=7 name=Wrong_Street", "FED oneway=yes", "DA", "BE", "CF")
	got := findings(t, net, 5, 4, "FCBAD", "ABEDA")
	if len(got) != 1 || got[0].Kind != mapcheck.AgainstOneWay || got[0].Trips != 4 {
		t.Fatalf("found %+v", got)
	}
	if got[0].Road == nil || net.Segment(*got[0].Road).Way != 7 {
		t.Errorf("the road is %v", got[0].Road)
	}
	if got[0].Length < 900 || got[0].Length > 1100 {
		t.Errorf("%.0f m are driven against it, want about 1000", got[0].Length)
	}
}

// A vehicle that stands in a one-way road jitters to and fro; it does not drive.
func TestJitterIsNoDrive(t *testing.T) {
	net := roadnettest.Draw(t, 100, `A----B----C`, "ABC oneway=yes")
	c := mapcheck.New(net.Network, 1)
	noise := rand.New(rand.NewPCG(3, 4))
	var samples []trajectory.Sample
	for i := range 500 {
		p := net.PointNear('B', noise.NormFloat64()*6, noise.NormFloat64()*6)
		samples = append(samples, trajectory.Sample{Time: int64(i) * 1000, Lon: p.Lon, Lat: p.Lat})
	}
	c.Add(samples, &trajectory.Recovery{Trajectory: "stands"})
	if got := c.Findings(); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}
