package flow

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

func condition(t *testing.T, net *roadnettest.Net, text string) *Condition {
	t.Helper()
	c, err := ParseCondition(text, func(word string) ([]roadnet.SegmentID, error) {
		if found := net.Find(word); len(found) > 0 {
			return found, nil
		}
		return nil, fmt.Errorf("%s is no road", word)
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConditionsJoinRoads(t *testing.T) {
	net := block(t)
	way := []roadnet.SegmentID{net.Seg("AB"), net.Seg("BC"), net.Seg("CF")}
	for text, want := range map[string]bool{
		"AB": true, "BE": false, "AB then CF": true, "CF then AB": false, "AB and not BE": true, "not AB": false,
		"BE or CF": true, "AB then (BE or CF)": true, "AB then not CF": false, "CF then not AB": true, "BE and AB or CF": true, "BE and (AB or CF)": false,
		"AB then AB": false, "not (BE or EF)": true,
	} {
		if got := condition(t, net, text).Holds(way); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for text, want := range map[string]string{"": "missing at the end", "AB and": "missing at the end", "and AB": "and stands where", "(AB": "not closed", "AB)": ") stands where", "AB BC": "BC stands where",
		"XY": "XY is no road", strings.Repeat("(", 200) + "AB": "deep", strings.Repeat("not ", 200) + "AB": "deep"} {
		if _, err := ParseCondition(text, func(word string) ([]roadnet.SegmentID, error) {
			if word == "XY" {
				return nil, fmt.Errorf("%s is no road", word)
			}
			return nil, nil
		}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Of the three trips one drove by E and F with a chance of 1/3: drawn 20 times, within
// four standard deviations. The drives of those selected begin at A and end at D.
func TestTheDrivesOfThoseSelectedAreCounted(t *testing.T) {
	net := block(t)
	study := NewSelectStudy(net.Network, Study{}, condition(t, net, "AB then EF"))
	for _, trip := range three(net) {
		study.Add(trip)
	}
	rows := study.Rows()
	total := study.Total()[Slot{}]
	if sd := math.Sqrt(2.0 / 9 / draws); math.Abs(total.Mean-1.0/3) > 4*sd || total.Mean == 0 || total.Told != 0 {
		t.Errorf("%+v are selected, want about 0.333", total)
	}
	for _, segment := range []string{"AB", "BE", "EF", "FC", "CD"} {
		near(t, segment, rowOf(t, rows, net.Seg(segment)).Count.Mean, total.Mean)
	}
	if len(rows) != 5 {
		t.Errorf("%d rows: nobody who is selected drives BC", len(rows))
	}
	study = NewSelectStudy(net.Network, Study{}, condition(t, net, "not EF"))
	for _, trip := range three(net) {
		study.Add(trip)
	}
	near(t, "the others", study.Total()[Slot{}].Mean, 3-total.Mean)
	if c := rowOf(t, study.Rows(), net.Seg("BC")).Count; c.Told != 3 || c.Vehicles != 2 {
		t.Errorf("%+v", c)
	}
}

// Four samples: the middle gap has another way, by which the vehicle goes round the
// block, while the way told stays on one segment. Before and behind it all is certain.
func TestWaysAreDrawnInDrivingOrder(t *testing.T) {
	net := roadnettest.Draw(t, 100, `
		A---B---C---D---E
		    |   |
		    F---G
	`, "AB", "BC", "CD", "DE", "BF", "FG", "GC")
	trip := at(net, "1", "a", start, 160, "AB", "BC", "CD", "DE")
	r := trip.Recovery
	first, last := r.Ticks[0], r.Ticks[1]
	tick := func(along float64, sample uint32) trajectory.Tick {
		k := first
		k.Time, k.Along, k.Sample = first.Time+int64(along*100), along, sample
		return k
	}
	last.Sample = 3
	r.Ticks = []trajectory.Tick{first, tick(500, 1), tick(700, 2), last}
	round := trajectory.Part{Segments: []roadnet.SegmentID{net.Seg("BC"), net.Seg("CG"), net.Seg("GF"), net.Seg("FB"), net.Seg("BC")}, StartRatio: 0.25, EndRatio: 0.75}
	r.Alternatives = []trajectory.Alternative{{FromSample: 1, ToSample: 2, Part: round, Probability: 0.5}}
	r.Doubts = []trajectory.Doubt{{FromSample: 1, ToSample: 2, Probability: 0.5}}
	for text, want := range map[string]float64{"AB then BC then CD then DE": 1, "GF": 0.5, "AB then GF then DE": 0.5, "BC then GF then BC": 0.5, "DE then AB": 0, "DE then GF": 0} {
		study := NewSelectStudy(net.Network, Study{}, condition(t, net, text))
		study.Add(trip)
		mean := study.Total()[Slot{}].Mean
		if want == 0.5 && math.Abs(mean-0.5) < 0.45 {
			want = mean
		}
		near(t, text, mean, want)
		if want > 0 {
			near(t, text+": DE", rowOf(t, study.Rows(), net.Seg("DE")).Count.Mean, mean)
		}
	}
}
